/**
 * The two-level index of Manku, Jain, Das Sarma 2007, section 3.2: 16 tables. A key consists of one of four blocks of
 * 16 bits, and of one of four blocks of 12 bits, into which the other 48 bits are cut.
 *
 *   | A 16 | B 16 | C 16 | D 16 |             one of four agrees: remove it
 *          | a 12 | b 12 | c 12 | d 12 |      of the remaining four, one agrees
 *   |  B   |  c   | the other 36 bits |       one of the 16 tables: sorted by 28 bits
 *
 * With 2^34 fingerprints, a probe returns 2^(34 − 28) = 64 rows; four tables of 16 bits would return 2^18.
 */
import { checkObject, checkWhole } from '../core/methods/checkArgument.ts';
import { HammingIndex } from './fingerprintIndex.ts';
import { twoLevelPermutations } from '../core/methods/permutation.ts';

/** Maximum number of differing bits. If at most three bits differ, at least one of four blocks is equal. */
const maxDistance = 3;

/**
 * An index for up to three differing bits. Even in very large sets, a lookup returns few rows.
 *
 * @example
 * ```js
 * const index = new TwoLevelIndex();
 * index.insert(0b0111n);
 * index.findAll(0b0000n); // [7n]
 * ```
 */
export class TwoLevelIndex extends HammingIndex {
  /**
   * @param design.distance  k, 0 to 3. Default: 3.
   * @throws TypeError, RangeError  naming `design` or `distance`
   */
  constructor(design: { readonly distance?: number } = {}) {
    checkObject('design', design);
    const { distance = maxDistance } = design;
    checkWhole('distance', distance, 0, maxDistance);
    super(twoLevelPermutations(), distance);
  }
}
