/**
 * Known copies, for detecting new ones: a group is new if no known group has all of its copies, counted by text.
 * Removed copies, and copies that no longer match, are not news.
 */
import { append } from '../../../core/collections/lists.ts';
import type { Group } from '../../../core/engine/report/report.ts';
import { type Contents, contentsOf } from '../../../review/gate/contents.ts';

export class KnownCopies {
  /** Unchanged groups are the same objects in later reports, so these need no additional memory. */
  readonly #groups: readonly Group[];
  readonly #counts: ReadonlyMap<string, number>;
  /** Contents of the known groups by content. Created when a group with an unknown id is looked up. */
  #byContent: ReadonlyMap<string, readonly Contents[]> | undefined;

  constructor(groups: readonly Group[]) {
    this.#groups = groups;
    this.#counts = new Map(groups.map(({ id, passages }) => [id, passages.length]));
  }

  /** True if a known group has all copies of a group. */
  has(group: Group): boolean {
    if (group.passages.length <= (this.#counts.get(group.id) ?? 0)) return true;
    const contents = contentsOf(group);
    const [first = ''] = contents.keys();
    // A copy without contents is always unknown.
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
