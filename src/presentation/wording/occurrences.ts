/** Selects the copies in a file to show: those of rows, and copies of nested groups where no row has a copy. */
import type { Group, Passage } from '../../core/engine/report/report.ts';

/** A passage of a group. */
interface Copy {
  readonly group: Group;
  readonly passage: Passage;
}

/**
 * Returns the copies of rows, and some copies of nested groups. A nested group may have a copy where its row has none.
 * Such copies are added, greatest worth first, if they do not overlap a selected copy. The order is preserved.
 *
 * @param copies  copies in one file
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
