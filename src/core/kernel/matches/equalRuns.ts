// Finds maximal runs of identical tokens in two documents. All such runs must be reported, so they are found from equal
// windows before anything is aligned. In the end, each run that no match contains becomes a match.
import { nextLineStart } from './bounds';
import { runOnly, Seed } from '../seeds/seed';
import { leftToken, pair, rightToken } from './documentPair';
import { reserve } from './matchScratch';
import { Side } from './side';
import { slide } from './extend';
import { copyRun, Run } from './runs';
import { asWritten } from '../documents/fingerprint';
import { isLiteral, rowAnchor } from '../documents/listings';
import { golden32 } from '../documents/hashFactors';
import { itemOf, newRecord, recordBytes } from '../records';

/** Maximum number of runs in the list; the same as in runs.ts. */
const listRoom: u32 = 1 << 12;
/**
 * Number of bits of a slot number in the table of diagonals (b − a). For each diagonal, the table remembers the last
 * range that was examined.
 */
const diagonalBits: u32 = 13;
const diagonalSlots: u32 = 1 << diagonalBits;

/** A diagonal in the table. */
@unmanaged export class Diagonal {
  /** Number of the pair of documents to which this entry belongs. */
  round: u32;
  diagonal: u32;
  /** The range that was examined last: tokens [start, end) of the left document. */
  start: u32;
  end: u32;
  /**
   * End of the run of identical tokens that contains the range. The rest of the run may not have been examined; see
   * `followFrom`.
   */
  runEnd: u32;
}

/** State of the search for runs in the current pair of documents. */
@unmanaged export class EqualRuns {
  /** Number of tokens that were compared to follow the runs of the current pair. */
  tokensFollowed: u64;
  /** Address of the runs. Memory for a sorted copy follows them. */
  list: usize;
  spareList: usize;
  /** Address of `diagonalSlots` records of the type `Diagonal`. */
  diagonals: usize;
  /** Number of the current pair of documents. */
  round: u32;
  minLength: u32;
  /** Number of runs. When all have been found, they are sorted by length, longest first. */
  count: u32;
}

let equalRuns = changetype<EqualRuns>(0);

const scratchAt = reserve(
  recordBytes<EqualRuns>() + 2 * <usize>listRoom * offsetof<Run>() + <usize>diagonalSlots * offsetof<Diagonal>(),
);

export function placeEqualRuns(scratch: usize): void {
  const address = scratch + scratchAt;
  equalRuns = newRecord<EqualRuns>(address);
  equalRuns.list = address + recordBytes<EqualRuns>();
  equalRuns.spareList = changetype<usize>(itemOf<Run>(equalRuns.list, listRoom));
  equalRuns.diagonals = changetype<usize>(itemOf<Run>(equalRuns.spareList, listRoom));
  memory.fill(equalRuns.diagonals, 0, <usize>diagonalSlots * offsetof<Diagonal>());
}

/**
 * Returns the state for a search in the current pair of documents, without runs.
 *
 * @param minLength  minimum number of tokens in a run
 */
export function openEqualRuns(minLength: u32): EqualRuns {
  equalRuns.minLength = minLength;
  equalRuns.tokensFollowed = 0;
  if (++equalRuns.round == 0) {
    memory.fill(equalRuns.diagonals, 0, <usize>diagonalSlots * offsetof<Diagonal>());
    equalRuns.round = 1;
  }
  return equalRuns;
}

@inline export function equalRun(equalRuns: EqualRuns, i: u32): Run {
  return itemOf<Run>(equalRuns.list, i);
}

/**
 * Finds the maximal runs of identical tokens through the seeds [from, to) of the current pair.
 *
 * @returns number of the seed at which the list was full, or `to`
 */
export function findEqualRuns(equalRuns: EqualRuns, seeds: usize, from: u32, to: u32): u32 {
  equalRuns.count = 0;
  let seed = from;
  for (; seed < to && equalRuns.count < listRoom; seed++) {
    const record = itemOf<Seed>(seeds, seed);
    const bits = record.bits;
    // Skip seeds with differing bits, because their tokens differ.
    if (bits == 0 || bits == runOnly) follow(equalRuns, record.tokenA, record.posB, bits == 0);
  }
  sortByLength(equalRuns);
  return seed;
}

/**
 * Returns true if a seed lies on a run that `findEqualRuns` has found. May return false if the table no longer has the
 * run's diagonal.
 */
export function isOnEqualRun(equalRuns: EqualRuns, posA: u32, posB: u32): bool {
  const slot = slotOf(equalRuns, posB - posA);
  if (slot.round != equalRuns.round || slot.diagonal != posB - posA) return false;
  const a = slot.start,
    end = slot.end;
  return posA >= a && posA < end && end - a >= equalRuns.minLength;
}

@inline function slotOf(equalRuns: EqualRuns, diagonal: u32): Diagonal {
  return itemOf<Diagonal>(equalRuns.diagonals, (diagonal * golden32) >> (32 - diagonalBits));
}

/**
 * Follows the run through the windows that begin at posA and posB. Windows in rows of data begin at positions that are
 * selected by content, so the run may begin earlier.
 */
