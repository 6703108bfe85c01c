/** Reports whose lists of groups are created when they are read. The difference between two reports needs no lists. */
import { differenceOf, removedFrom } from './listDifference.ts';
import type { ListChange, ListVersion } from './listVersion.ts';

interface GroupList<Group> {
  readonly groups: readonly Group[];
}

const versions = new WeakMap<object, ListVersion<unknown>>();

/** Stores the version that the groups of a report are read from. */
export function setVersion<Group>(report: GroupList<Group>, version: ListVersion<Group>): void {
  versions.set(report, version);
}

/** Returns the difference between two reports. If the second one follows the first, does not read their groups. */
export function changeOfGroups<Group>(before: GroupList<Group>, after: GroupList<Group>): ListChange<Group> {
  const earlier = versions.get(before) as ListVersion<Group> | undefined;
  const later = versions.get(after) as ListVersion<Group> | undefined;
  const change = earlier && later?.changeFrom(earlier);
  if (change) return change;
  const difference = differenceOf(before.groups, after.groups);
  return { ...difference, removed: removedFrom(before.groups, difference) };
}
