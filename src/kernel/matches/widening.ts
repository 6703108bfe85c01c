// Widening a match to the blocks or paragraphs around it: a person who has copied most of a function or of a paragraph has
// copied it.
import {
  blockEnd,
  blocksAround,
  blocksBytes,
  blockStart,
  paragraphAround,
  roomAround,
  takeBlock,
  widestBlock,
} from './bounds';
import { leastTokens } from './classifier';
import {
  left,
  leftApart,
  leftCount,
  leftLineCount,
  leftLines,
  renaming,
  right,
  rightApart,
  rightCount,
  rightLineCount,
  rightLines,
  sameDocument,
} from './documentPair';
import { reach } from './extend';
import { endA, endB, setPassages, startA, startB } from './passages';
import { otherRunCount, repeatRuns, reverseRuns } from './runs';
import { partEnd, partStart } from '../documents/separators';

// Blocks around the passages at hand: see `blocksAround`. A side is looked at once, when it is first asked for.
let leftBlocks: usize = 0;
let rightBlocks: usize = 0;
let knowsLeft: bool = false;
let knowsRight: bool = false;

/** Bytes of scratch memory that `placeWidening` lays out. */
export const wideningScratchBytes: usize = blocksBytes * 2;

export function placeWidening(scratch: usize): void {
  leftBlocks = scratch;
  rightBlocks = scratch + blocksBytes;
}

/** How many levels there are for `widen`: the blocks around code, the paragraphs around prose. */
@inline export function widestLevel(): i32 {
  return renaming ? widestBlock : 1;
}

/** Says that the passages at hand are others than those that were widened last. */
export function openWidening(): void {
  knowsLeft = knowsRight = false;
}

/**
 * Widens the passages at hand to what is around them, and appends their alignment to otherRuns: that of the heads, runs
 * [first, end), that of the tails.
 */
export function widen(first: u32, end: u32, level: i32): bool {
  if (!aroundLeft(level)) return false;
  const blockA = blockStart,
    blockEndA = blockEnd;
  if (!aroundRight(level)) return false;
  if (blockA == startA && blockEndA == endA && blockStart == startB && blockEnd == endB) return false;
  if (sameDocument && blockEndA > blockStart) return false;
  if (leftApart && !isOnePart(left, leftCount, startA, blockA, blockEndA)) return false;
  if (rightApart && !isOnePart(right, rightCount, startB, blockStart, blockEnd)) return false;
  if (min(blockEndA - blockA, blockEnd - blockStart) < leastTokens) return false;
  reach(blockA, blockStart, 1, startA - blockA, startB - blockStart);
  repeatRuns(first, end);
  const tail = otherRunCount;
  reach(blockEndA, blockEnd, -1, blockEndA - endA, blockEnd - endB);
  reverseRuns(tail);
  setPassages(blockA, blockEndA, blockStart, blockEnd);
  return true;
}

/** Whether tokens [from, to) are all in the text between separators that the token at `position` is in. */
function isOnePart(tokens: usize, count: u32, position: u32, from: u32, to: u32): bool {
  return from >= partStart(tokens, position) && to <= partEnd(tokens, count, position);
}

function aroundLeft(level: i32): bool {
  if (!renaming)
    return paragraphAround(left, leftCount, leftLines, leftLineCount, startA, endA, roomAround(startA, endA));
  if (!knowsLeft) blocksAround(left, leftCount, startA, endA, leftBlocks);
  knowsLeft = true;
  return takeBlock(left, leftLines, leftLineCount, startA, leftBlocks, level);
}

function aroundRight(level: i32): bool {
  if (!renaming)
    return paragraphAround(right, rightCount, rightLines, rightLineCount, startB, endB, roomAround(startB, endB));
  if (!knowsRight) blocksAround(right, rightCount, startB, endB, rightBlocks);
  knowsRight = true;
  return takeBlock(right, rightLines, rightLineCount, startB, rightBlocks, level);
}
