/** A digest of findings, to compare those of several processes. */
import { createHash } from 'node:crypto';

/**
 * @param {unknown} totals
 * @param {Iterable<unknown>} groups  as they are unpacked
 * @param {string} skipped            as it is packed
 */
export function digestOfFindings(totals, groups, skipped) {
  return createHash('sha256')
    .update(JSON.stringify([totals, [...groups], skipped]))
    .digest('hex');
}
