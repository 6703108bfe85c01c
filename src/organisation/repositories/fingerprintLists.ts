/**
 * Sorted lists of fingerprints in a file, so that a search reads only a few parts of the file. Each view has one list
 * of all windows, with the content of each window. For every block but the first (see `blocksFor`), it also has a list
 * of the distinct fingerprints, rotated so that the block is at the beginning. Fingerprints that are equal in the
 * leading bits are adjacent. The buckets of a list store, for each value of the leading `bucketBits`, the number of
 * fingerprints before that value. One more list has the lines of code by their phrases (windows.ts).
 * docs/decisions/0014-an-index-in-a-folder.md compares them with Parquet files.
 */
import { readSync, writeFileSync } from 'node:fs';
import type { Kernel } from '../../core/engine/kernel.ts';
import { blocksFor, type ListView, phraseView } from './blocks.ts';
import { languageOfKey } from './windows.ts';

/** Location of a list in the file. It is stored as JSON in the description of the partition. */
export interface FingerprintList {
  readonly view: ListView;
  /** Number of bits by which the fingerprints are rotated to the left. */
  readonly rotation: number;
  readonly count: number;
  readonly bucketBits: number;
  /** Byte offset in the file; the same for `fingerprints` and `contents`. */
  readonly buckets: number;
  readonly fingerprints: number;
  /** Offset of the content of each window or line. Not present in lists of rotated fingerprints. */
  readonly contents?: number;
  /** Families of the lines' languages, in any order. Present only in a list of phrases. */
  readonly languages?: readonly number[] | undefined;
}

export function rotate(high: number, low: number, bits: number): [high: number, low: number] {
  const [x, y] = bits >= 32 ? [low, high] : [high, low];
  const by = bits & 31;
  if (by === 0) return [x >>> 0, y >>> 0];
  return [((x << by) | (y >>> (32 - by))) >>> 0, ((y << by) | (x >>> (32 - by))) >>> 0];
}

/**
 * Sorts fingerprints, and also returns the original index of each (`order`). Here and below, fingerprints are pairs of
 * words, lower half first.
 */
export function sortFingerprints(
  kernel: Kernel,
  fingerprints: Uint32Array,
): { order: Uint32Array; sorted: Uint32Array } {
  const n = fingerprints.length / 2;
  const mark = kernel.mark();
  const [keys, otherKeys] = [kernel.allocate(n * 8), kernel.allocate(n * 8)];
  const [ids, otherIds, counts] = [kernel.allocate(n * 4), kernel.allocate(n * 4), kernel.allocate(8_192 * 4)];
  const { words } = kernel;
  words.set(fingerprints, keys >>> 2);
  for (let i = 0; i < n; i++) words[(ids >>> 2) + i] = i;
  kernel.exports.sortFingerprints(keys, ids, otherKeys, otherIds, n, counts);
  const order = words.slice(ids >>> 2, (ids >>> 2) + n);
  const sorted = words.slice(keys >>> 2, (keys >>> 2) + 2 * n);
  kernel.release(mark);
  return { order, sorted };
}

function distinct(sorted: Uint32Array): Uint32Array {
  const found = new Uint32Array(sorted.length);
  let end = 0;
  for (let at = 0; at < sorted.length; at += 2) {
    if (at > 0 && sorted[at] === sorted[at - 2] && sorted[at + 1] === sorted[at - 1]) continue;
    found[end++] = sorted[at]!;
    found[end++] = sorted[at + 1]!;
  }
  return found.subarray(0, end);
}

/** Approximate number of fingerprints in a bucket, that is, with the same leading bits. */
const bucketSize = 16;
const maxBucketBits = 20;

/** Writes lists to a new file, one after another. */
export class ListWriter {
  readonly lists: FingerprintList[] = [];
  end = 0;
  readonly #file: number;
  readonly #kernel: Kernel;

  constructor(file: number, kernel: Kernel) {
    this.#file = file;
    this.#kernel = kernel;
  }

