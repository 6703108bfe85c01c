/** Selects the groups that count as duplicates. A group inside the row of another only repeats a part of it. */
import type { Group } from '../../core/engine/report/report.ts';

/** Returns the groups that are not shown inside the row of another group of the list. */
export function outermost(groups: readonly Group[]): Group[] {
  const ids = new Set(groups.map(({ id }) => id));
  return groups.filter(({ parent }) => parent === undefined || !ids.has(parent));
}
