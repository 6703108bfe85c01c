/**
 * All pairs of fingerprints within k bits (Manku, Jain, Das Sarma 2007, section 3.2; as a batch). For each choice of
 * m − k of the m blocks, fingerprints that agree on these blocks are brought together and compared; every pair within k
 * bits agrees on some choice.
 *
 * Choices that begin with the same blocks share the first step:
 *
 *   m = 5, k = 3:   A ─┬─ B        1. scatter all fingerprints by a hash of block A into parts that fit the
 *                      ├─ C           nearest cache; then of B, of C, of D
 *                      ├─ D        2. in each part, chain those that agree on A and B as well; then on A
 *                      └─ E           and C; …
 *                   B ─┬─ C …
 *
 * A pair that agrees on several choices is reported for the first of them only, which the pair itself tells: no earlier
 * block that the choice leaves out may agree. The loops are in src/kernel/pairs.ts.
 */
import wasm from '../kernel/pairs.wasm';
import { hammingDistance, pack, unpack } from './bits.ts';
import { blockChoices, blockStarts, checkDesign, tableCount } from './permutation.ts';

/** Up to so many, comparing all is faster than setting up the search. */
const fewFingerprints = 512;
/** 2^26: two places fit in one exact number, and everything in 4 GiB. */
const mostFingerprints = 0x4000000;
/** Fingerprints in a part: with their chains they lie in a first-level cache. */
const partLength = 512;
/** Bits that number the parts: past 4,096 the scattering runs out of address translations. */
const mostPartBits = 12;

/**
 * Every unordered pair of different fingerprints that differ in at most `distance` bits. None is missing, whatever `blocks`
 * is: it decides the time only. The best is distance + 1 for some hundred thousand fingerprints and distance + 2 for
 * millions; more blocks pay only past that (`npm run bench -- find-all`).
 *
 * Cost: C(blocks, blocks − distance) × n steps of some 10 ns, and one for each pair that agrees on a choice of blocks; when
 * comparing all pairs is less, that is done. About 40 bytes for each fingerprint.
 *
 * @param hashes    fewer than 2^26; repetitions do not matter; a BigUint64Array is fastest
 * @param blocks    1 to 64, more than `distance`, with at most 100,000 choices
 * @param distance  0 to 63
 * @returns         pairs [a, b] with a < b, ascending by a, then b; empty for fewer than two different fingerprints
 * @throws TypeError, RangeError  naming `hashes`, `blocks` or `distance`
 */
export function findAll(hashes: Iterable<bigint>, blocks: number, distance: number): [bigint, bigint][] {
  checkDesign(blocks, distance);
  const { fingerprints, pairs } = findPlaces(pack(hashes, 'hashes'), blocks, distance);
  return Array.from({ length: pairs.length / 2 }, (_, i) => [
    fingerprints[pairs[2 * i]],
    fingerprints[pairs[2 * i + 1]],
  ]);
}

/** Different fingerprints, ascending, and pairs of them. */
export interface PlacedPairs {
  readonly fingerprints: BigUint64Array;
  /** Places i, j of each pair in turn, i < j; ascending by i, then j. */
  readonly pairs: Uint32Array;
}

/**
 * The same without a bigint made: fingerprints stay packed, and pairs are places.
 *
 * @param hashes            kept as they are
 * @param blocks, distance  a design that `checkDesign` accepts
 * @throws RangeError  when there are 2^26 hashes or more
 */
export function findPlaces(hashes: BigUint64Array, blocks: number, distance: number): PlacedPairs {
  if (hashes.length >= mostFingerprints) {
    throw new RangeError(`hashes must be fewer than ${mostFingerprints}, not ${hashes.length}.`);
  }
  if (hashes.length <= Math.max(fewFingerprints, 2 * tableCount(blocks, distance))) return compareAll(hashes, distance);
  const search = new Search(hashes);
  if (distance > 0) for (const group of groupsOf(blocks, distance)) search.findInGroup(group, distance);
  return search.result();
}

function compareAll(hashes: BigUint64Array, distance: number): PlacedPairs {
  const fingerprints = hashes
    .slice()
    .sort()
    .filter((fingerprint, i, sorted) => i === 0 || fingerprint !== sorted[i - 1]);
  const { high, low } = unpack(fingerprints);
  const pairs: number[] = [];
  for (let i = 0; i < high.length; i++) {
    for (let j = i + 1; j < high.length; j++) {
      if (hammingDistance(high[i], low[i], high[j], low[j]) <= distance) pairs.push(i, j);
    }
  }
  return { fingerprints, pairs: Uint32Array.from(pairs) };
}

/** Choices of blocks that share what the fingerprints are first scattered by. Masks have the bits of these blocks. */
interface Group {
  readonly shared: bigint;
  readonly choices: readonly Choice[];
}

interface Choice {
  readonly mask: bigint;
  /** The blocks before the last chosen one that are not chosen: a pair that agrees on one has an earlier choice. */
  readonly leftOut: readonly bigint[];
}

