/**
 * Remembers copies in order to recognize new ones later. A group is new unless a single remembered group contains all
 * of its copies. Copies are compared by text, and the number of equal copies counts. A group does not become new when a
 * copy is removed or no longer matches.
 */
import { append } from '../../../core/collections/lists.ts';
import type { Group } from '../../../core/engine/report/report.ts';
import { type Contents, contentsOf } from '../../../review/gate/contents.ts';

export class KnownCopies {
  /** Remembered groups. They take no extra memory, because later reports use the same objects for unchanged groups. */
  readonly #groups: readonly Group[];
  readonly #counts: ReadonlyMap<string, number>;
  /** Texts of the copies, by content hash. Created when a group with an unknown id is first looked up. */
  #byContent: ReadonlyMap<string, readonly Contents[]> | undefined;

  constructor(groups: readonly Group[]) {
    this.#groups = groups;
    this.#counts = new Map(groups.map(({ id, passages }) => [id, passages.length]));
  }

  /** Returns true if a single remembered group contains all copies of a group. */
  has(group: Group): boolean {
    if (group.passages.length <= (this.#counts.get(group.id) ?? 0)) return true;
    const contents = contentsOf(group);
    const [first = ''] = contents.keys();
    // A copy without a content hash counts as new.
    if (contents.has('')) return false;
    this.#byContent ??= byContentOf(this.#groups);
    const hasAll = (knownContents: Contents): boolean =>
      [...contents].every(([content, count]) => (knownContents.get(content) ?? 0) >= count);
    return this.#byContent.get(first)?.some(hasAll) === true;
  }
}

function byContentOf(groups: readonly Group[]): ReadonlyMap<string, readonly Contents[]> {
  const byContent = new Map<string, Contents[]>();
  for (const group of groups) {
    const contents = contentsOf(group);
    for (const content of contents.keys()) append(byContent, content, contents);
  }
  return byContent;
}
