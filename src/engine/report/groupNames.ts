/**
 * Groups as they are shown: under ids that no other group of the report has, and with the id of the group in whose row they
 * are. Groups of the same content (possible when they do not match each other for another reason) are told apart by rank.
 */
import type { Group } from './report.ts';
import type { Entry, Moved, OrderedRows } from '../rows/rows.ts';

export class GroupNames {
  /** By the id that their content gives them. */
  readonly #byId = new Map<string, Entry[]>();

  /**
   * Names what has moved, and what that changes of others.
   *
   * @returns whether some that were there have other ids now
   */
  update({ moved, compare, parentOf, ordered }: OrderedRows): boolean {
    const placed = new Set<Entry>();
    const fresh = new Set<Entry>();
    for (const { entry, before, after } of moved) {
      if (after) placed.add(entry);
      if (!before) fresh.add(entry);
    }
    const ids = new Map<Entry, string>();
    let areOthersRenamed = false;
    for (const id of this.#contested(moved)) {
      const ranked = [...(this.#byId.get(id) ?? [])].sort(compare);
      for (const [rank, entry] of ranked.entries()) {
        const shown = rank === 0 ? id : `${id}-${rank + 1}`;
        ids.set(entry, shown);
        if (!fresh.has(entry) && entry.shown.id !== shown) areOthersRenamed = true;
      }
    }
    // A parent comes before what is shown in it, and is named before it.
    // Of many it costs less to go through all that are in order than to put them in order.
    const areMany = 16 * placed.size >= ordered.length;
    for (const entry of areOthersRenamed || areMany ? ordered : [...placed].sort(compare)) {
      const id = ids.get(entry) ?? (placed.has(entry) ? entry.group.id : entry.shown.id);
      const parent = parentOf(entry)?.shown.id;
      if (entry.shown.id !== id || entry.shown.parent !== parent) entry.shown = withName(entry.group, id, parent);
    }
    return areOthersRenamed;
  }

  /** Takes in what has moved. Returns the ids of content of which the ranks may be others than before. */
  #contested(moved: readonly Moved[]): Set<string> {
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

function withName(group: Group, id: string, parent: string | undefined): Group {
  if (parent === undefined) return id === group.id ? group : { ...group, id };
  // In the order in which the schema has them: the id keeps its place.
  return Object.assign({ id, parent }, group, { id });
}
