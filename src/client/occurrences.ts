/** What of a file's copies is told: those of rows, and others where no row has a copy. */
import type { Group, Passage } from '../engine/report/report.ts';
import type { Copy } from './report.ts';

/**
 * The copies of rows; and since what is shown in a row may have a copy where the row has none, those that have no text in
 * common with one that is there already, the one that is worth most first. In the order that they come in.
 *
 * @param copies  of one file
 */
export function withoutNested(copies: readonly Copy[], isRow: (group: Group) => boolean): readonly Copy[] {
  const told = copies.filter(({ group }) => isRow(group));
  const nested = copies.filter(({ group }) => !isRow(group));
  for (const copy of nested.sort((x, y) => y.group.worth - x.group.worth)) {
    if (!told.some(({ passage }) => overlap(copy.passage, passage))) told.push(copy);
  }
  const isTold = new Set(told);
  return copies.filter((copy) => isTold.has(copy));
}

/** True if two passages of one file have text in common. All cells of a notebook may be on one line of its file. */
export function overlap(x: Passage, y: Passage): boolean {
  return startsBeforeEnd(x, y) && startsBeforeEnd(y, x);
}

function startsBeforeEnd({ startLine, startColumn }: Passage, { endLine, endColumn }: Passage): boolean {
  return startLine < endLine || (startLine === endLine && startColumn < endColumn);
}
