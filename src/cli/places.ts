/** Places as the text names them: relative to the folder where the person is, so that terminals make links of them. */
import path from 'node:path';
import type { Group, Passage } from '../engine/report/report.ts';
import { printable } from './printable.ts';

/** How places are named. */
export interface Vantage {
  /** The folder that the paths of the report are relative to: absolute. */
  readonly root: string;
  /** The folder that places are written relative to. */
  readonly from: string;
}

/** A passage of a group: of whole files the path, else with its lines. */
export function placeOf({ kind }: Pick<Group, 'kind'>, passage: Passage, { root, from }: Vantage): string {
  const file = nameFrom(from, path.join(root, passage.path));
  return printable(kind === 'file' ? file : `${file}:${linesOf(passage)}`);
}

/** "12-40", or "12" for a single line. */
export function linesOf({ startLine, endLine }: Pick<Passage, 'startLine' | 'endLine'>): string {
  return startLine === endLine ? `${startLine}` : `${startLine}-${endLine}`;
}

/** A path as it is written where the person is: absolute when it leads far away. */
export function nameFrom(from: string, file: string): string {
  const relative = path.relative(from, file);
  return relative.startsWith(path.join('..', '..')) ? file : relative || '.';
}
