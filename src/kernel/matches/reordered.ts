// Paragraphs whose sentences have changed places. An alignment keeps the order, so of two sentences that were exchanged it
// holds one; what two short paragraphs share in any order is counted instead.
import { leftToken, rightToken, sameDocument } from './documentPair';
import { mix64 } from '../documents/fingerprint';
import { endA, endB, startA, startB } from './passages';
import { knownSlot, openTable, slotOf, slotValueAt } from './renaming';

/** Words in a row that have to be the same. Two say little, and of four a word that was changed takes seven away. */
const inARow: u32 = 3;
/** The longest paragraph that is looked at, in words: in a long one the sentences that stay make a match. */
export const mostReordered: u32 = 300;
/**
 * The least share of their words that has to be in such rows. Sentences that only changed places have more than nine
 * tenths; at the similarity that an alignment needs, a third of what came in addition were paragraphs on one subject.
 */
export const leastInAnyOrder: f64 = 0.75;

/**
 * How many words of the passages at hand, on both sides, are in a row of three that the other side has too; 0 where they
 * are too long, or too different in length for `least` of all words to be.
 */
export function sharedInAnyOrder(least: f64): u32 {
  const lengthA = endA - startA,
    lengthB = endB - startB;
  if (max(lengthA, lengthB) > mostReordered || min(lengthA, lengthB) < inARow) return 0;
  if (2 * <f64>min(lengthA, lengthB) < least * <f64>(lengthA + lengthB)) return 0;
  if (sameDocument && startB < endA) return 0;
  openTable(lengthA);
  for (let i = startA; i + inARow <= endA; i++)
    store<u32>(slotOf(rowOf(leftToken(i), leftToken(i + 1), leftToken(i + 2))), 1, slotValueAt);
  let shared: u32 = 0;
  let to = startB;
  for (let i = startB; i + inARow <= endB; i++) {
    const record = knownSlot(rowOf(rightToken(i), rightToken(i + 1), rightToken(i + 2)));
    if (!record) continue;
    store<u32>(record, 2, slotValueAt);
    shared += i + inARow - max(i, to);
    to = i + inARow;
  }
  to = startA;
  for (let i = startA; i + inARow <= endA; i++) {
    const record = knownSlot(rowOf(leftToken(i), leftToken(i + 1), leftToken(i + 2)));
    if (!record || load<u32>(record, slotValueAt) != 2) continue;
    shared += i + inARow - max(i, to);
    to = i + inARow;
  }
  return shared;
}

@inline function rowOf(x: u32, y: u32, z: u32): u64 {
  return mix64(mix64(((<u64>x) << 32) | (<u64>y)) ^ (<u64>z));
}
