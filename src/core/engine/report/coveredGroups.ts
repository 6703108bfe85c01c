/**
 * Hides groups that add nothing to another one. The code that a page quotes is compared both as code and as part of the
 * page. A copied section is therefore a group of prose, and its code a group of quoted code on the same lines. If the
 * code is most of the section, the code is shown, otherwise the section. The same applies to a copied function with a
 * copy of the examples above it.
 */
import { add } from '../../collections/lists.ts';
import { sharedLines } from '../rows/overlap.ts';
import type { Group, Passage } from './report.ts';

/** A group, and the part of it that can cover others or be covered. */
export interface Coverable {
  readonly group: Group;
  /** Kind of its passages: quoted code, or text that may contain quoted code. */
  readonly kind: Kind;
  /** Its passages of quoted code, or those of texts that quote code. */
  readonly passages: readonly Passage[];
}

/** Minimum share of a passage that the surrounding passage must contain. */
const leastShare = 0.8;

/** Lines per bucket in the search for groups by line. */
const bucketLines = 64;

export type Kind = 'around' | 'quoted';

/** Groups by path and bucket of lines. */
type GroupsOnLines = Map<string, Map<number, Set<Coverable>>>;

export class CoveredGroups<Item extends Coverable> {
  readonly #onLines: Readonly<Record<Kind, GroupsOnLines>> = { around: new Map(), quoted: new Map() };
  readonly #covered = new Set<Coverable>();

  /**
   * Replaces groups.
   *
   * @returns the groups that are newly hidden, and those that are newly shown
   */
  replace(removed: readonly Item[], added: readonly Item[]): { hidden: Item[]; shown: Item[] } {
    const hidden = removed.filter((item) => !this.#covered.delete(item));
    const shown: Item[] = [];
    for (const item of removed) for (const groups of this.#around(item, item.kind)) groups.delete(item);
    for (const item of added) this.#add(item);
    const fresh = new Set<Coverable>(added);
    // Start with surrounding groups: a covered group does not cover code, so that one of the two is always shown.
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

  /** Returns the new groups of a kind, and those near changed groups of the other kind. */
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
    // A group with passages elsewhere is not covered.
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

  /** Yields the groups of a kind with passages near those of a group. */
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

/** Returns true if each passage of one group is mostly contained in a different passage of the other. */
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
  // Compare lines or, if blank lines and headings surround code, tokens.
  return shared >= leastShare * linesOf(inner) || (shared / linesOf(outer)) * outer.tokens >= leastShare * inner.tokens;
}

function linesOf({ startLine, endLine }: Passage): number {
  return endLine - startLine + 1;
}
