/**
 * Finds all pairs of fingerprints within k bits (the batch version of Manku, Jain, Das Sarma 2007, section 3.2). For
 * each choice of m − k of the m blocks, compares the fingerprints that agree on these blocks. Every pair within k bits
 * agrees on at least one choice.
 *
 * Choices that begin with the same blocks share the first step:
 *
 *   m = 5, k = 3:   A ─┬─ B        1. scatter all fingerprints by a hash of block A into parts that fit the
 *                      ├─ C           nearest cache; then of B, of C, of D
 *                      ├─ D        2. in each part, chain those that agree on A and B as well; then, while
 *                      └─ E           the part is in that cache, on A and C; …
 *                   B ─┬─ C …
 *
 * A pair that agrees on several choices is reported only for the first of them. This is the choice for which the pair
 * does not agree on any earlier block outside of the choice. Equal fingerprints agree on every choice, so they are
 * found with the first one; then duplicates are removed and the search restarts. The loops are in
 * src/core/kernel/pairs.ts.
 */
import wasm from '../core/kernel/pairs.wasm';
import * as layout from '../core/kernel/pairLayout.ts';
import type { PairsExports } from '../core/kernel/pairsExports.ts';
import { fromWords, hammingDistance, pack, sortedDistinct, unpack } from '../core/methods/bits.ts';
import { checkDesign, chosenBlocks, type ChosenBlocks, tableCount } from '../core/methods/permutation.ts';

/** Maximum number of fingerprints at which comparing all pairs is faster than setting up the kernel. */
const fewFingerprints = 256;
/** Maximum number of fingerprints: 2^26, so that everything fits in 4 GiB. */
const maxFingerprints = 0x4000000;
/** Number of fingerprints in a part. A part and its chains fit in the first-level cache. */
const partLength = 512;
/** Maximum number of bits in a part number. More than 4,096 parts would exceed the address-translation cache. */
const maxPartBits = 12;
/**
 * Approximate number of fingerprints that one call of the kernel joins. A later call may run faster machine code,
 * because the engine optimizes in the background.
 */
const fingerprintsAtOnce = 65_536;
/** Number of fingerprints whose pairs one call compares. It is small enough that they stay in the fastest cache. */
const rowsAtOnce = 1_024;
/**
 * Cost of processing one fingerprint in a table, and cost of one pair that agrees on the table's blocks, both in
 * comparisons of a pair. The measured times are 6, 2, and 0.6 ns (bench/results/2026-11-21-find-all.md).
 */
const stepCost = 10;
const linkCost = 3;

/**
 * Returns every unordered pair of distinct fingerprints that differ in at most `distance` bits. `blocks` affects only
 * the time, not the result. The best value is distance + 1 for hundreds of thousands of fingerprints and distance + 2
 * for millions; more blocks help only beyond that (`npm run bench -- find-all`).
 *
 * Cost: C(blocks, blocks − distance) × n steps of about 6 ns, and one step for each pair that agrees on a choice of
 * blocks. If comparing all pairs costs less, all pairs are compared instead. Memory: about 20 bytes for each
 * fingerprint and 32 for each pair.
 *
 * @param hashes    fewer than 2^26; repetitions do not matter; a BigUint64Array is fastest
 * @param blocks    1 to 64, more than `distance`, with at most 100,000 choices
 * @param distance  0 to 63
 * @returns pairs [a, b] with a < b, ascending by a, then b; empty for fewer than two distinct fingerprints
 * @throws TypeError, RangeError naming `hashes`, `blocks` or `distance`
 * @example
 * ```js
 * findAll([0b0000n, 0b0011n, 0b1111n], 4, 2); // [[0n, 3n], [3n, 15n]]
 * ```
 */
export function findAll(hashes: Iterable<bigint>, blocks: number, distance: number): [bigint, bigint][] {
  checkDesign(blocks, distance);
  const pairs = findPairs(pack(hashes, 'hashes'), blocks, distance);
  return Array.from({ length: pairs.length / 2 }, (_, i) => [pairs[2 * i], pairs[2 * i + 1]]);
}

/**
 * Same as `findAll`, with packed arguments and results. The result contains a and b of each pair, one pair after the
 * other.
 *
 * @param hashes   not changed
 * @param blocks,  distance a design that `checkDesign` accepts
 * @throws RangeError if there are 2^26 hashes or more
 */
