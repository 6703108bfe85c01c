/**
 * Seeded permutations of the 64-bit numbers, for methods that need the first element of a set in a random order.
 *
 * A permutation is a Feistel network of three rounds over the two words of a number (Luby, Rackoff 1988). The network
 * is a bijection for any round function F, so different elements always have different images. If F looks random, so
 * does the order. Here F is `mix32` of the word plus the round key:
 *
 *   x = high ⊕ F₁(low)      new high = low ⊕ F₂(x)      new low = x ⊕ F₃(new high)
 *
 * The family is approximately min-wise independent (Broder, Charikar, Frieze, Mitzenmacher 2000, section 1.1). In a
 * test with a million permutations, the sets had 10 to 64 consecutive numbers, multiples of 2^32, or powers of two. No
 * element came first significantly more or less often than the others; the test would have detected a relative error of
 * 0.006 for sets of 10, and of 0.02 for sets of 64. The project's tests repeat this with 20,000 permutations.
 */
import { highWord, lowWord, mix32 } from '../core/methods/bits.ts';
import { nameOf } from '../core/methods/checkArgument.ts';

/** Number of round keys in a permutation. */
export const keysPerPermutation = 3;

/** A seed is a number from 0 to 2^53 − 1, or a bigint from 0 to 2^64 − 1. */
export type Seed = number | bigint;

/**
 * Returns the round keys of permutations 0 to `count` − 1 for a seed, three words each. The keys of permutation i do
 * not depend on `count`.
 *
 * @throws TypeError, RangeError naming `seed`
 */
export function permutationKeys(seed: Seed, count: number): Uint32Array {
  const number = checkSeed(seed);
  const keys = new Uint32Array(keysPerPermutation * count);
  const start = mix32(highWord(number) + 0x243f6a88);
  const step = mix32(lowWord(number) + 0x85a308d3);
  // Each key depends on its index and on both words of the seed. The additive constants are digits of π and of the
  // golden ratio.
  for (let place = 0; place < keys.length; place++) {
    keys[place] = mix32(mix32(mix32(Math.imul(place + 1, 0x9e3779b9)) + start) ^ step);
  }
  return keys;
}

/** Returns the high word of a permuted number. The keys of the permutation begin at index `at`. */
export function permutedHigh(keys: Uint32Array, at: number, high: number, low: number): number {
  return (low ^ mix32((high ^ mix32(low + keys[at])) + keys[at + 1])) >>> 0;
}

/** Returns the low word of a permuted number, given its high word (`newHigh`). */
export function permutedLow(keys: Uint32Array, at: number, high: number, low: number, newHigh: number): number {
  return (high ^ mix32(low + keys[at]) ^ mix32(newHigh + keys[at + 2])) >>> 0;
}

function checkSeed(seed: Seed): bigint {
  if (typeof seed !== 'number' && typeof seed !== 'bigint') {
    throw new TypeError(`seed must be a number or a bigint, not ${nameOf(seed)}.`);
  }
  if (typeof seed === 'number' && !(Number.isSafeInteger(seed) && seed >= 0)) {
    throw new RangeError(`seed must be a whole number from 0 to 2^53 − 1, not ${seed}.`);
  }
  const number = BigInt(seed);
  if (BigInt.asUintN(64, number) !== number) throw new RangeError(`seed must be from 0 to 2^64 − 1, not ${number}.`);
  return number;
}
