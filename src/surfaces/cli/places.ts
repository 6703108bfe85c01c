/** Formats places relative to the current folder, so that terminals turn them into links. */
import path from 'node:path';
import type { Group, Passage } from '../../core/engine/report/report.ts';
import { linesOf } from '../../presentation/wording/lineRange.ts';
import { printable } from '../../presentation/wording/printable.ts';

/** Base of displayed places. */
export interface Vantage {
  /** Absolute path of the folder that paths in the report are relative to. */
  readonly root: string;
  /** Folder that displayed places are relative to. */
  readonly from: string;
}

/** Returns the place of a passage: the path, and lines unless it is a whole file. */
export function placeOf({ kind }: Pick<Group, 'kind'>, passage: Passage, { root, from }: Vantage): string {
  const file = nameFrom(from, path.join(root, passage.path));
  return printable(kind === 'file' ? file : `${file}:${linesOf(passage)}`);
}

/** Returns a path for display: absolute if it is far from the current folder. */
export function nameFrom(from: string, file: string): string {
  const relative = path.relative(from, file);
  return relative.startsWith(path.join('..', '..')) ? file : relative || '.';
}
