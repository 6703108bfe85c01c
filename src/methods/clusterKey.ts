/**
 * The least-r key: a cluster key that is decided by looking at one item alone. Items whose sets resemble each other
 * probably have the same key; no item ever changes the key of another, and no run of the program the key of an earlier.
 *
 * Hash every feature and XOR the r least hashes. Two sets have equal keys when they have the same r least hashes, which
 * are then the r least of their union: with u features in the union and i in the intersection, C(i, r) / C(u, r), about
 * J^r when u is large. So equal keys mean at least r shared features, and one feature that occurs everywhere can fill one
 * of the r places at most. (Moulton 2010; for r = 1 it is the minhash
 * of Broder 1997.)
 *
 *   hashes of A, ascending   03 11 2a 57 …      r = 3:  key = 03 ⊕ 11 ⊕ 2a
 *   hashes of B              03 11 2a 44 …              the same key
 *   hashes of C              03 09 11 2a …              another one
 */
import { fromWords, pack, sortedDistinct, unpack } from './bits.ts';
import { checkWhole } from './checkArgument.ts';

/**
 * The XOR of the r least hashes of a set.
 *
 * @param hashes  well-mixed hashes, since their order decides; repetitions do not matter
 * @param r       from 1: how many features items of one key share at least
 * @returns       0 for an empty set. A set of fewer than r elements has the XOR of all: equal keys then mean equal sets
 * @throws TypeError, RangeError  naming `hashes` or `r`
 * @example
 * ```js
 * leastKey([5n, 1n, 3n], 2) === leastKey([1n, 3n, 9n], 2); // true: both have 1 and 3
 * ```
 */
export function leastKey(hashes: Iterable<bigint>, r: number): bigint {
  checkWhole('r', r, 1, 1_000_000);
  const { high, low } = sortedDistinct(unpack(pack(hashes, 'hashes')));
  let [keyHigh, keyLow] = [0, 0];
  for (let i = 0; i < Math.min(r, high.length); i++) {
    keyHigh ^= high[i];
    keyLow ^= low[i];
  }
  return fromWords(keyHigh, keyLow);
}
