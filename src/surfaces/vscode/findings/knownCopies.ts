/**
 * Copies that were known before, to find the new ones. A group is new unless one known group contains all of its
 * copies. Copies are compared by their text, and each occurrence counts. A removed copy, or one that no longer matches,
 * does not make a group new.
 */
import { append } from '../../../core/collections/lists.ts';
import type { Group } from '../../../core/engine/report/report.ts';
import { type Contents, contentsOf } from '../../../review/gate/contents.ts';

export class KnownCopies {
  /** Known groups. They need no additional memory: a later report contains unchanged groups as the same objects. */
  readonly #groups: readonly Group[];
  readonly #counts: ReadonlyMap<string, number>;
  /**
   * Contents of the copies of the known groups, by content. Created when a group with an unknown id is first looked up.
   */
  #byContent: ReadonlyMap<string, readonly Contents[]> | undefined;

  constructor(groups: readonly Group[]) {
    this.#groups = groups;
    this.#counts = new Map(groups.map(({ id, passages }) => [id, passages.length]));
  }

  /** True if one known group contains all copies of a group. */
  has(group: Group): boolean {
    if (group.passages.length <= (this.#counts.get(group.id) ?? 0)) return true;
    const contents = contentsOf(group);
    const [first = ''] = contents.keys();
    // A copy without a content hash is always new.
    if (contents.has('')) return false;
    this.#byContent ??= byContentOf(this.#groups);
    const hasAll = (known: Contents): boolean =>
      [...contents].every(([content, count]) => (known.get(content) ?? 0) >= count);
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
