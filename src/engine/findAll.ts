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
 * block that the choice leaves out may agree.
 */
import { fromWords, hammingDistance, pack, popcount32, sortedDistinct, unpack, type Words } from './bits.ts';
import { blockChoices, blockStarts, checkDesign, tableCount } from './permutation.ts';

/** Fingerprints in a part: 512 of 8 bytes, with their chains, lie in a first-level cache. Measured against 1,024 to 4,096. */
const partLength = 512;
/** 2^26: two places fit in one exact number. */
const placesInKey = 0x4000000;
/** Bits that number the parts: past 4,096 the scattering runs out of address translations. */
const mostPartBits = 12;

/**
 * Every unordered pair of different fingerprints that differ in at most `distance` bits. None is missing, whatever `blocks`
 * is: it decides the time only. The best is distance + 1 for some ten thousand fingerprints and distance + 2 or + 3 for
 * millions.
 *
 * Cost: C(blocks, blocks − distance) × n steps of some 15 ns, and one for each pair that agrees on a choice of blocks; when
 * comparing all pairs is less, that is done.
 *
 * @param hashes    fewer than 2^26 different ones; repetitions do not matter; a BigUint64Array is fastest
 * @param blocks    1 to 64, more than `distance`, with at most 100,000 choices
 * @param distance  0 to 63
 * @returns         pairs [a, b] with a < b, ascending by a, then b; empty for fewer than two different fingerprints
 * @throws TypeError, RangeError  naming `hashes`, `blocks` or `distance`
 */
export function findAll(hashes: Iterable<bigint>, blocks: number, distance: number): [bigint, bigint][] {
  checkDesign(blocks, distance);
  const { high, low } = sortedDistinct(unpack(pack(hashes, 'hashes')));
  if (high.length >= placesInKey) {
    throw new RangeError(`hashes must hold fewer than ${placesInKey} different ones, not ${high.length}.`);
  }
  const places = findAllWords(high, low, blocks, distance);
  return Array.from({ length: places.length / 2 }, (_, i) => [
    fromWords(high[places[2 * i]], low[places[2 * i]]),
    fromWords(high[places[2 * i + 1]], low[places[2 * i + 1]]),
  ]);
}

/**
 * The same on words.
 *
 * @param high, low  n different fingerprints, ascending; n below 2^26
 * @param blocks, distance  a design that `checkDesign` accepts
 * @returns  places i, j of each pair in turn, i < j; ascending by i, then j
 */
export function findAllWords(high: Uint32Array, low: Uint32Array, blocks: number, distance: number): Uint32Array {
  const words = { high, low };
  const pairs = new Pairs();
  if (distance > 0) {
    if (high.length <= 2 * tableCount(blocks, distance)) compareAll(words, distance, pairs);
    else for (const group of groupsOf(blocks, distance)) findInGroup(words, group, distance, pairs);
  }
  return pairs.sorted();
}

/** Bits of a fingerprint, as words. */
interface Mask {
  readonly high: number;
  readonly low: number;
}

/** Choices of blocks that share what the fingerprints are first scattered by. */
interface Group {
  readonly shared: Mask;
  readonly choices: readonly Choice[];
}

interface Choice {
  readonly mask: Mask;
  /** The blocks before the last chosen one that are not chosen: a pair that agrees on one has an earlier choice. */
  readonly leftOut: readonly Mask[];
}

/** Pairs of places, growing. */
class Pairs {
  #keys = new Float64Array(1024);
  #count = 0;

