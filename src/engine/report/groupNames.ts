/**
 * Public form of groups: unique ids, and the id of the group in whose row they are shown. Groups with the same content
 * (possible if they do not match each other for another reason) are distinguished by rank.
 */
import type { Group } from './report.ts';
import type { Entry, Moved, OrderedRows } from '../rows/rows.ts';

export class GroupNames {
  /** Groups by the id of their content. */
  readonly #byId = new Map<string, Entry[]>();

  /**
   * Names the moved groups, and renames others if necessary.
   *
   * @returns true if existing groups have other ids
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
    // A parent comes before the groups in its row and is named first. If there are many, filtering the ordered list
    // costs less than sorting them.
    const areMany = 16 * placed.size >= ordered.length;
    for (const entry of areOthersRenamed || areMany ? ordered : [...placed].sort(compare)) {
      const id = ids.get(entry) ?? (placed.has(entry) ? entry.group.id : entry.shown.id);
      const parent = parentOf(entry)?.shown.id;
      if (entry.shown.id !== id || entry.shown.parent !== parent) entry.shown = withName(entry.group, id, parent);
    }
    return areOthersRenamed;
  }

  /** Adds moved groups. Returns the content ids whose ranks may have changed. */
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
  // In the order of the schema: the id stays first.
  return Object.assign({ id, parent }, group, { id });
}
