/**
 * Hides groups that another group makes superfluous. The code that a page quotes is compared both as code and as part
 * of the page. So if a section with code was copied, the section is a group of prose, and its code is another group on
 * the same lines. If the code is most of the section, only the code is shown; otherwise, only the section. The same
 * applies to a copied comment with examples in it.
 */
import { add } from '../../collections/lists.ts';
import { sharedLines } from '../../collections/textPositions.ts';
import type { Group, Passage } from './report.ts';

/** A group that can cover other groups (make them superfluous), or be covered by them. */
export interface Coverable {
  readonly group: Group;
  /** Kind of the passages: quoted code, or text that may surround quoted code. */
  readonly kind: Kind;
  /** The group's passages that are quoted code, or that belong to a text with quoted code. */
  readonly passages: readonly Passage[];
}

/** Minimum share of a passage that must be in another passage for the first to count as contained. */
const minShare = 0.8;

/** Number of lines in a bucket. Groups are found by the buckets that their lines are in. */
const bucketLines = 64;

export type Kind = 'around' | 'quoted';

/** Groups by path, and then by the number of the bucket that contains some of their lines. */
type GroupsOnLines = Map<string, Map<number, Set<Coverable>>>;

export class CoveredGroups<Item extends Coverable> {
  readonly #onLines: Readonly<Record<Kind, GroupsOnLines>> = { around: new Map(), quoted: new Map() };
  readonly #covered = new Set<Coverable>();

  /**
   * Removes and adds groups.
   *
   * @returns groups that must be hidden or shown because of this change
   */
  replace(removed: readonly Item[], added: readonly Item[]): { hidden: Item[]; shown: Item[] } {
    const hidden = removed.filter((item) => !this.#covered.delete(item));
    const shown: Item[] = [];
    for (const item of removed) for (const groups of this.#around(item, item.kind)) groups.delete(item);
    for (const item of added) this.#add(item);
    const fresh = new Set<Coverable>(added);
    // First decide which groups of surrounding text are covered. A covered group cannot cover quoted code itself, so at
    // least one of two such groups is always shown.
    const changed = new Set<Coverable>([...removed, ...added]);
    for (const kind of ['around', 'quoted'] as const) {
      for (const item of this.#touchedBy(changed, added, kind)) {
        const [was, is] = [this.#covered.has(item), this.#isCovered(item)];
        if (is) this.#covered.add(item);
        else this.#covered.delete(item);
        if (is !== was) changed.add(item);
        if (!is && (was || fresh.has(item))) shown.push(item as Item);
        else if (is && !was && !fresh.has(item)) hidden.push(item as Item);
      }
    }
    return { hidden, shown };
  }

  /**
   * Returns the groups of a kind whose visibility may have changed: the added ones, and those near a changed group of
   * the other kind.
   */
  #touchedBy(changed: ReadonlySet<Coverable>, added: readonly Coverable[], kind: Kind): Set<Coverable> {
    const touched = new Set(added.filter((item) => item.kind === kind));
    for (const item of changed) {
      if (item.kind === kind) continue;
      for (const groups of this.#around(item, kind)) for (const other of groups) touched.add(other);
    }
    return touched;
  }

  #isCovered(item: Coverable): boolean {
    const { passages, group } = item;
    const isQuoted = item.kind === 'quoted';
    // A group is covered only if all its passages are covered. Passages of other kinds are not in `passages`.
    if (passages.length === 0 || passages.length < group.passages.length) return false;
    if (!isQuoted && group.kind !== 'prose') return false;
    const { path, startLine, endLine } = passages[0];
    const buckets = this.#onLines[isQuoted ? 'around' : 'quoted'].get(path);
    for (let bucket = bucketOf(startLine); bucket <= bucketOf(endLine); bucket++) {
      for (const other of buckets?.get(bucket) ?? []) {
        if (!(isQuoted && this.#covered.has(other)) && covers(other, item)) return true;
      }
    }
    return false;
  }

  /** Yields, for each bucket of a group, the set of groups of the given kind in that bucket. */
  *#around({ passages }: Coverable, kind: Kind): Generator<Set<Coverable>> {
    for (const { path, startLine, endLine } of passages) {
      const buckets = this.#onLines[kind].get(path);
      if (buckets === undefined) continue;
      for (let bucket = bucketOf(startLine); bucket <= bucketOf(endLine); bucket++) {
        const groups = buckets.get(bucket);
        if (groups) yield groups;
      }
    }
  }

  #add(item: Coverable): void {
    const onLines = this.#onLines[item.kind];
    for (const { path, startLine, endLine } of item.passages) {
      let buckets = onLines.get(path);
      if (buckets === undefined) onLines.set(path, (buckets = new Map<number, Set<Coverable>>()));
      for (let bucket = bucketOf(startLine); bucket <= bucketOf(endLine); bucket++) add(buckets, bucket, item);
    }
  }
}

function bucketOf(line: number): number {
  return Math.floor(line / bucketLines);
}

/**
 * Returns true if each passage of the inner group lies mostly in a passage of the outer group, and each in a different
 * one.
 */
function covers(outer: Coverable, inner: Coverable): boolean {
  const used: Passage[] = [];
  return inner.passages.every((passage) => {
    const around = outer.passages.find((other) => !used.includes(other) && hasMostOf(other, passage));
    if (around) used.push(around);
    return around !== undefined;
  });
}

function hasMostOf(outer: Passage, inner: Passage): boolean {
  const shared = inner.path === outer.path ? sharedLines(inner, outer) : 0;
  if (shared === 0) return false;
  // Usually compare numbers of lines. If the code is surrounded by blank lines and headings, numbers of tokens are more
  // meaningful.
  return shared >= minShare * linesOf(inner) || (shared / linesOf(outer)) * outer.tokens >= minShare * inner.tokens;
}

function linesOf({ startLine, endLine }: Passage): number {
  return endLine - startLine + 1;
}
