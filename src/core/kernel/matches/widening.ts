// Widens a match to the surrounding blocks or paragraphs, because most of a function or paragraph counts as a copy of
// it.
import { blocksAround, blocksBytes, bounds, paragraphAround, roomAround, takeBlock, widestBlock } from './bounds';
import { classifier } from './classifier';
import { pair } from './documentPair';
import { extension, reach } from './extend';
import { bridge, gap, mostlyRenamed } from './gaps';
import { encloseIndents, isIndented } from './indentation';
import { passages, setPassages } from './passages';
import { lists, repeatRuns, reverseRuns } from './runs';
import { partEnd, partStart } from '../documents/separators';
import { newRecord, recordBytes } from '../records';

@unmanaged class Widening {
  /** Blocks around the current passages: see `blocksAround`. */
  leftBlocks: usize;
  rightBlocks: usize;
  /** Length of the last `goOutward` on each side. */
  outwardA: u32;
  outwardB: u32;
  /** True if the blocks of a side have been computed. */
  knowsLeft: bool;
  knowsRight: bool;
}

export let widening = changetype<Widening>(0);

/** Bytes of scratch memory that `placeWidening` lays out. */
export const wideningScratchBytes: usize = recordBytes<Widening>() + blocksBytes * 2;

export function placeWidening(scratch: usize): void {
  widening = newRecord<Widening>(scratch);
  widening.leftBlocks = scratch + recordBytes<Widening>();
  widening.rightBlocks = widening.leftBlocks + blocksBytes;
}

/** Returns the number of levels for `widen`: blocks around code, paragraphs around prose. */
@inline export function widestLevel(): i32 {
  return pair.renaming ? widestBlock : 1;
}

/** Resets the cached blocks, because the current passages have changed. */
export function openWidening(): void {
  widening.knowsLeft = widening.knowsRight = false;
}

/**
 * Widens the current passages to their surroundings, and appends the alignment to otherRuns: heads, runs [first, end),
 * tails. Heads and tails are aligned from the passages outward, since open brackets may have caused a cut there, and
 * from the ends of the block inward.
 */
export function widen(first: u32, end: u32, level: i32): bool {
  if (!aroundLeft(level)) return false;
  const blockA = bounds.blockStart,
    blockEndA = bounds.blockEnd;
  if (!aroundRight(level)) return false;
  const blockB = bounds.blockStart,
    blockEndB = bounds.blockEnd;
  if (
    blockA == passages.startA &&
    blockEndA == passages.endA &&
    blockB == passages.startB &&
    blockEndB == passages.endB
  )
    return false;
  if (pair.sameDocument && blockEndA > blockB) return false;
  if (pair.leftApart && !isOnePart(pair.left, pair.leftCount, passages.startA, blockA, blockEndA)) return false;
  if (pair.rightApart && !isOnePart(pair.right, pair.rightCount, passages.startB, blockB, blockEndB)) return false;
  if (min(blockEndA - blockA, blockEndB - blockB) < classifier.leastTokens) return false;
  gap.isRenamedCopy = pair.renaming && mostlyRenamed(lists.otherRuns, first, end);
  const heads = lists.otherRunCount;
  goOutward(passages.startA, passages.startB, -1, passages.startA - blockA, passages.startB - blockB);
  const outer = lists.otherRunCount;
  reach(blockA, blockB, 1, passages.startA - widening.outwardA - blockA, passages.startB - widening.outwardB - blockB);
  // Runs are nearest first: those of the outer ends ascend and the others descend.
  reverseRuns(heads, lists.otherRunCount);
  reverseRuns(heads, heads + lists.otherRunCount - outer);
  repeatRuns(first, end);
  goOutward(passages.endA, passages.endB, 1, blockEndA - passages.endA, blockEndB - passages.endB);
  const tails = lists.otherRunCount;
  reach(
    blockEndA,
    blockEndB,
    -1,
    blockEndA - passages.endA - widening.outwardA,
    blockEndB - passages.endB - widening.outwardB,
  );
  reverseRuns(tails, lists.otherRunCount);
  setPassages(blockA, blockEndA, blockB, blockEndB);
  return true;
}

/**
 * Aligns the text after (a, b) in a direction, including gaps, as far as it matches. Appends to otherRuns, nearest
 * first.
 */
function goOutward(a: u32, b: u32, direction: i32, roomA: u32, roomB: u32): void {
  widening.outwardA = widening.outwardB = 0;
  if (!roomA || !roomB) return;
  reach(a, b, direction, roomA, roomB);
  widening.outwardA = extension.usedA;
  widening.outwardB = extension.usedB;
  if (widening.outwardA == roomA || widening.outwardB == roomB) return;
  bridge(
    a + direction * widening.outwardA,
    b + direction * widening.outwardB,
    direction,
    roomA - widening.outwardA,
    roomB - widening.outwardB,
  );
  widening.outwardA += gap.bridgedA;
  widening.outwardB += gap.bridgedB;
}

/** Returns true if tokens [from, to) are all in the same text between separators as the token at `position`. */
function isOnePart(tokens: usize, count: u32, position: u32, from: u32, to: u32): bool {
  return from >= partStart(tokens, position) && to <= partEnd(tokens, count, position);
}

function aroundLeft(level: i32): bool {
  if (!pair.renaming)
    return paragraphAround(
      pair.left,
      pair.leftCount,
      pair.leftLines,
      pair.leftLineCount,
      passages.startA,
      passages.endA,
      roomAround(passages.startA, passages.endA),
    );
  if (!widening.knowsLeft) blocksAround(pair.left, pair.leftCount, passages.startA, passages.endA, widening.leftBlocks);
  widening.knowsLeft = true;
  const isInIndents = pair.leftMarked && isIndented(pair.leftLines, pair.leftLineCount, passages.startA);
  if (isInIndents && level > 1) return false;
  return (
    takeBlock(
      pair.left,
      pair.leftCount,
      pair.leftLines,
      pair.leftLineCount,
      passages.startA,
      passages.endA,
      widening.leftBlocks,
      level,
    ) &&
    (!isInIndents || encloseIndents(pair.leftLines, pair.leftLineCount, pair.leftCount, passages.startA, passages.endA))
  );
}

function aroundRight(level: i32): bool {
  if (!pair.renaming)
    return paragraphAround(
      pair.right,
      pair.rightCount,
      pair.rightLines,
      pair.rightLineCount,
      passages.startB,
      passages.endB,
      roomAround(passages.startB, passages.endB),
    );
  if (!widening.knowsRight)
    blocksAround(pair.right, pair.rightCount, passages.startB, passages.endB, widening.rightBlocks);
  widening.knowsRight = true;
  const isInIndents = pair.rightMarked && isIndented(pair.rightLines, pair.rightLineCount, passages.startB);
  if (isInIndents && level > 1) return false;
  return (
    takeBlock(
      pair.right,
      pair.rightCount,
      pair.rightLines,
      pair.rightLineCount,
      passages.startB,
      passages.endB,
      widening.rightBlocks,
      level,
    ) &&
    (!isInIndents ||
      encloseIndents(pair.rightLines, pair.rightLineCount, pair.rightCount, passages.startB, passages.endB))
  );
}
