/**
 * The copies that were there once, by which news is told: a group with copies that none of those groups had, or with one more of
 * the same text. Copies that went, or were edited to be no copies any longer, are no news.
 */
import type { Group } from '../../engine/report/report.ts';
import { type Contents, contentsOf } from '../../gate/contents.ts';

export class KnownCopies {
  /** Reports leave a group the same object for as long as it stays as it is, so that these take no room of their own. */
  readonly #groups: readonly Group[];
  readonly #counts: ReadonlyMap<string, number>;
  /** By the contents of copies; undefined until a group has another id. */
  #byContent: ReadonlyMap<string, readonly Contents[]> | undefined;

  constructor(groups: readonly Group[]) {
    this.#groups = groups;
    this.#counts = new Map(groups.map(({ id, passages }) => [id, passages.length]));
  }

  /** Whether one of those groups had all copies of a group. */
  has(group: Group): boolean {
    if (group.passages.length <= (this.#counts.get(group.id) ?? 0)) return true;
    const contents = contentsOf(group);
    const [first = ''] = contents.keys();
    // Of a copy without contents nothing is known.
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
    for (const content of contents.keys()) {
      const others = byContent.get(content);
      if (others) others.push(contents);
      else byContent.set(content, [contents]);
    }
  }
  return byContent;
}
