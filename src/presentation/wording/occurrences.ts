/** Selects the copies of a file to show: those of rows, and others where no row has a copy. */
import type { Group, Passage } from '../../core/engine/report/report.ts';

/** A passage of a group. */
interface Copy {
  readonly group: Group;
  readonly passage: Passage;
}

/**
 * Returns the copies of rows. A group in a row may have a copy where the row has none, so copies that do not overlap
 * with any of these are added, greatest worth first. The order is preserved.
 *
 * @param copies  copies of one file
 */
export function withoutNested<Shown extends Copy>(
  copies: readonly Shown[],
  isRow: (group: Group) => boolean,
): readonly Shown[] {
  const told = copies.filter(({ group }) => isRow(group));
  const nested = copies.filter(({ group }) => !isRow(group));
  for (const copy of nested.sort((x, y) => y.group.worth - x.group.worth)) {
    if (!told.some(({ passage }) => overlap(copy.passage, passage))) told.push(copy);
  }
  const isTold = new Set(told);
  return copies.filter((copy) => isTold.has(copy));
}

/** Returns true if two passages of one file overlap. All cells of a notebook may be on one line of its file. */
export function overlap(x: Passage, y: Passage): boolean {
  return startsBeforeEnd(x, y) && startsBeforeEnd(y, x);
}

function startsBeforeEnd({ startLine, startColumn }: Passage, { endLine, endColumn }: Passage): boolean {
  return startLine < endLine || (startLine === endLine && startColumn < endColumn);
}
