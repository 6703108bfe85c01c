/**
 * Assigns stable ids to the groups in the tree. VS Code remembers expanded and selected rows by id, but a report
 * derives a group's id from its longest copy, which an edit may change. So a new group gets the tree id of the group it
 * replaces: a group that the new report no longer contains, with copies in the same files.
 */
import { append } from '../../../core/collections/lists.ts';
import type { Group } from '../../../core/engine/report/report.ts';

export class GroupIds {
  /** Groups of the last report. */
  #groups: readonly Group[] = [];
  /** Tree ids, by the group ids of the last report. */
  #ids: ReadonlyMap<string, string> = new Map();

  /** Returns the tree id of a group. If the last report does not contain the group, returns the group's own id. */
  of({ id }: Group): string {
    return this.#ids.get(id) ?? id;
  }

  /** Assigns tree ids to the groups of a new report. */
  follow(groups: readonly Group[]): void {
    if (groups === this.#groups) return;
    const present = new Set(groups.map(({ id }) => id));
    const removedIds = new Map<string, string[]>();
    for (const group of this.#groups) if (!present.has(group.id)) append(removedIds, filesOf(group), this.of(group));
    const ids = new Map<string, string>();
    const used = new Set<string>();
    const assign = (group: Group, id: string): void => {
      ids.set(group.id, id);
      used.add(id);
    };
    const added = groups.filter((group) => {
      const id = this.#ids.get(group.id);
      if (id !== undefined) assign(group, id);
      return id === undefined;
    });
    for (const group of added) {
      let id = removedIds.get(filesOf(group))?.shift() ?? group.id;
      // The id may be taken: a replaced group with this id may have passed it on to another group.
      while (used.has(id)) id += '+';
      assign(group, id);
    }
    this.#groups = groups;
    this.#ids = ids;
  }
}

/** Returns a key that is equal for groups with copies in the same files. */
function filesOf({ kind, passages }: Group): string {
  return [kind, ...passages.map(({ path }) => path)].join('|');
}