export function findPairs(hashes: BigUint64Array, blocks: number, distance: number): BigUint64Array {
  if (hashes.length >= maxFingerprints) {
    throw new RangeError(`hashes must be fewer than ${maxFingerprints}, not ${hashes.length}.`);
  }
  if (distance === 0) return new BigUint64Array(0);
  if (hashes.length <= fewFingerprints) return compareFew(hashes, distance);
  const search = new Search(hashes, distance);
  if (comparesAll(hashes.length, blocks, distance)) search.compareAll();
  else for (const group of groupsOf(blocks, distance)) search.findInGroup(group);
  return search.result();
}

/** Returns true if comparing all pairs of n random fingerprints costs less than searching them with tables. */
export function comparesAll(n: number, blocks: number, distance: number): boolean {
  const all = (n * n) / 2;
  const keyBits = (64 * (blocks - distance)) / blocks;
  return tableCount(blocks, distance) * (stepCost * n + (linkCost * all) / 2 ** keyBits) > all;
}

function compareFew(hashes: BigUint64Array, distance: number): BigUint64Array {
  const { high, low } = sortedDistinct(unpack(hashes));
  const pairs: bigint[] = [];
  for (let i = 0; i < high.length; i++) {
    for (let j = i + 1; j < high.length; j++) {
      if (hammingDistance(high[i], low[i], high[j], low[j]) > distance) continue;
      pairs.push(fromWords(high[i], low[i]), fromWords(high[j], low[j]));
    }
  }
  return BigUint64Array.from(pairs);
}

/** Choices of blocks that share all blocks but the last. Fingerprints are scattered by a hash of the shared bits. */
interface Group {
  readonly shared: bigint;
  readonly choices: readonly ChosenBlocks[];
}

function groupsOf(blocks: number, distance: number): Group[] {
  const groups = new Map<bigint, { shared: bigint; choices: ChosenBlocks[] }>();
  for (const choice of chosenBlocks(blocks, distance)) {
    const { blockMasks, mask } = choice;
    // Choices are grouped by all of their blocks but the last. If a choice has a single block, use that block.
    const shared = blockMasks.length === 1 ? mask : mask ^ blockMasks[blockMasks.length - 1];
    const group = groups.get(shared) ?? { shared, choices: [] };
    group.choices.push(choice);
    groups.set(shared, group);
  }
  return [...groups.values()];
}

/** Size in bytes of a choice in the form that the kernel reads. A choice has at most 64 masks of excluded blocks. */
const choiceBytes = layout.choiceHeadBytes + 64 * 8;

const pairsModule = new WebAssembly.Module(wasm);
const pageBytes = 65_536;
const maxPages = 65_536;

/** A search for pairs, with memory of its own. */
class Search {
  readonly #memory = new WebAssembly.Memory({ initial: 1, maximum: maxPages });
  readonly #kernel = new WebAssembly.Instance(pairsModule, { env: { memory: this.#memory } })
    .exports as unknown as PairsExports;
  /** Number of bytes in use. The first ones are reserved for constants of the kernel. */
  #used = 1024;
  /** Address of the record of the search, for the kernel. */
  readonly #record: number;
  #count: number;
  readonly #fingerprints: number;
  readonly #parts: number;
  readonly #partBits: number;
  readonly #starts: number;
  readonly #choices: number;
  /** Addresses of memory for chains, and its capacity as a number of fingerprints. */
  #chains = { heads: 0, next: 0, room: 0 };
  #pairs: { readonly address: number; readonly room: number };
  #found = 0;

