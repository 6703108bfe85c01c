// Widens a match to the surrounding blocks or paragraphs, because most of a function or paragraph counts as a copy of
// it.
import { paragraphAround, roomAround, takeBlock } from './bounds';
import { classifier } from './classifier';
import { pair, setPassages } from './documentPair';
import { extension, reach } from './extend';
import { bridge, gap, mostlyRenamed } from './gaps';
import { encloseIndents, isIndented } from './indentation';
import { lists, repeatRuns, reverseRuns } from './runs';
import { Side, widestBlock } from './side';
import { partEnd, partStart } from '../documents/separators';
/** Returns the number of times that a match may be widened: to blocks around code, or to paragraphs around prose. */
@inline export function widestLevel(): i32 {
  return pair.renaming ? widestBlock : 1;
}

/** Discards the cached blocks, because the current passages have changed. */
export function openWidening(): void {
  widening.knowsLeft = widening.knowsRight = false;
}

/**
 * Widens the current passages to the block or paragraph around them, and appends the alignment to otherRuns: heads,
 * then the runs [first, end), then tails. Heads and tails are aligned outward from the passages, because an open
 * bracket may have caused a cut there. They are also aligned inward from the ends of the block.
 */
export function widen(first: u32, end: u32, level: i32): bool {
  const left = pair.left,
    right = pair.right;
  if (!surround(left, level) || !surround(right, level)) return false;
  if (isSurrounded(left) && isSurrounded(right)) return false;
  if (pair.sameDocument && left.blockEnd > right.blockStart) return false;
  if (!isOnePart(left) || !isOnePart(right)) return false;
  if (min(left.blockEnd - left.blockStart, right.blockEnd - right.blockStart) < classifier.leastTokens) return false;
  gap.isRenamedCopy = pair.renaming && mostlyRenamed(lists.otherRuns, first, end);
  const heads = lists.otherRunCount;
  goOutward(left.start, right.start, -1, left.start - left.blockStart, right.start - right.blockStart);
  const outer = lists.otherRunCount;
  reach(
    left.blockStart,
    right.blockStart,
    1,
    left.start - left.outward - left.blockStart,
    right.start - right.outward - right.blockStart,
  );
  // Runs are nearest first. So the ones found from the outer ends ascend, and the others descend.
  reverseRuns(heads, lists.otherRunCount);
  reverseRuns(heads, heads + lists.otherRunCount - outer);
  repeatRuns(first, end);
  goOutward(left.end, right.end, 1, left.blockEnd - left.end, right.blockEnd - right.end);
  const tails = lists.otherRunCount;
  reach(
    left.blockEnd,
    right.blockEnd,
    -1,
    left.blockEnd - left.end - left.outward,
    right.blockEnd - right.end - right.outward,
  );
  reverseRuns(tails, lists.otherRunCount);
  setPassages(left.blockStart, left.blockEnd, right.blockStart, right.blockEnd);
  return true;
}

/**
 * Aligns the text beyond (a, b) in a direction as far as it matches, including gaps. Appends the runs to otherRuns,
 * nearest first.
 */
function goOutward(a: u32, b: u32, direction: i32, roomA: u32, roomB: u32): void {
  let usedA: u32 = 0,
    usedB: u32 = 0;
  if (roomA && roomB) {
    reach(a, b, direction, roomA, roomB);
    usedA = extension.usedA;
    usedB = extension.usedB;
    if (usedA != roomA && usedB != roomB) {
      bridge(a + direction * usedA, b + direction * usedB, direction, roomA - usedA, roomB - usedB);
      usedA += gap.bridgedA;
      usedB += gap.bridgedB;
    }
  }
  pair.left.outward = usedA;
  pair.right.outward = usedB;
}

/** Returns true if the current block of a side is no larger than its passage. */
@inline function isSurrounded(side: Side): bool {
  return side.blockStart == side.start && side.blockEnd == side.end;
}

/**
 * Returns true if the current block of a side is in the same part between separators as the beginning of its passage.
 */
function isOnePart(side: Side): bool {
  return (
    !side.isApart ||
    (side.blockStart >= partStart(side.tokens, side.start) &&
      side.blockEnd <= partEnd(side.tokens, side.tokenCount, side.start))
  );
}

/**
 * Finds the block of the given level around the passage of a side; in prose, its paragraph. Returns false if there is
 * none.
 */
function surround(side: Side, level: i32): bool {
  if (!pair.renaming) return paragraphAround(side, roomAround(side));
  const isInIndents = side.isMarked && isIndented(side, side.start);
  if (isInIndents && level > 1) return false;
  return takeBlock(side, level - 1) && (!isInIndents || encloseIndents(side));
}
