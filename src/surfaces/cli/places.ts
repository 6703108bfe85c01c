/** Formats places relative to the current folder, so that terminals can open them as links. */
import path from 'node:path';
import type { Group, Passage } from '../../core/engine/report/report.ts';
import { linesOf } from '../../presentation/wording/lineRange.ts';
import { printable } from '../../presentation/wording/printable.ts';

/** Folders that determine how paths are displayed. */
export interface Vantage {
  /** Absolute path of the folder to which paths in the report are relative. */
  readonly root: string;
  /** Absolute path of the folder to which displayed paths are relative. */
  readonly from: string;
}

/** Formats the place of a passage: its path and, unless it is a whole file, its lines. */
export function placeOf({ kind }: Pick<Group, 'kind'>, passage: Passage, { root, from }: Vantage): string {
  const file = nameFrom(from, path.join(root, passage.path));
  return printable(kind === 'file' ? file : `${file}:${linesOf(passage)}`);
}

/** Returns the path of a file relative to a folder, or the absolute path if the file is far away. */
export function nameFrom(from: string, file: string): string {
  const relative = path.relative(from, file);
  return relative.startsWith(path.join('..', '..')) ? file : relative || '.';
}
