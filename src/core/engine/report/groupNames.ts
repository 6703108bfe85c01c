/**
 * Sets the public ids of groups. A public id is the content id; if several groups have the same one, their rank is
 * appended. If a group is shown in the row of another group, also sets the id of that group.
 */
import { firstPlace } from '../../collections/lists.ts';
import { ListVersion } from '../../collections/listVersion.ts';
import { placeIn } from '../../collections/sortedList.ts';
import type { Group } from './report.ts';
import type { Entry, MovedGroup, OrderedRows } from '../rows/rows.ts';

export interface NamedGroups {
  /** All groups, in the order of the rows. */
  readonly groups: ListVersion<Group>;
  /** Groups that have kept their position, but have a new public id or parent id. */
  readonly renamed: readonly Entry[];
}

export class GroupNames {
  /** Groups by content id, which is derived from their longest passage. */
  readonly #byId = new Map<string, Entry[]>();
  #groups = new ListVersion<Group>([]);

  /** Updates the ids after groups have changed their positions. */
  update(rows: OrderedRows): NamedGroups {
    const renamed = this.#rename(rows);
    this.#groups = groupsOf(rows, renamed, this.#groups);
    return { groups: this.#groups, renamed };
  }

  /** Returns the groups whose public id or parent id changes, although their position does not change. */
  #rename({ moved, compare, parentOf, innerOf, ordered }: OrderedRows): Entry[] {
    const placed = new Set<Entry>();
    const fresh = new Set<Entry>();
    for (const { entry, before, after } of moved) {
      if (after) placed.add(entry);
      if (!before) fresh.add(entry);
    }
    const ids = new Map<Entry, string>();
    const affected = new Set(placed);
    for (const id of this.#contested(moved)) {
      const ranked = [...(this.#byId.get(id) ?? [])].sort(compare);
      for (const [rank, entry] of ranked.entries()) {
        const shown = rank === 0 ? id : `${id}-${rank + 1}`;
        ids.set(entry, shown);
        if (fresh.has(entry) || entry.shown.id === shown) continue;
        affected.add(entry);
        for (const inner of innerOf(entry)) affected.add(inner);
      }
    }
    // Process the groups in order, because a group needs the id of its parent. For many groups, filtering the ordered
    // list is faster than sorting.
    const areMany = 16 * affected.size >= ordered.length;
    const inOrder = areMany ? ordered.filter((entry) => affected.has(entry)) : [...affected].sort(compare);
    const renamed: Entry[] = [];
    for (const entry of inOrder) {
      const id = ids.get(entry) ?? (placed.has(entry) ? entry.group.id : entry.shown.id);
      const parent = parentOf(entry)?.shown.id;
      if (entry.shown.id === id && entry.shown.parent === parent) continue;
      entry.shown = withName(entry.group, id, parent);
      if (!placed.has(entry)) renamed.push(entry);
    }
    return renamed;
  }

  /** Adds moved groups to the table of ids. Returns the content ids whose appended numbers may have to change. */
  #contested(moved: readonly MovedGroup[]): Set<string> {
    const contested = new Set<string>();
    for (const { entry, before, after } of moved) {
      const { id } = entry.group;
      const all = this.#byId.get(id);
      if (all === undefined) {
        this.#byId.set(id, [entry]);
        continue;
      }
      if (after === undefined) all.splice(all.indexOf(entry), 1);
      else if (!all.includes(entry)) all.push(entry);
      if (all.length === 0) this.#byId.delete(id);
      if (all.length > 1 || before) contested.add(id);
    }
    return contested;
  }
}

/** @param before  the groups with their public ids, in the previous order */
function groupsOf(
  { ordered, change, compare }: OrderedRows,
  renamed: readonly Entry[],
  before: ListVersion<Group>,
): ListVersion<Group> {
  if (change === undefined || 16 * renamed.length > ordered.length) {
    return new ListVersion(ordered.map(({ shown }) => shown));
  }
  const addedAt = change.places.map((place, i) => place + i);
  const renamedAt = renamed.map((entry) => placeIn(ordered, entry, compare));
  const added = [...addedAt, ...renamedAt].sort(ascending);
  return before.next({
    removed: [...change.removed, ...renamedAt.map((place) => placeBefore(place, addedAt, change.removed))].sort(
      ascending,
    ),
    added,
    items: added.map((place) => ordered[place].shown),
  });
}

/** Returns the previous index of a group that is neither added nor removed. */
function placeBefore(place: number, added: readonly number[], removed: readonly number[]): number {
  let before = place - firstPlace(added.length, (i) => added[i] < place);
  for (const other of removed) {
    if (other > before) break;
    before++;
  }
  return before;
}

const ascending = (x: number, y: number): number => x - y;

function withName(group: Group, id: string, parent: string | undefined): Group {
  if (parent === undefined) return id === group.id ? group : { ...group, id };
  // Sets `id` and `parent` first, so that they come first in JSON, as in the schema.
  return Object.assign({ id, parent }, group, { id });
}
