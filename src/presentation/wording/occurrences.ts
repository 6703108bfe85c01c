/** Selects the copies in a file to show: those of top-level groups, and of nested ones where there are none. */
import { overlap } from '../../core/collections/textPositions.ts';
import type { Group, Passage } from '../../core/engine/report/report.ts';

interface Copy {
  readonly group: Group;
  readonly passage: Passage;
}

/**
 * Returns the copies of top-level groups, and some copies of nested groups. A nested group may have a copy in a place
 * where the group around it has none. Such copies are added in descending order of worth, unless they overlap a copy
 * that is already selected. Preserves the order.
 *
 * @param copies  copies in one file
 */
export function withoutNested<Shown extends Copy>(
  copies: readonly Shown[],
  isRow: (group: Group) => boolean,
): readonly Shown[] {
  const shown = copies.filter(({ group }) => isRow(group));
  const nested = copies.filter(({ group }) => !isRow(group));
  for (const copy of nested.sort((x, y) => y.group.worth - x.group.worth)) {
    if (!shown.some(({ passage }) => overlap(copy.passage, passage))) shown.push(copy);
  }
  const selected = new Set(shown);
  return copies.filter((copy) => selected.has(copy));
}

/** Returns the `count` copies that are most worth acting on, in the order of `copies`. */
export function mostWorth<Shown extends Copy>(copies: readonly Shown[], count: number): readonly Shown[] {
  if (copies.length <= count) return copies;
  const chosenCopies = new Set([...copies].sort((x, y) => y.group.worth - x.group.worth).slice(0, count));
  return copies.filter((copy) => chosenCopies.has(copy));
}
