/** Digest of findings, for comparisons between processes. */
import { createHash } from 'node:crypto';

/**
 * @param {unknown} totals
 * @param {Iterable<unknown>} groups  unpacked
 * @param {string} skipped            in packed form
 */
export function digestOfFindings(totals, groups, skipped) {
  return createHash('sha256')
    .update(JSON.stringify([totals, [...groups], skipped]))
    .digest('hex');
}
