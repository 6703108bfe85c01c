/**
 * The least-r key: a cluster key that is computed from one item. Items with similar sets of features probably have the
 * same key. The key depends neither on other items nor on the run of the program.
 *
 * Hash every feature and XOR the r smallest hashes. Two sets have equal keys if their r smallest hashes are the same;
 * these are then also the r smallest of the union. With u features in the union and i in the intersection, the
 * probability of equal keys is C(i, r) / C(u, r), which is about J^r for large u. So if two keys are equal, the items
 * share at least r features, and a feature that occurs in every item can fill at most one of the r places. (Moulton
 * 2010; for r = 1 it is the minhash of Broder 1997.)
 *
 *   hashes of A, ascending   03 11 2a 57 …      r = 3:  key = 03 ⊕ 11 ⊕ 2a
 *   hashes of B              03 11 2a 44 …              the same key
 *   hashes of C              03 09 11 2a …              a different key
 */
import { fromWords, pack, sortedDistinct, unpack } from '../core/methods/bits.ts';
import { checkWhole } from '../core/methods/checkArgument.ts';

/**
 * Returns the XOR of the r smallest hashes of a set.
 *
 * @param hashes  hashes, which must be well mixed, because their order decides; repetitions do not matter
 * @param r       at least 1: minimum number of features that items with equal keys share
 * @returns 0 for an empty set. For a set of fewer than r elements, the XOR of all hashes; equal keys then imply equal
 * sets
 * @throws TypeError, RangeError naming `hashes` or `r`
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