  /**
   * Writes the lists of a view.
   *
   * @param sorted    fingerprints of all windows, or keys of all lines (see `Window`)
   * @param contents  content of each window or line
   * @param distance  maximum distance of near fingerprints
   */
  write(view: ListView, sorted: Uint32Array, contents: Uint32Array, distance: number): void {
    this.lists.push({
      ...this.#add(view, 0, sorted),
      contents: this.#append(contents),
      languages: view === phraseView ? languagesOf(sorted) : undefined,
    });
    const fingerprints = distinct(sorted);
    for (const { start } of blocksFor(distance).slice(1)) {
      const rotated = new Uint32Array(fingerprints.length);
      for (let i = 0; i < rotated.length; i += 2) {
        [rotated[i + 1], rotated[i]] = rotate(fingerprints[i + 1]!, fingerprints[i]!, start);
      }
      this.lists.push(this.#add(view, start, sortFingerprints(this.#kernel, rotated).sorted));
    }
  }

  #add(view: ListView, rotation: number, sorted: Uint32Array): FingerprintList {
    const count = sorted.length / 2;
    const bucketBits = Math.max(0, Math.min(maxBucketBits, Math.ceil(Math.log2(count / bucketSize + 1))));
    const buckets = new Uint32Array(2 ** bucketBits + 1);
    for (let at = 1; at < sorted.length; at += 2) buckets[1 + leading(sorted[at]!, bucketBits)]!++;
    for (let bucket = 1; bucket < buckets.length; bucket++) buckets[bucket]! += buckets[bucket - 1]!;
    return { view, rotation, count, bucketBits, fingerprints: this.#append(sorted), buckets: this.#append(buckets) };
  }

  /** Returns the place of the words in the file. */
  #append(words: Uint32Array): number {
    const place = this.end;
    writeFileSync(this.#file, words);
    this.end += words.byteLength;
    return place;
  }
}

function languagesOf(sorted: Uint32Array): number[] {
  const languages = new Set<number>();
  for (let at = 0; at < sorted.length; at += 2) languages.add(languageOfKey(sorted[at]!));
  return [...languages];
}

/** Returns the leading bits of a fingerprint, given its upper half. */
function leading(high: number, bits: number): number {
  return bits === 0 ? 0 : high >>> (32 - bits);
}

/**
 * Maximum size in bytes of a file that is read at once: a search makes about a thousand reads of each file, which take
 * longer (bench/results/2026-11-28-many-partitions.md).
 */
const maxWholeBytes = 2 ** 20;

export class ListReader {
  readonly #file: number;
  /** The file in memory, if it is small. */
  readonly #whole: Uint32Array | undefined;
  #words = new Uint32Array(1_024);

  /** @param bytes  size of the file; 0 if only a few large parts are read */
  constructor(file: number, bytes: number) {
    this.#file = file;
    if (bytes === 0 || bytes > maxWholeBytes) return;
    this.#whole = new Uint32Array(Math.ceil(bytes / 4));
    readSync(file, this.#whole, 0, bytes, 0);
  }

  /**
   * Calls `receive` for all fingerprints of a list whose leading bits equal those of the given fingerprint. May also
   * call it for other fingerprints.
   *
   * @param bits     number of leading bits to compare
   * @param receive  gets both halves of a fingerprint, rotated as in the list, and its index in the list
   */
  forEachNear(
    list: FingerprintList,
    high: number,
    bits: number,
    receive: (high: number, low: number, place: number) => void,
  ): void {
    const [from, to] = this.#rangeOf(list, high, bits);
    const words = this.#read(list.fingerprints + 8 * from, 2 * (to - from));
    for (let i = 0; i < to - from; i++) receive(words[2 * i + 1]!, words[2 * i]!, from + i);
  }

  /** Returns all fingerprints of a list, lower half first. */
  fingerprints({ fingerprints, count }: FingerprintList): Uint32Array {
    return this.#read(fingerprints, 2 * count).slice(0, 2 * count);
  }

  /** Returns the contents of the windows [from, to) of a list. */
  contents({ contents }: FingerprintList, from: number, to: number): Uint32Array {
    return this.#read(contents!, to - from, from).slice(0, to - from);
  }

  /** Returns the range [from, to) of the fingerprints with the same leading bits. */
  #rangeOf({ buckets, bucketBits }: FingerprintList, high: number, bits: number): [from: number, to: number] {
    const own = leading(high, Math.min(bits, bucketBits));
    const missing = Math.max(0, bucketBits - bits);
    const [first, last] = [own * 2 ** missing, (own + 1) * 2 ** missing];
    const from = this.#read(buckets, 1, first)[0]!;
    return [from, this.#read(buckets, 1, last)[0]!];
  }

  /** Reads `count` 32-bit words. The result is valid until the next call. */
  #read(position: number, count: number, skipped = 0): Uint32Array {
    const first = position / 4 + skipped;
    if (this.#whole) return this.#whole.subarray(first, first + count);
    if (count > this.#words.length) this.#words = new Uint32Array(2 * count);
    const wordBytes = new Uint8Array(this.#words.buffer, 0, 4 * count);
    readSync(this.#file, wordBytes, 0, wordBytes.length, 4 * first);
    return this.#words;
  }
}
