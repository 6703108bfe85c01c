// Compares short paragraphs whose sentences were moved or reworded. An alignment preserves order, so it can contain
// only one of two sentences that traded places. So the words that two paragraphs share are counted regardless of order.
import { leftToken, pair, rightToken } from './documentPair';
import { mix64 } from '../documents/fingerprint';
import { KeyTable, openTable } from './renaming';
import { Side } from './side';

/**
 * Number of consecutive words that are compared as a unit. Two words are not distinctive enough. With four, a single
 * changed word would affect too many words: the three before it and the three after it.
 */
const inARow: u32 = 3;
/**
 * Maximum length of a paragraph in words. In a longer paragraph, the sentences that were not moved are enough for a
 * match.
 */
export const maxReordered: u32 = 300;
/**
 * Minimum share of a paragraph's words that are in rows which both paragraphs contain. Reordered paragraphs have more
 * than nine tenths. With the similarity that alignments require, a third of the additional findings were different
 * paragraphs on one subject.
 */
export const minInAnyOrder: f64 = 0.75;
/**
 * Amount by which the share of common words must exceed the minimum similarity in two reworded paragraphs. At 0, the
 * estimated precision of groups in Markdown falls by .025: see bench/results/2026-11-28-reworded-paragraphs.md.
 */
export const extraOfReworded: f64 = 0.05;
/**
 * Number of different common words from which on the minimum similarity is enough. Short paragraphs share most of their
 * words by chance more easily than long ones: see bench/results/2026-11-28-many-common-words.md.
 */
export const manyWords: u32 = 30;

/**
 * Returns the number of words, on both sides of the current passages, that are in a row of three words which both sides
 * contain. Returns 0 if the passages are too long, or if their lengths differ so much that they cannot reach the share
 * `minShare`.
 */
export function sharedInAnyOrder(minShare: f64): u32 {
  if (max(pair.left.length, pair.right.length) > maxReordered) return 0;
  if (min(pair.left.length, pair.right.length) < inARow || !canReach(minShare)) return 0;
  if (pair.sameDocument && pair.right.start < pair.left.end) return 0;
  const table = openTable(pair.left.length);
  for (let i = pair.left.start; i + inARow <= pair.left.end; i++) table.slotOf(rowAt(pair.left, i)).value = 1;
  return coveredBy(table, pair.right, 1) + coveredBy(table, pair.left, 2);
}

/** Returns the number of words of a side in known rows with at least a value, and marks these rows with the value 2. */
function coveredBy(table: KeyTable, side: Side, value: u32): u32 {
  let covered: u32 = 0,
    to = side.start;
  for (let i = side.start; i + inARow <= side.end; i++) {
    const record = table.knownSlot(rowAt(side, i));
    if (record == null || record.value < value) continue;
    record.value = 2;
    covered += i + inARow - max(i, to);
    to = i + inARow;
  }
  return covered;
}

/**
 * Returns the number of words in the current passages, on both sides, that the other side has as well, in any order.
 * Returns 0 if the lengths are too different to reach the share `minShare`, or if the passages share fewer than
 * `distinct` different words.
 */
export function sharedWords(minShare: f64, distinct: u32): u32 {
  const left = pair.left,
    right = pair.right;
  if (!canReach(minShare)) return 0;
  const table = openTable(left.length);
  for (let i = left.start; i < left.end; i++) table.slotOf(<u64>leftToken(i)).value += once;
  let shared: u32 = 0,
    different: u32 = 0;
  for (let i = right.start; i < right.end; i++) {
    const record = table.knownSlot(<u64>rightToken(i));
    if (record == null || record.value < once) continue;
    different += u32((record.value & 1) == 0);
    record.value = (record.value - once) | 1;
    shared += 2;
  }
  return different < distinct ? 0 : shared;
}

/** Returns false if the lengths of the current passages are too different for the share `minShare` of common words. */
function canReach(minShare: f64): bool {
  const left = pair.left.length,
    right = pair.right.length;
  return 2 * <f64>min(left, right) >= minShare * <f64>(left + right);
}

/**
 * Amount by which each occurrence increases a counter in `sharedWords`. The lowest bit of a counter marks a word that
 * occurs on both sides.
 */
const once: u32 = 2;

/** Returns the hash of the row of words that begins at a token. */
@inline function rowAt(side: Side, i: u32): u64 {
  return mix64(mix64(((<u64>side.token(i)) << 32) | (<u64>side.token(i + 1))) ^ (<u64>side.token(i + 2)));
}
