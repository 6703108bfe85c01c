/**
 * Ids of groups in the tree. VS Code keeps rows expanded and selected by their ids, but the id of a group in the report
 * changes with its longest copy. Here, a group keeps the id of the group that it replaces: one that disappeared in the
 * same report and has copies in the same files.
 */
import { append } from '../../../core/collections/lists.ts';
import type { Group } from '../../../core/engine/report/report.ts';

export class GroupIds {
  /** Groups of the last report. */
  #groups: readonly Group[] = [];
  /** Ids in the tree by ids in the report. */
  #ids: ReadonlyMap<string, string> = new Map();

  /** Returns the id of a group in the tree; for a group that is not in the last report, its own id. */
  of({ id }: Group): string {
    return this.#ids.get(id) ?? id;
  }

  /** Assigns ids to the groups of a report. */
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
      // An edited group may have kept the id that another one has now.
      while (used.has(id)) id += '+';
      assign(group, id);
    }
    this.#groups = groups;
    this.#ids = ids;
  }
}

/** Returns a key of the files of a group. */
function filesOf({ kind, passages }: Group): string {
  return [kind, ...passages.map(({ path }) => path)].join('|');
}
