/** Finds items by the lines of their passages. Lines are divided into buckets, each with the items on its lines. */
import { SetMultimap } from '../../collections/setMultimap.ts';
import type { Passage } from '../report/report.ts';

const bucketLines = 64;

/** Items on the lines [from, to). */
interface Bucket<Item> {
  readonly from: number;
  readonly to: number;
  readonly items: Iterable<Item>;
}

export class LineIndex<Item> {
  /** Items by path, and then by the number of the bucket. */
  readonly #paths = new Map<string, SetMultimap<number, Item>>();

  add({ path, startLine, endLine }: Passage, item: Item): void {
    let buckets = this.#paths.get(path);
    if (buckets === undefined) this.#paths.set(path, (buckets = new SetMultimap<number, Item>()));
    for (let bucket = bucketOf(startLine); bucket <= bucketOf(endLine); bucket++) buckets.add(bucket, item);
  }

  delete({ path, startLine, endLine }: Passage, item: Item): void {
    const buckets = this.#paths.get(path);
    if (buckets === undefined) return;
    for (let bucket = bucketOf(startLine); bucket <= bucketOf(endLine); bucket++) buckets.delete(bucket, item);
    if (buckets.size === 0) this.#paths.delete(path);
  }

  /** Returns the items in each bucket of a file. */
  inFile(path: string): Iterable<Iterable<Item>> {
    return this.#paths.get(path)?.values() ?? [];
  }

  /** Yields the buckets with lines of a passage. Adding and removing items during this is allowed. */
  *near({ path, startLine, endLine }: Passage): Generator<Bucket<Item>> {
    const buckets = this.#paths.get(path);
    if (buckets === undefined) return;
    for (let bucket = bucketOf(startLine); bucket <= bucketOf(endLine); bucket++) {
      const items = buckets.get(bucket);
      const from = bucket * bucketLines;
      yield { from: Math.max(startLine, from), to: Math.min(endLine + 1, from + bucketLines), items };
    }
  }
}

function bucketOf(line: number): number {
  return Math.floor(line / bucketLines);
}
