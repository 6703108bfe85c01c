/**
 * Finds nested clusters. A cluster is nested if each of its passages lies inside a different passage of one larger
 * cluster. A nested cluster only repeats parts of the larger one. Passages are sorted into buckets by position, so the
 * lookup time does not grow with the document.
 */
import { grown } from '../grown.ts';
import type { MatchTable } from './matchTable.ts';
import { constants } from '../constants.ts';

/** A cluster. Its passages are numbers in the table. */
export interface Nestable {
  readonly passages: readonly number[];
}

export class Nesting<Kept extends Nestable> {
  readonly #table: MatchTable;
  /** For each document, the first entry of each bucket; −1 if the bucket is empty. */
  readonly #heads: (Int32Array | undefined)[] = [];
  /** For each entry, its passage, the cluster of that passage, and the next entry of the same bucket. */
  #passages = new Int32Array(1024);
  readonly #clusters: (Kept | undefined)[] = [];
  #next = new Int32Array(1024);
  #entryCount = 0;
  readonly #freeEntries: number[] = [];
  #clusterCount = 0;

  constructor(table: MatchTable) {
    this.#table = table;
  }

  add(kept: Kept): void {
    this.#clusterCount++;
    for (const passage of kept.passages) {
      const heads = this.#headsOf(passage);
      for (let b = this.#firstBucket(passage); b <= this.#lastBucket(passage); b++) {
        const entry = this.#freeEntries.pop() ?? this.#entryCount++;
        if (entry >= this.#next.length) {
          this.#passages = grown(this.#passages, 2 * entry);
          this.#next = grown(this.#next, 2 * entry);
        }
        this.#passages[entry] = passage;
        this.#clusters[entry] = kept;
        this.#next[entry] = heads[b];
        heads[b] = entry;
      }
    }
  }

  remove(kept: Kept): void {
    this.#clusterCount--;
    for (const passage of kept.passages) {
      const heads = this.#headsOf(passage);
      for (let b = this.#firstBucket(passage); b <= this.#lastBucket(passage); b++) this.#drop(heads, b, passage, kept);
    }
  }

  #drop(heads: Int32Array, b: number, passage: number, kept: Kept): void {
    let last = -1;
    for (let entry = heads[b]; entry >= 0; last = entry, entry = this.#next[entry]) {
      if (this.#passages[entry] !== passage || this.#clusters[entry] !== kept) continue;
      if (last < 0) heads[b] = this.#next[entry];
      else this.#next[last] = this.#next[entry];
      this.#clusters[entry] = undefined;
      this.#freeEntries.push(entry);
      return;
    }
  }

  /**
   * Returns the clusters for which `isNested` may have changed: the added clusters, and all clusters with a passage
   * that may lie inside a changed cluster.
   */
  around(changed: readonly Kept[], added: readonly Kept[]): Set<Kept> {
    const found = new Set(added);
    if (found.size === this.#clusterCount) return found;
    for (const outer of changed.flatMap(({ passages }) => passages)) {
      const heads = this.#headsOf(outer);
      for (let b = this.#firstBucket(outer); b <= this.#lastBucket(outer); b++) {
        for (let entry = heads[b]; entry >= 0; entry = this.#next[entry]) {
          const inner = this.#passages[entry];
          if (this.#contains(outer, inner)) found.add(this.#clusters[entry]!);
        }
      }
    }
    return found;
  }

  /**
   * Returns true if each passage of a cluster lies inside a different passage of one other cluster. A cluster with two
   * passages inside the same passage is not nested: it shows that this passage repeats itself.
   */
  isNested(kept: Kept): boolean {
    const { starts, ends } = this.#table;
    /** For each cluster that contains all passages seen so far: its passages that contain them. */
    let common: Map<Kept, number[]> | undefined;
    for (const passage of kept.passages) {
      let around: Map<Kept, number[]> | undefined;
      // A passage that contains most of another passage also contains the middle of that passage.
      const middle = Math.floor(Math.floor((starts[passage] + ends[passage]) / 2) / bucketTokens);
      for (let entry = this.#headsOf(passage)[middle]; entry >= 0; entry = this.#next[entry]) {
        const other = this.#clusters[entry]!;
        if (other === kept || (common !== undefined && !common.has(other))) continue;
        const outer = this.#passages[entry];
        const used = common?.get(other) ?? [];
        if (this.#contains(outer, passage) && !used.includes(outer))
          (around ??= new Map<Kept, number[]>()).set(other, [...used, outer]);
      }
      if (around === undefined) return false;
      common = around;
    }
    return true;
  }

  // Returns true if most of `inner` is in `outer`, and `outer` is larger. Precondition: both are in the same document.
  #contains(outer: number, inner: number): boolean {
    const { starts, ends } = this.#table;
    const { inside, maxOutside } = constants.groups;
    const size = ends[inner] - starts[inner];
    const shared = Math.min(ends[outer], ends[inner]) - Math.max(starts[outer], starts[inner]);
    return shared >= Math.max(inside * size, size - maxOutside) && ends[outer] - starts[outer] > size;
  }

  #firstBucket(passage: number): number {
    return Math.floor(this.#table.starts[passage] / bucketTokens);
  }

  #lastBucket(passage: number): number {
    return Math.floor((this.#table.ends[passage] - 1) / bucketTokens);
  }

  /** Returns the bucket heads of a passage's document. Adds buckets if the passage ends after the last one. */
  #headsOf(passage: number): Int32Array {
    const document = this.#table.documents[passage];
    const needed = this.#lastBucket(passage) + 1;
    const oldHeads = this.#heads[document];
    if (oldHeads !== undefined && oldHeads.length >= needed) return oldHeads;
    const heads = new Int32Array(2 * needed).fill(-1);
    if (oldHeads) heads.set(oldHeads);
    this.#heads[document] = heads;
    return heads;
  }
}

const bucketTokens = 256;