function follow(equalRuns: EqualRuns, posA: u32, posB: u32, isNearest: bool): void {
  const x = leftToken(posA),
    y = rightToken(posB);
  if (x != y || (isLiteral(x) && !isEqualWindow(posA, posB))) {
    if (!isLiteral(x) || !isLiteral(y)) return;
    posA = anchorFrom(pair.left, posA);
    posB = anchorFrom(pair.right, posB);
    if (pair.sameDocument && posA >= posB) return;
  }
  followFrom(equalRuns, posA, posB, isNearest);
}

@inline function anchorFrom(side: Side, position: u32): u32 {
  return rowAnchor(side.tokens, position, nextLineStart(side, position), side.tokenCount);
}

/**
 * Returns true if the next eight tokens from posA and posB on are identical, so that an equal window may begin here.
 */
function isEqualWindow(posA: u32, posB: u32): bool {
  return (
    posA + 8 <= pair.left.tokenCount &&
    posB + 8 <= pair.right.tokenCount &&
    equalBehind(pair.left.at(posA), pair.right.at(posB), 8) == 8
  );
}

/**
 * Follows the run through (posA, posB) to both ends, unless the table of diagonals shows that it was followed. Within
 * one document, the left side must end where the right side begins. So if the offset between the sides is the period of
 * a repetitive text, each period is a separate run, and only the period that contains the seed is followed.
 *
 * @param isNearest  false for a `runOnly` seed, whose windows are not the nearest equal ones. In repetitive text, such
 *   seeds are ignored; otherwise, every multiple of the period would lead to runs
 */
function followFrom(equalRuns: EqualRuns, posA: u32, posB: u32, isNearest: bool): void {
  const diagonal = posB - posA;
  const slot = slotOf(equalRuns, diagonal);
  const isKnown = slot.round == equalRuns.round && slot.diagonal == diagonal;
  const knownEnd = slot.end;
  if (isKnown && posA >= slot.start && posA < knownEnd) return;
  // This run was followed before, but not in the period that contains this seed. Do not search for the beginning of the
  // run again, which would take quadratic time.
  const goesOn = isKnown && posA >= knownEnd && posA < slot.runEnd;
  if (goesOn && !isNearest) return;
  let a = knownEnd,
    runEnd = slot.runEnd;
  if (!goesOn) {
    const x = pair.left.at(posA),
      y = pair.right.at(posB);
    a = posA - equalBefore(x, y, min(posA, posB));
    runEnd = posA + equalBehind(x, y, min(pair.left.tokenCount - posA, pair.right.tokenCount - posB));
    equalRuns.tokensFollowed += <u64>(runEnd - a);
  }
  let end = runEnd;
  if (pair.sameDocument) {
    if (!isNearest && runEnd - a >= diagonal) {
      // Ignore such a seed in repetitive text. Record the run, but do not mark any part of it as examined.
      rememberRun(slot, equalRuns.round, diagonal, a, a, runEnd);
      return;
    }
    a += ((posA - a) / diagonal) * diagonal;
    end = min(end, a + diagonal);
  }
  const isLong = end >= a + equalRuns.minLength && end > posA;
  // After the last period, a short remainder must not replace the entry of the periods.
  if (goesOn && !isLong) return;
  rememberRun(slot, equalRuns.round, diagonal, goesOn && a == knownEnd ? slot.start : a, max(end, posA + 1), runEnd);
  if (!isLong) return;
  const run = equalRun(equalRuns, equalRuns.count++);
  run.a = a;
  run.b = a + diagonal;
  run.length = end - a;
}

/** Marks the tokens [a, end) as examined. These tokens belong to the run that ends at `runEnd` (exclusive). */
@inline function rememberRun(slot: Diagonal, round: u32, diagonal: u32, a: u32, end: u32, runEnd: u32): void {
  slot.round = round;
  slot.diagonal = diagonal;
  slot.start = a;
  slot.end = end;
  slot.runEnd = runEnd;
}

/** Returns the number of identical tokens from x and y on, at most `room`. */
@inline function equalBehind(x: usize, y: usize, room: u32): u32 {
  return <u32>slide(x, y, 4, 0, 0, room, room, asWritten);
}

/** Returns the number of identical tokens before x and y, at most `room`. */
@inline function equalBefore(x: usize, y: usize, room: u32): u32 {
  return <u32>slide(x - 4, y - 4, -4, 0, 0, room, room, asWritten);
}

/** Sorts runs by length, longest first, with a stable merge sort. */
function sortByLength(equalRuns: EqualRuns): void {
  for (let width: u32 = 1; width < equalRuns.count; width <<= 1) {
    for (let start: u32 = 0; start < equalRuns.count; start += width << 1)
      mergeByLength(equalRuns, start, min(start + width, equalRuns.count), min(start + (width << 1), equalRuns.count));
    const sorted = equalRuns.spareList;
    equalRuns.spareList = equalRuns.list;
    equalRuns.list = sorted;
  }
}

/** Merges the runs [x, middle) and [middle, end) of the list into the other half of the list's memory. */
function mergeByLength(equalRuns: EqualRuns, x: u32, middle: u32, end: u32): void {
  let y = middle;
  for (let to = x; to < end; to++) {
    const isLeft = y == end || (x < middle && equalRun(equalRuns, x).length >= equalRun(equalRuns, y).length);
    copyRun(itemOf<Run>(equalRuns.spareList, to), itemOf<Run>(equalRuns.list, isLeft ? x++ : y++));
  }
}
