/** Duplicates as they are counted: a group that is shown in the row of another one is a part of that one. */
import type { Group } from '../../core/engine/report/report.ts';

/** Groups that are shown in none of the others. */
export function outermost(groups: readonly Group[]): Group[] {
  const ids = new Set(groups.map(({ id }) => id));
  return groups.filter(({ parent }) => parent === undefined || !ids.has(parent));
}
