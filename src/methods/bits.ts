/**
 * The arithmetic of 64-bit hashes and fingerprints. Outside they are `bigint`; inside they are pairs of unsigned 32-bit
 * words, since a step on words costs a few nanoseconds and one on bigints some seventy.
 */
import { checkHash, checkIterable } from './checkArgument.ts';

/** Bits in a hash and in a fingerprint. */
export const fingerprintBits = 64;

/** n 64-bit numbers as words: number i is `high[i]` × 2^32 + `low[i]`. Both arrays have n elements. */
export interface Words {
  readonly high: Uint32Array;
  readonly low: Uint32Array;
}

/** How many of the 32 bits of `word` are set (Warren 2012, section 5-1). */
export function popcount32(word: number): number {
  word -= (word >>> 1) & 0x55555555;
  word = (word & 0x33333333) + ((word >>> 2) & 0x33333333);
  word = (word + (word >>> 4)) & 0x0f0f0f0f;
  return Math.imul(word, 0x01010101) >>> 24;
}

/** How many bits two 64-bit numbers differ in, 0 to 64 (Hamming 1950). It is a metric. */
export function hammingDistance(aHigh: number, aLow: number, bHigh: number, bLow: number): number {
  return popcount32(aHigh ^ bHigh) + popcount32(aLow ^ bLow);
}

/**
 * How many of their 64 bits two fingerprints differ in: 0 for equal ones, 64 for complements.
 *
 * @throws TypeError, RangeError  naming the argument that is no 64-bit number
 * @example
 * ```js
 * numDifferingBits(0b1011n, 0b0010n); // 2
 * ```
 */
export function numDifferingBits(a: bigint, b: bigint): number {
  checkHash('a', a);
  checkHash('b', b);
  const differing = a ^ b;
  return popcount32(highWord(differing)) + popcount32(lowWord(differing));
}

/**
 * A permutation of the 32-bit words in which each bit of the input reaches each bit of the output: the finaliser of
 * MurmurHash3 (Appleby 2011). 0 stays 0.
 */
export function mix32(word: number): number {
  word = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  word = Math.imul(word ^ (word >>> 13), 0xc2b2ae35);
  return (word ^ (word >>> 16)) >>> 0;
}

/** The upper word of a 64-bit number. */
export function highWord(number: bigint): number {
  return Number(number >> 32n);
}

/** The lower word of a 64-bit number. */
export function lowWord(number: bigint): number {
  return Number(number & 0xffffffffn);
}

/** The 64-bit number of two words. */
export function fromWords(high: number, low: number): bigint {
  return (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);
}

/**
 * Hashes as packed 64-bit numbers, in the order given. An array that is packed already is returned itself.
 *
 * @param argument  what the caller calls `hashes`, for errors
 * @throws TypeError   when `hashes` cannot be walked through or holds anything but bigints
 * @throws RangeError  when one of them is not from 0 to 2^64 − 1
 */
export function pack(hashes: Iterable<bigint>, argument: string): BigUint64Array {
  if (hashes instanceof BigUint64Array) return hashes;
  checkIterable(argument, hashes);
  const list: readonly bigint[] = Array.isArray(hashes) ? hashes : [...hashes];
  const packed = new BigUint64Array(list.length);
  for (let i = 0; i < list.length; i++) {
    const hash = list[i];
    checkHash(argument, hash);
    packed[i] = hash;
  }
  return packed;
}

/** The words of packed numbers, in the same order. */
export function unpack(packed: BigUint64Array): Words {
  const view = new Uint32Array(packed.buffer, packed.byteOffset, 2 * packed.length);
  const high = new Uint32Array(packed.length);
  const low = new Uint32Array(packed.length);
  for (let i = 0; i < packed.length; i++) {
    high[i] = view[2 * i + highPlace];
    low[i] = view[2 * i + 1 - highPlace];
  }
  return { high, low };
}

/** The inverse of `unpack`. */
export function repack({ high, low }: Words): BigUint64Array {
  const packed = new BigUint64Array(high.length);
  const view = new Uint32Array(packed.buffer);
  for (let i = 0; i < high.length; i++) {
    view[2 * i + highPlace] = high[i];
    view[2 * i + 1 - highPlace] = low[i];
  }
  return packed;
}

/** Where the high word of a packed 64-bit number is: 1 on machines that store the low byte first, 0 on others. */
export const highPlace = new Uint8Array(Uint16Array.of(1).buffer)[0];

/** The different ones among n numbers, ascending. The arguments are kept as they are. O(n log n). */
export function sortedDistinct(words: Words): Words {
  const { high, low } = unpack(repack(words).sort());
  let count = 0;
  for (let i = 0; i < high.length; i++) {
    if (count > 0 && low[i] === low[count - 1] && high[i] === high[count - 1]) continue;
    high[count] = high[i];
    low[count] = low[i];
    count++;
  }
  return { high: high.subarray(0, count), low: low.subarray(0, count) };
}
