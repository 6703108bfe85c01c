// Compares short paragraphs whose sentences may be in another order. An alignment preserves order, so it would contain
// only one of two exchanged sentences. Therefore the shared words of two paragraphs are counted in any order.
import { leftToken, pair, rightToken } from './documentPair';
import { mix64 } from '../documents/fingerprint';
import { knownSlot, openTable, slotOf } from './renaming';

/**
 * Number of adjacent words to compare. Two words are not distinctive. With four words, a single changed word affects
 * seven.
 */
const inARow: u32 = 3;
/** Maximum length of a paragraph in words. In a longer paragraph, the sentences that were not moved are a match. */
export const mostReordered: u32 = 300;
/**
 * Minimum share of words that are in common rows. Reordered paragraphs share more than nine tenths. With the similarity
 * that is required of alignments, a third of the additional findings were different paragraphs on one subject.
 */
export const leastInAnyOrder: f64 = 0.75;

/**
 * Returns the number of words in the current passages, on both sides, that are in a row of three words which both sides
 * share. Returns 0 if the passages are too long, or if their lengths are too different to reach the share `least`.
 */
export function sharedInAnyOrder(least: f64): u32 {
  const shorter = min(pair.left.length, pair.right.length),
    longer = max(pair.left.length, pair.right.length);
  if (longer > mostReordered || shorter < inARow) return 0;
  if (2 * <f64>shorter < least * <f64>(shorter + longer)) return 0;
  if (pair.sameDocument && pair.right.start < pair.left.end) return 0;
  openTable(pair.left.length);
  for (let i = pair.left.start; i + inARow <= pair.left.end; i++)
    slotOf(rowOf(leftToken(i), leftToken(i + 1), leftToken(i + 2))).value = 1;
  let shared: u32 = 0;
  let to = pair.right.start;
  for (let i = pair.right.start; i + inARow <= pair.right.end; i++) {
    const record = knownSlot(rowOf(rightToken(i), rightToken(i + 1), rightToken(i + 2)));
    if (record == null) continue;
    record.value = 2;
    shared += i + inARow - max(i, to);
    to = i + inARow;
  }
  to = pair.left.start;
  for (let i = pair.left.start; i + inARow <= pair.left.end; i++) {
    const record = knownSlot(rowOf(leftToken(i), leftToken(i + 1), leftToken(i + 2)));
    if (record == null || record.value != 2) continue;
    shared += i + inARow - max(i, to);
    to = i + inARow;
  }
  return shared;
}

@inline function rowOf(x: u32, y: u32, z: u32): u64 {
  return mix64(mix64(((<u64>x) << 32) | (<u64>y)) ^ (<u64>z));
}
