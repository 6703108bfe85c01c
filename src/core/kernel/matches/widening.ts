// Widens a match to the surrounding blocks or paragraphs, because most of a function or paragraph counts as a copy of
// it.
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
import { pair } from './documentPair';
import { reach, usedA, usedB } from './extend';
import { bridge, bridgedA, bridgedB, mostlyRenamed, setRenamedCopy } from './gaps';
import { endA, endB, setPassages, startA, startB } from './passages';
import { otherRunCount, otherRuns, repeatRuns, reverseRuns } from './runs';
import { partEnd, partStart } from '../documents/separators';

// Blocks around the current passages: see `blocksAround`. Each side is computed on demand.
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

/** Returns the number of levels for `widen`: blocks around code, paragraphs around prose. */
@inline export function widestLevel(): i32 {
  return pair.renaming ? widestBlock : 1;
}

/** Resets the cached blocks, because the current passages have changed. */
export function openWidening(): void {
  knowsLeft = knowsRight = false;
}

/**
 * Widens the current passages to their surroundings, and appends the alignment to otherRuns: heads, runs [first, end),
 * tails. Heads and tails are aligned from the passages outward, since open brackets may have caused a cut there, and
 * from the ends of the block inward.
 */
export function widen(first: u32, end: u32, level: i32): bool {
  if (!aroundLeft(level)) return false;
  const blockA = blockStart,
    blockEndA = blockEnd;
  if (!aroundRight(level)) return false;
  const blockB = blockStart,
    blockEndB = blockEnd;
  if (blockA == startA && blockEndA == endA && blockB == startB && blockEndB == endB) return false;
  if (pair.sameDocument && blockEndA > blockB) return false;
  if (pair.leftApart && !isOnePart(pair.left, pair.leftCount, startA, blockA, blockEndA)) return false;
  if (pair.rightApart && !isOnePart(pair.right, pair.rightCount, startB, blockB, blockEndB)) return false;
  if (min(blockEndA - blockA, blockEndB - blockB) < leastTokens) return false;
  setRenamedCopy(pair.renaming && mostlyRenamed(otherRuns, first, end));
  const heads = otherRunCount;
  goOutward(startA, startB, -1, startA - blockA, startB - blockB);
  const outer = otherRunCount;
  reach(blockA, blockB, 1, startA - outwardA - blockA, startB - outwardB - blockB);
  // Runs are nearest first: those of the outer ends ascend and the others descend.
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

// Length of the last `goOutward` on each side.
let outwardA: u32 = 0;
let outwardB: u32 = 0;

/**
 * Aligns the text after (a, b) in a direction, including gaps, as far as it matches. Appends to otherRuns, nearest
 * first.
 */
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
      startA,
      endA,
      roomAround(startA, endA),
    );
  if (!knowsLeft) blocksAround(pair.left, pair.leftCount, startA, endA, leftBlocks);
  knowsLeft = true;
  return takeBlock(pair.left, pair.leftLines, pair.leftLineCount, startA, leftBlocks, level);
}

function aroundRight(level: i32): bool {
  if (!pair.renaming)
    return paragraphAround(
      pair.right,
      pair.rightCount,
      pair.rightLines,
      pair.rightLineCount,
      startB,
      endB,
      roomAround(startB, endB),
    );
  if (!knowsRight) blocksAround(pair.right, pair.rightCount, startB, endB, rightBlocks);
  knowsRight = true;
  return takeBlock(pair.right, pair.rightLines, pair.rightLineCount, startB, rightBlocks, level);
}
