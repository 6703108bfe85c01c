// Widens a match to the surrounding blocks or paragraphs: if most of a function or paragraph was copied, the whole
// function or paragraph counts as a copy.
import { paragraphAround, roomAround, setBlock, setStatements } from './bounds';
import { classifier } from './classifier';
import { pair, setPassages } from './documentPair';
import { extension, extendFrom } from './extend';
import { bridge, gap, mostlyRenamed } from './gaps';
import { encloseIndents, isIndented } from './indentation';
import { appendRuns, lists, reverseRuns } from './runs';
import { Side, widestBlock } from './side';
import { partEnd, partStart } from '../documents/separators';

/** Level of a block that is extended to the end of the statement in which it ends. */
export const statementLevel: i32 = 0;

/** Returns how many times a match may be widened: to blocks in code, to a paragraph in prose. */
@inline export function widestLevel(): i32 {
  return pair.renaming ? widestBlock : 1;
}

/**
 * Widens the current passages to the block or paragraph around them. Appends the alignment to otherRuns: the parts
 * before, then the runs [first, end), then the parts after. The new parts are aligned both outward from the passages,
 * which an open bracket may have cut short, and inward from the ends of the block.
 */
export function widen(first: u32, end: u32, level: i32): bool {
  const left = pair.left,
    right = pair.right;
  if (!surround(left, level) || !surround(right, level)) return false;
  if (isSurrounded(left) && isSurrounded(right)) return false;
  if (pair.sameDocument && left.blockEnd > right.blockStart) return false;
  if (!isOnePart(left) || !isOnePart(right)) return false;
  if (min(left.blockEnd - left.blockStart, right.blockEnd - right.blockStart) < classifier.minTokens) return false;
  gap.isRenamedCopy = pair.renaming && mostlyRenamed(lists.otherRuns, first, end);
  const heads = lists.otherRunCount;
  extendOutward(left.start, right.start, -1, left.start - left.blockStart, right.start - right.blockStart);
  const outer = lists.otherRunCount;
  extendFrom(
    left.blockStart,
    right.blockStart,
    1,
    left.start - left.outward - left.blockStart,
    right.start - right.outward - right.blockStart,
  );
  // The runs of each search are in the order in which they were found. Runs found from the outer ends are in ascending
  // order, the others in descending order.
  reverseRuns(heads, lists.otherRunCount);
  reverseRuns(heads, heads + lists.otherRunCount - outer);
  appendRuns(lists.otherRuns, first, end);
  extendOutward(left.end, right.end, 1, left.blockEnd - left.end, right.blockEnd - right.end);
  const tails = lists.otherRunCount;
  extendFrom(
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
 * Aligns the text beyond (a, b) in one direction as far as it matches, across gaps. Appends the runs to `otherRuns`,
 * nearest first.
 */
function extendOutward(a: u32, b: u32, direction: i32, roomA: u32, roomB: u32): void {
  let usedA: u32 = 0,
    usedB: u32 = 0;
  if (roomA && roomB) {
    extendFrom(a, b, direction, roomA, roomB);
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

/** Returns true if the passage of a side is exactly its current block. */
@inline function isSurrounded(side: Side): bool {
  return side.blockStart == side.start && side.blockEnd == side.end;
}

/** Returns true if no separator is between the beginning of a side's passage and its current block. */
function isOnePart(side: Side): bool {
  return (
    !side.isApart ||
    (side.blockStart >= partStart(side.tokens, side.start) &&
      side.blockEnd <= partEnd(side.tokens, side.tokenCount, side.start))
  );
}

/**
 * Finds the block at the given level around a side's passage or, in prose, the paragraph. Returns false if there is
 * none.
 */
function surround(side: Side, level: i32): bool {
  if (!pair.renaming) return paragraphAround(side, roomAround(side));
  const isInIndents = side.isMarked && isIndented(side, side.start);
  if (isInIndents && level > 1) return false;
  const isFound = level == statementLevel ? setStatements(side) : setBlock(side, level - 1);
  return isFound && (!isInIndents || encloseIndents(side));
}
