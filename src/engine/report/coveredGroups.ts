/**
 * Groups that say no more than another one. The code that a page quotes is compared as code, and as a part of the page:
 * a copied section is a group of prose, the code in it one of quoted code, in the same lines. Where the code is most of
 * it the code is shown, else the section. In the same way a copied function has a copy of the examples above it.
 */
import { sharedLines } from '../rows/overlap.ts';
import type { Group, Passage } from './report.ts';

/** A group, and what of it can cover others or be covered. */
export interface Coverable {
  readonly group: Group;
  /** Whether some of it is quoted code, or else what may be around that. */
  readonly kind: Kind;
  /** Its passages of quoted code, or those of texts that quote some. */
  readonly passages: readonly Passage[];
}

/** The share of a passage that the one around it has to have. */
const leastShare = 0.8;

/** Groups are looked for by the stretches of so many lines that their passages are on. */
const bucketLines = 64;

export type Kind = 'around' | 'quoted';

/** By path and stretch of lines the groups that have passages there. */
type GroupsOnLines = Map<string, Map<number, Set<Coverable>>>;

export class CoveredGroups<Item extends Coverable> {
  readonly #onLines: Readonly<Record<Kind, GroupsOnLines>> = { around: new Map(), quoted: new Map() };
  readonly #covered = new Set<Coverable>();

  /**
   * Takes groups out that were put in, and puts others in.
   *
   * @returns which groups are not shown any more, of those that were, and which are now
   */
  replace(removed: readonly Item[], added: readonly Item[]): { hidden: Item[]; shown: Item[] } {
    const hidden = removed.filter((item) => !this.#covered.delete(item));
    const shown: Item[] = [];
    for (const item of removed) for (const groups of this.#around(item, item.kind)) groups.delete(item);
    for (const item of added) this.#add(item);
    const fresh = new Set<Coverable>(added);
    // What is around first: covered itself it covers no code, so that one of the two is always shown.
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

  /** The groups of a kind that are new, and those about where the other kind has changed. */
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
    // What is elsewhere too is told nowhere else.
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

  /** The groups of a kind that have passages about where a group has some. */
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
      for (let bucket = bucketOf(startLine); bucket <= bucketOf(endLine); bucket++) {
        const groups = buckets.get(bucket);
        if (groups) groups.add(item);
        else buckets.set(bucket, new Set([item]));
      }
    }
  }
}

function bucketOf(line: number): number {
  return Math.floor(line / bucketLines);
}

/** Whether a passage of its own of the one has most of each passage of the other. */
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
  // Of its lines, or, where blank lines and headings are around code, of its tokens.
  return shared >= leastShare * linesOf(inner) || (shared / linesOf(outer)) * outer.tokens >= leastShare * inner.tokens;
}

function linesOf({ startLine, endLine }: Passage): number {
  return endLine - startLine + 1;
}
