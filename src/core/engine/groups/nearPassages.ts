/**
 * The passages of one document, sorted into buckets by position. Finds a passage that nearly coincides with a range of
 * tokens. Because of the buckets, the lookup time does not grow with the document.
 */
import { grown } from '../grown.ts';
import type { MatchTable } from './matchTable.ts';

const bucketTokens = 256;

export class NearPassages {
  readonly #table: MatchTable;
  /** For each bucket, the first and the last entry of its list; −1 if the bucket is empty. */
  #heads = new Int32Array(64).fill(-1);
  #tails = new Int32Array(64);
  #usedBuckets = 0;
  /** For each entry, its passage and the next entry of the same bucket. */
  #passages = new Int32Array(256);
  #next = new Int32Array(256);
  #entryCount = 0;

  constructor(table: MatchTable) {
    this.#table = table;
  }

  empty(): void {
    this.#heads.fill(-1, 0, this.#usedBuckets);
    this.#usedBuckets = 0;
    this.#entryCount = 0;
  }

  /**
   * Finds a passage that nearly coincides with the tokens [start, end): their intersection is at least the share
   * `samePassage` of their union. If there are several, returns the first by bucket, then by insertion. Returns −1 if
   * there is none.
   */
  find(start: number, end: number, samePassage: number): number {
    const { starts, ends } = this.#table;
    const last = Math.min(this.#usedBuckets - 1, Math.floor((end - 1) / bucketTokens));
    for (let bucket = Math.floor(start / bucketTokens); bucket <= last; bucket++) {
      for (let entry = this.#heads[bucket]; entry >= 0; entry = this.#next[entry]) {
        const passage = this.#passages[entry];
        const shared = Math.min(ends[passage], end) - Math.max(starts[passage], start);
        if (shared <= 0) continue;
        const either = Math.max(ends[passage], end) - Math.min(starts[passage], start);
        if (shared / either >= samePassage) return passage;
      }
    }
    return -1;
  }

  add(passage: number): void {
    const last = Math.floor((this.#table.ends[passage] - 1) / bucketTokens);
    if (last >= this.#heads.length) {
      const before = this.#heads.length;
      this.#heads = grown(this.#heads, 2 * last).fill(-1, before);
      this.#tails = grown(this.#tails, 2 * last);
    }
    this.#usedBuckets = Math.max(this.#usedBuckets, last + 1);
    for (let bucket = Math.floor(this.#table.starts[passage] / bucketTokens); bucket <= last; bucket++) {
      const entry = this.#entryCount++;
      if (entry >= this.#next.length) {
        this.#passages = grown(this.#passages, 2 * entry);
        this.#next = grown(this.#next, 2 * entry);
      }
      this.#passages[entry] = passage;
      this.#next[entry] = -1;
      if (this.#heads[bucket] < 0) this.#heads[bucket] = entry;
      else this.#next[this.#tails[bucket]] = entry;
      this.#tails[bucket] = entry;
    }
  }
}