function groupsOf(blocks: number, distance: number): Group[] {
  const starts = blockStarts(blocks);
  const masks = starts
    .slice(1)
    .map((end, block) => BigInt.asUintN(64 - starts[block], -1n) & ~BigInt.asUintN(64 - end, -1n));
  const maskOf = (chosen: readonly number[]): bigint => chosen.reduce((mask, block) => mask | masks[block], 0n);
  const chosen = blocks - distance;
  const groups = new Map<bigint, { shared: bigint; choices: Choice[] }>();
  for (const choice of blockChoices(blocks, chosen)) {
    const leftOut = masks.slice(0, choice[chosen - 1]).filter((_, block) => !choice.includes(block));
    // A choice of one block shares nothing with another.
    const shared = maskOf(chosen === 1 ? choice : choice.slice(0, -1));
    const group = groups.get(shared) ?? { shared, choices: [] };
    group.choices.push({ mask: maskOf(choice), leftOut });
    groups.set(shared, group);
  }
  return [...groups.values()];
}

/** Functions of src/kernel/pairs.ts. Addresses, counts and bits are numbers, masks are bigints. */
interface PairsKernel {
  readonly sortDistinct: (...args: number[]) => number;
  readonly scatter: (...args: (number | bigint)[]) => number;
  readonly joinParts: (...args: (number | bigint)[]) => number;
}

const pairsModule = new WebAssembly.Module(wasm);
const pageBytes = 65_536;
const mostPages = 65_536;

/** One search: fingerprints in a memory of its own, which is given back with it. */
class Search {
  readonly #memory = new WebAssembly.Memory({ initial: 1, maximum: mostPages });
  readonly #kernel = new WebAssembly.Instance(pairsModule, { env: { memory: this.#memory } })
    .exports as unknown as PairsKernel;
  /** Bytes in use. The first are left out, as the kernel's constants would be there if it had any. */
  #used = 1024;
  readonly #count: number;
  readonly #fingerprints: number;
  readonly #parts: number;
  readonly #places: number;
  readonly #partBits: number;
  readonly #starts: number;
  readonly #leftOut: number;
  /** Room for the chains of the longest part so far. */
  #chains = { heads: 0, next: 0, room: 0 };
  #pairs = { address: 0, room: 0, found: 0 };

  constructor(hashes: BigUint64Array) {
    const n = hashes.length;
    this.#parts = this.#allocate(8 * n);
    this.#fingerprints = this.#allocate(8 * n);
    this.#places = this.#allocate(4 * n);
    this.#partBits = Math.max(1, Math.min(mostPartBits, Math.ceil(Math.log2(n / partLength))));
    this.#starts = this.#allocate(4 * (2 ** this.#partBits + 1));
    this.#leftOut = this.#allocate(8 * 64);
    new BigUint64Array(this.#memory.buffer, this.#parts, n).set(hashes);
    this.#count = this.#kernel.sortDistinct(this.#parts, this.#fingerprints, n, this.#allocate(4 * 2048));
  }

  findInGroup({ shared, choices }: Group, distance: number): void {
    const longest = this.#kernel.scatter(
      ...[this.#fingerprints, this.#count, shared, this.#partBits],
      ...[this.#starts, this.#parts, this.#places],
    );
    if (longest > this.#chains.room) {
      this.#chains = { heads: this.#allocate(16 * longest), next: this.#allocate(4 * longest), room: longest };
    }
    for (const choice of choices) this.#join(choice, distance);
  }

  #join({ mask, leftOut }: Choice, distance: number): void {
    for (;;) {
      new BigUint64Array(this.#memory.buffer, this.#leftOut, leftOut.length).set(leftOut);
      // A count past 2^31 comes back negative.
      const found =
        this.#kernel.joinParts(
          ...[this.#parts, this.#places, this.#starts, this.#partBits, mask, distance, this.#leftOut, leftOut.length],
          ...[this.#chains.heads, this.#chains.next, this.#pairs.address, this.#pairs.room, this.#pairs.found],
        ) >>> 0;
      if (found <= this.#pairs.room) {
        this.#pairs.found = found;
        return;
      }
      // Too little room: once more, with room for these and as many again.
      const room = 2 * found;
      const address = this.#allocate(8 * room);
      new Uint8Array(this.#memory.buffer).copyWithin(
        address,
        this.#pairs.address,
        this.#pairs.address + 8 * this.#pairs.found,
      );
      this.#pairs = { address, room, found: this.#pairs.found };
    }
  }

  result(): PlacedPairs {
    const unordered = new Uint32Array(this.#memory.buffer, this.#pairs.address, 2 * this.#pairs.found);
    // Both places in one exact number.
    const keys = new Float64Array(this.#pairs.found);
    for (let i = 0; i < keys.length; i++) keys[i] = unordered[2 * i] * mostFingerprints + unordered[2 * i + 1];
    keys.sort();
    const pairs = new Uint32Array(2 * keys.length);
    for (let i = 0; i < keys.length; i++) {
      pairs[2 * i] = Math.floor(keys[i] / mostFingerprints);
      pairs[2 * i + 1] = keys[i] % mostFingerprints;
    }
    return { fingerprints: new BigUint64Array(this.#memory.buffer, this.#fingerprints, this.#count).slice(), pairs };
  }

  /**
   * The address of `size` fresh bytes.
   *
   * @throws RangeError  when 4 GiB are used up
   */
  #allocate(size: number): number {
    const address = this.#used;
    this.#used += Math.ceil(size / 16) * 16;
    if (this.#used > mostPages * pageBytes) {
      throw new RangeError('hashes have more pairs within the distance than fit in 4 GiB.');
    }
    const missing = this.#used - this.#memory.buffer.byteLength;
    if (missing > 0) this.#memory.grow(Math.ceil(missing / pageBytes));
    return address;
  }
}
