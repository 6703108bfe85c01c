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
import { reach, usedA, usedB } from './extend';
import { bridge, bridgedA, bridgedB, mostlyRenamed, setRenamedCopy } from './gaps';
import { endA, endB, setPassages, startA, startB } from './passages';
import { otherRunCount, otherRuns, repeatRuns, reverseRuns } from './runs';
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
 * [first, end), that of the tails. Heads and tails are aligned from the passages outward, since these may have been cut where
 * brackets were open, and from the ends of the block inward.
 */
export function widen(first: u32, end: u32, level: i32): bool {
  if (!aroundLeft(level)) return false;
  const blockA = blockStart,
    blockEndA = blockEnd;
  if (!aroundRight(level)) return false;
  const blockB = blockStart,
    blockEndB = blockEnd;
  if (blockA == startA && blockEndA == endA && blockB == startB && blockEndB == endB) return false;
  if (sameDocument && blockEndA > blockB) return false;
  if (leftApart && !isOnePart(left, leftCount, startA, blockA, blockEndA)) return false;
  if (rightApart && !isOnePart(right, rightCount, startB, blockB, blockEndB)) return false;
  if (min(blockEndA - blockA, blockEndB - blockB) < leastTokens) return false;
  setRenamedCopy(renaming && mostlyRenamed(otherRuns, first, end));
  const heads = otherRunCount;
  goOutward(startA, startB, -1, startA - blockA, startB - blockB);
  const outer = otherRunCount;
  reach(blockA, blockB, 1, startA - outwardA - blockA, startB - outwardB - blockB);
  // Nearest first, as they are, those of the outer ones ascend and the others descend.
  reverseRuns(heads, otherRunCount);
  reverseRuns(heads, heads + otherRunCount - outer);
  repeatRuns(first, end);
  goOutward(endA, endB, 1, blockEndA - endA, blockEndB - endB);
  const tails = otherRunCount;
  reach(blockEndA, blockEndB, -1, blockEndA - endA - outwardA, blockEndB - endB - outwardB);
  reverseRuns(tails, otherRunCount);
  setPassages(blockA, blockEndA, blockB, blockEndB);
  return true;
}

// How far `goOutward` went on either side.
let outwardA: u32 = 0;
let outwardB: u32 = 0;

/** Aligns what follows (a, b) in a direction, over gaps too, as far as it is alike. Appends to otherRuns, nearest first. */
function goOutward(a: u32, b: u32, direction: i32, roomA: u32, roomB: u32): void {
  outwardA = outwardB = 0;
  if (!roomA || !roomB) return;
  reach(a, b, direction, roomA, roomB);
  outwardA = usedA;
  outwardB = usedB;
  if (outwardA == roomA || outwardB == roomB) return;
  bridge(a + direction * outwardA, b + direction * outwardB, direction, roomA - outwardA, roomB - outwardB);
  outwardA += bridgedA;
  outwardB += bridgedB;
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
