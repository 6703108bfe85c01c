/** What of a file's copies is told: those of rows, and others where no row has a copy. */
import type { Group } from '../engine/report/report.ts';
import type { Copy } from './report.ts';

/**
 * The copies of rows; and since what is shown in a row may have a copy where the row has none, those that have no line in
 * common with one that is there already, the one that is worth most first. In the order that they come in.
 *
 * @param copies  of one file
 */
export function withoutNested(copies: readonly Copy[], isRow: (group: Group) => boolean): readonly Copy[] {
  const told = copies.filter(({ group }) => isRow(group));
  const nested = copies.filter(({ group }) => !isRow(group));
  for (const copy of nested.sort((x, y) => y.group.worth - x.group.worth)) {
    if (!told.some((other) => haveLinesInCommon(copy, other))) told.push(copy);
  }
  const isTold = new Set(told);
  return copies.filter((copy) => isTold.has(copy));
}

export function haveLinesInCommon({ passage: x }: Copy, { passage: y }: Copy): boolean {
  return x.startLine <= y.endLine && y.startLine <= x.endLine;
}
