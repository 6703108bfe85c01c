/**
 * Stable ids of groups in the tree. VS Code keeps rows expanded and selected by their ids, but a report derives the id
 * of a group from its longest copy, which an edit changes. So a new group gets the tree id of the group that it
 * replaces: one that is missing in the new report and had copies in the same files.
 */
import { append } from '../../../core/collections/lists.ts';
import type { Group } from '../../../core/engine/report/report.ts';

export class GroupIds {
  /** Groups of the last report. */
  #groups: readonly Group[] = [];
  /** Ids in the tree, by the ids in the report. */
  #ids: ReadonlyMap<string, string> = new Map();

  /**
   * Returns the id of a group in the tree. For a group that is not in the last report, returns its id in the report.
   */
  of({ id }: Group): string {
    return this.#ids.get(id) ?? id;
  }

  /** Assigns tree ids to the groups of a new report. */
  follow(groups: readonly Group[]): void {
    if (groups === this.#groups) return;
    const present = new Set(groups.map(({ id }) => id));
    const gone = new Map<string, string[]>();
    for (const group of this.#groups) if (!present.has(group.id)) append(gone, filesOf(group), this.of(group));
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
      let id = gone.get(filesOf(group))?.shift() ?? group.id;
      // A replaced group may have passed on the id that another group has in the report now.
      while (used.has(id)) id += '+';
      assign(group, id);
    }
    this.#groups = groups;
    this.#ids = ids;
  }
}

/** Returns a key that identifies the set of files of a group. */
function filesOf({ kind, passages }: Group): string {
  return [kind, ...passages.map(({ path }) => path)].join('|');
}