  constructor(hashes: BigUint64Array, distance: number) {
    const n = hashes.length;
    this.#record = this.#allocate(layout.pairSearchBytes);
    this.#count = n;
    this.#fingerprints = this.#allocate(8 * n);
    this.#parts = this.#allocate(8 * n);
    this.#partBits = Math.max(1, Math.min(maxPartBits, Math.ceil(Math.log2(n / partLength))));
    this.#starts = this.#allocate(4 * (2 ** this.#partBits + 1));
    this.#choices = this.#allocate(64 * choiceBytes);
    // Reserve plenty of memory. Memory that is never written costs nothing.
    this.#pairs = { address: this.#allocate(layout.pairBytes * n), room: n };
    this.#set(layout.pairSearchDistanceAt, distance);
    this.#set(layout.pairSearchPartsAt, this.#parts);
    this.#set(layout.pairSearchStartsAt, this.#starts);
    this.#set(layout.pairSearchChoicesAt, this.#choices);
    this.#set(layout.pairSearchChoiceBytesAt, choiceBytes);
    new BigUint64Array(this.#memory.buffer, this.#fingerprints, n).set(hashes);
  }

  findInGroup({ shared, choices }: Group): void {
    this.#scatter(shared);
    choices.forEach(({ mask, earlierMasks }, i) => {
      const record = new BigUint64Array(this.#memory.buffer, this.#choices + i * choiceBytes, choiceBytes >>> 3);
      record[layout.choiceHeadMaskAt >>> 3] = mask;
      record[layout.choiceHeadLeftOutAt >>> 3] = BigInt(earlierMasks.length);
      record.set(earlierMasks, layout.choiceHeadBytes >>> 3);
    });
    const parts = 2 ** this.#partBits;
    const step = Math.max(1, Math.floor((parts * fingerprintsAtOnce) / this.#count));
    this.#set(layout.pairSearchChoiceCountAt, choices.length);
    for (let first = 0; first < parts; first += step) {
      const end = Math.min(parts, first + step);
      if (this.#withRoom(() => this.#kernel.joinParts(this.#record, first, end))) continue;
      // Equal fingerprints agree on every choice, so this can only happen in the first group of choices. Remove the
      // duplicates, and search the group again.
      this.#dropEqual();
      this.findInGroup({ shared, choices });
      return;
    }
  }

  compareAll(): void {
    for (let first = 0; first < this.#count; first += rowsAtOnce) {
      const end = Math.min(this.#count, first + rowsAtOnce);
      const compare = () => this.#kernel.compareRows(this.#record, this.#fingerprints, this.#count, first, end);
      if (this.#withRoom(compare)) continue;
      this.#scatter(2n ** 64n - 1n);
      this.#dropEqual();
      this.compareAll();
      return;
    }
  }

  result(): BigUint64Array {
    const { address } = this.#pairs;
    const other = this.#allocate(layout.pairBytes * this.#found);
    this.#kernel.sortPairs(address, other, this.#found, this.#allocate(4 * layout.pairCounts));
    return new BigUint64Array(this.#memory.buffer, address, 2 * this.#found).slice();
  }

  #scatter(mask: bigint): void {
    const longest = this.#kernel.scatter(
      this.#fingerprints,
      this.#count,
      mask,
      this.#partBits,
      this.#starts,
      this.#parts,
    );
    if (longest <= this.#chains.room) return;
    this.#chains = { heads: this.#allocate(16 * longest), next: this.#allocate(4 * longest), room: longest };
    this.#set(layout.pairSearchHeadsAt, this.#chains.heads);
    this.#set(layout.pairSearchNextAt, this.#chains.next);
    this.#set(layout.pairSearchLinkedAt, this.#allocate(4 * longest));
  }

  // Removes duplicates among the scattered fingerprints. Precondition: no pair has been counted yet.
  #dropEqual(): void {
    const { heads, next } = this.#chains;
    this.#count = this.#kernel.distinct(this.#parts, this.#starts, this.#partBits, heads, next, this.#fingerprints);
    this.#found = 0;
  }

  /**
   * Calls a kernel function that writes pairs, and keeps the pairs.
   *
   * @param find  writes pairs, and returns 0 if there were equal fingerprints; called again if the room is too small
   * @returns false if there were equal fingerprints
   */
  #withRoom(find: () => number): boolean {
    for (;;) {
      this.#set(layout.pairSearchPairsAt, this.#pairs.address);
      this.#set(layout.pairSearchRoomAt, this.#pairs.room);
      this.#set(layout.pairSearchFoundAt, this.#found);
      if (find() === 0) return false;
      const found = new Uint32Array(this.#memory.buffer, this.#record + layout.pairSearchFoundAt, 1)[0];
      if (found <= this.#pairs.room) {
        this.#found = found;
        return true;
      }
      const room = 2 * found;
      const address = this.#allocate(layout.pairBytes * room);
      const { address: before } = this.#pairs;
      new Uint8Array(this.#memory.buffer).copyWithin(address, before, before + layout.pairBytes * this.#found);
      this.#pairs = { address, room };
    }
  }

  #set(field: number, value: number): void {
    new Uint32Array(this.#memory.buffer, this.#record + field, 1)[0] = value;
  }

  /**
   * Allocates memory. Returns its address.
   *
   * @throws RangeError  if the 4 GiB are exhausted
   */
  #allocate(size: number): number {
    const address = this.#used;
    this.#used += Math.ceil(size / 16) * 16;
    if (this.#used > maxPages * pageBytes) {
      throw new RangeError('hashes have more pairs within the distance than fit in 4 GiB.');
    }
    const missing = this.#used - this.#memory.buffer.byteLength;
    if (missing > 0) this.#memory.grow(Math.ceil(missing / pageBytes));
    return address;
  }
}
