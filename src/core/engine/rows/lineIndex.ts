/** Finds items by the lines of their passages. Lines are divided into buckets, each with the items on its lines. */
import { add, drop } from '../../collections/lists.ts';
import type { Passage } from '../report/report.ts';

const bucketLines = 64;

/** Items on the lines [from, to). */
interface Bucket<Item> {
  readonly from: number;
  readonly to: number;
  readonly items: ReadonlySet<Item>;
}

export class LineIndex<Item> {
  /** Items by path, and then by the number of the bucket. */
  readonly #paths = new Map<string, Map<number, Set<Item>>>();

  add({ path, startLine, endLine }: Passage, item: Item): void {
    let buckets = this.#paths.get(path);
    if (buckets === undefined) this.#paths.set(path, (buckets = new Map<number, Set<Item>>()));
    for (let bucket = bucketOf(startLine); bucket <= bucketOf(endLine); bucket++) add(buckets, bucket, item);
  }

  delete({ path, startLine, endLine }: Passage, item: Item): void {
    const buckets = this.#paths.get(path);
    if (buckets === undefined) return;
    for (let bucket = bucketOf(startLine); bucket <= bucketOf(endLine); bucket++) drop(buckets, bucket, item);
    if (buckets.size === 0) this.#paths.delete(path);
  }

  /** Returns the items in each bucket of a file. */
  inFile(path: string): Iterable<ReadonlySet<Item>> {
    return this.#paths.get(path)?.values() ?? [];
  }

  /** Yields the buckets with lines of a passage. Adding and removing items during this is allowed. */
  *near({ path, startLine, endLine }: Passage): Generator<Bucket<Item>> {
    const buckets = this.#paths.get(path);
    if (buckets === undefined) return;
    for (let bucket = bucketOf(startLine); bucket <= bucketOf(endLine); bucket++) {
      const items = buckets.get(bucket);
      if (items === undefined) continue;
      const from = bucket * bucketLines;
      yield { from: Math.max(startLine, from), to: Math.min(endLine + 1, from + bucketLines), items };
    }
  }
}

function bucketOf(line: number): number {
  return Math.floor(line / bucketLines);
}