  add(i: number, j: number): void {
    if (this.#count === this.#keys.length) {
      const keys = new Float64Array(2 * this.#count);
      keys.set(this.#keys);
      this.#keys = keys;
    }
    this.#keys[this.#count++] = Math.min(i, j) * placesInKey + Math.max(i, j);
  }

  sorted(): Uint32Array {
    const keys = this.#keys.subarray(0, this.#count).sort();
    const places = new Uint32Array(2 * keys.length);
    for (let pair = 0; pair < keys.length; pair++) {
      places[2 * pair] = Math.floor(keys[pair] / placesInKey);
      places[2 * pair + 1] = keys[pair] % placesInKey;
    }
    return places;
  }
}

function compareAll({ high, low }: Words, distance: number, pairs: Pairs): void {
  for (let i = 0; i < high.length; i++) {
    for (let j = i + 1; j < high.length; j++) {
      if (hammingDistance(high[i], low[i], high[j], low[j]) <= distance) pairs.add(i, j);
    }
  }
}

function groupsOf(blocks: number, distance: number): Group[] {
  const starts = blockStarts(blocks);
  const maskOf = (chosen: readonly number[]): Mask => {
    let [maskHigh, maskLow] = [0, 0];
    for (const block of chosen) {
      for (let bit = starts[block]; bit < starts[block + 1]; bit++) {
        if (bit < 32) maskHigh |= 1 << (31 - bit);
        else maskLow |= 1 << (63 - bit);
      }
    }
    return { high: maskHigh, low: maskLow };
  };
  const chosen = blocks - distance;
  const groups: { sharedBlocks: string; shared: Mask; choices: Choice[] }[] = [];
  for (const choice of blockChoices(blocks, chosen)) {
    const last = choice[chosen - 1];
    const leftOut = Array.from({ length: last }, (_, block) => block).filter((block) => !choice.includes(block));
    // A choice of one block shares nothing.
    const shared = chosen === 1 ? choice : choice.slice(0, -1);
    // Choices are in lexicographic order, so those that share blocks follow each other.
    let group = groups.at(-1);
    if (group?.sharedBlocks !== shared.join()) {
      group = { sharedBlocks: shared.join(), shared: maskOf(shared), choices: [] };
      groups.push(group);
    }
    group.choices.push({ mask: maskOf(choice), leftOut: leftOut.map((block) => maskOf([block])) });
  }
  return groups;
}

function findInGroup(words: Words, group: Group, distance: number, pairs: Pairs): void {
  const parts = scatter(words, group.shared);
  const next = new Int32Array(words.high.length);
  // Twice as many chains as fingerprints in the largest part keep chains short.
  let longest = 0;
  for (let part = 0; part + 1 < parts.starts.length; part++) {
    longest = Math.max(longest, parts.starts[part + 1] - parts.starts[part]);
  }
  const heads = new Int32Array(2 ** slotBits(longest));
  for (let part = 0; part + 1 < parts.starts.length; part++) {
    const [start, end] = [parts.starts[part], parts.starts[part + 1]];
    if (end - start < 2) continue;
    for (const choice of group.choices) findInPart(parts, start, end, { ...choice, distance, heads, next, pairs });
  }
}

function slotBits(length: number): number {
  return Math.max(4, Math.ceil(Math.log2(2 * length)));
}

/** The fingerprints, each with its place in the input, put into parts: part p is at [starts[p], starts[p + 1]). */
interface Parts extends Words {
  readonly places: Uint32Array;
  readonly starts: Uint32Array;
}

/** Fingerprints that agree on all bits of `mask` come into the same part; in a part they are in the order of the input. */
function scatter({ high, low }: Words, mask: Mask): Parts {
  const n = high.length;
  const bits = Math.max(1, Math.min(mostPartBits, Math.ceil(Math.log2(n / partLength))));
  const shift = 32 - bits;
  const starts = new Uint32Array((1 << bits) + 1);
  const [maskHigh, maskLow] = [mask.high, mask.low];
  for (let i = 0; i < n; i++) starts[(digest(high[i] & maskHigh, low[i] & maskLow) >>> shift) + 1]++;
  for (let part = 0; part < 1 << bits; part++) starts[part + 1] += starts[part];
  const ends = starts.slice();
  const parts = { high: new Uint32Array(n), low: new Uint32Array(n), places: new Uint32Array(n), starts };
  for (let i = 0; i < n; i++) {
    const place = ends[digest(high[i] & maskHigh, low[i] & maskLow) >>> shift]++;
    parts.high[place] = high[i];
    parts.low[place] = low[i];
    parts.places[place] = i;
  }
  return parts;
}

/** A hash of two words in which the upper bits depend on all bits of both. */
function digest(high: number, low: number): number {
  let hash = Math.imul(high, 0x85ebca6b);
  hash = Math.imul((hash ^ (hash >>> 15)) + low, 0xc2b2ae35);
  return Math.imul(hash ^ (hash >>> 15), 0x9e3779b1);
}

interface PartSearch extends Choice {
  readonly distance: number;
  readonly heads: Int32Array;
  readonly next: Int32Array;
  readonly pairs: Pairs;
}

/** The pairs in [start, end) of the parts that agree on all bits of the mask. */
function findInPart({ high, low, places }: Parts, start: number, end: number, search: PartSearch): void {
  const { distance, heads, next, pairs, leftOut } = search;
  const [maskHigh, maskLow] = [search.mask.high, search.mask.low];
  const bits = slotBits(end - start);
  const shift = 32 - bits;
  heads.fill(-1, 0, 2 ** bits);
  for (let i = start; i < end; i++) {
    const iHigh = high[i];
    const iLow = low[i];
    const slot = digest(iLow & maskLow, iHigh & maskHigh) >>> shift;
    // The chain of a slot: all earlier ones of this part with the same digest.
    for (let j = heads[slot]; j >= 0; j = next[j]) {
      const differingHigh = iHigh ^ high[j];
      const differingLow = iLow ^ low[j];
      if (((differingHigh & maskHigh) | (differingLow & maskLow)) !== 0) continue;
      if (popcount32(differingHigh) + popcount32(differingLow) > distance) continue;
      if (isFirstChoice(leftOut, differingHigh, differingLow)) pairs.add(places[i], places[j]);
    }
    next[i] = heads[slot];
    heads[slot] = i;
  }
}

function isFirstChoice(leftOut: readonly Mask[], differingHigh: number, differingLow: number): boolean {
  for (const mask of leftOut) if (((differingHigh & mask.high) | (differingLow & mask.low)) === 0) return false;
  return true;
}
