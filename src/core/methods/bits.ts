/**
 * Arithmetic on 64-bit hashes and fingerprints. The public functions use `bigint`. Internally, each number is a pair of
 * unsigned 32-bit words, because an operation on words takes a few nanoseconds, but one on bigints takes about seventy.
 */
import { checkHash, checkIterable } from './checkArgument.ts';

/** Number of bits in a hash and in a fingerprint. */
export const fingerprintBits = 64;

/** n numbers of 64 bits as pairs of words: number i is `high[i]` × 2^32 + `low[i]`. Both arrays have n elements. */
export interface Words {
  readonly high: Uint32Array;
  readonly low: Uint32Array;
}

/** Returns the number of set bits in a 32-bit word (Warren 2012, section 5-1). */
export function popcount32(word: number): number {
  word -= (word >>> 1) & 0x55555555;
  word = (word & 0x33333333) + ((word >>> 2) & 0x33333333);
  word = (word + (word >>> 4)) & 0x0f0f0f0f;
  return Math.imul(word, 0x01010101) >>> 24;
}

/** Returns the number of bits in which two 64-bit numbers differ, 0 to 64 (Hamming 1950). This distance is a metric. */
export function hammingDistance(aHigh: number, aLow: number, bHigh: number, bLow: number): number {
  return popcount32(aHigh ^ bHigh) + popcount32(aLow ^ bLow);
}

/**
 * Returns the number of bits in which two fingerprints differ: 0 if they are equal, 64 if they are complements.
 *
 * @throws TypeError, RangeError  naming the argument that is not a 64-bit number
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

/** Permutes 32-bit words: every input bit affects all output bits. MurmurHash3's finalizer (Appleby 2011); 0 is 0. */
export function mix32(word: number): number {
  word = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  word = Math.imul(word ^ (word >>> 13), 0xc2b2ae35);
  return (word ^ (word >>> 16)) >>> 0;
}

export function highWord(number: bigint): number {
  return Number(number >> 32n);
}

export function lowWord(number: bigint): number {
  return Number(number & 0xffffffffn);
}

export function fromWords(high: number, low: number): bigint {
  return (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);
}

/**
 * Returns hashes as packed 64-bit numbers, in the given order. If the argument is already packed, returns it unchanged.
 *
 * @param argument  the caller's name for `hashes`, used in errors
 * @throws TypeError   if `hashes` is not iterable or contains a value that is not a bigint
 * @throws RangeError  if a hash is outside 0 to 2^64 − 1
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

/** Splits packed numbers into high and low words, in the same order. */
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

/** Joins words to packed numbers. Inverse of `unpack`. */
export function repack({ high, low }: Words): BigUint64Array {
  const packed = new BigUint64Array(high.length);
  const view = new Uint32Array(packed.buffer);
  for (let i = 0; i < high.length; i++) {
    view[2 * i + highPlace] = high[i];
    view[2 * i + 1 - highPlace] = low[i];
  }
  return packed;
}

/** Index of the high word in the two words of a packed number: 1 on little-endian machines, 0 on others. */
export const highPlace = new Uint8Array(Uint16Array.of(1).buffer)[0];

/** Returns the distinct numbers in ascending order. Does not change its argument. O(n log n). */
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
