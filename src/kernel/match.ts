// From seeds to matches: a seed (two windows with near fingerprints) is extended along the tokens of both documents
// (extend.ts, gaps.ts), and the pieces of one pair of documents are chained across gaps, rescored (rescore.ts), trimmed
// (trimming.ts), widened to whole blocks and asked whether they are worth showing (convincing.ts).
import { blockEnd, blockStart, paragraphAround, setBrackets } from './bounds';
import { convincing, convincingInAnyOrder, endA, endB, featureScratchBytes, isGiven, largeEnough, openConvincing, placeFeatures, setConvincing, setPassages, startA, startB } from './convincing';
import {
  left, leftApart, leftCount, leftLineCount, leftLines, leftToken, openDocuments, partEnd, partStart, renaming, right, rightApart, rightCount,
  rightLineCount, rightLines, rightToken, sameDocument, weightOf,
} from './documentPair';
import { extensionScratchBytes, placeExtension, reach, setExtension, usedA, usedB } from './extend';
import { gapRoom, gapScratchBytes, leap, mostlyRenamed, placeGaps, setGaps, setRenamedCopy } from './gaps';
import { knowsColumns, nameScratchBytes, placeNames } from './renaming';
import { mostReordered } from './reordered';
import { bestScore, boundScore, gapCost, mostScore, rescore, rescoreCounted, setBestScore, setGapFactor, trim } from './rescore';
import {
  appendRuns, appendRunsFrom, copyRun, otherRunCount, otherRuns, placeRuns, putRun, runBytes, runCount, runRoom, runs, runScratchBytes, setOtherRunCount,
  setRunCount, spanRuns,
} from './runs';
import { balance, trimToLines } from './trimming';
import { openWidening, placeWidening, widen, wideningScratchBytes, widestLevel } from './widening';

const pieceRoom: u32 = 1 << 13;
const pieceBytes: usize = 48;
/** Bytes of a match: twelve words, see `emit`. */
const matchBytes: usize = 48;
/** Pieces looked back at to see whether a seed is covered already. */
const lookBack: u32 = 24;

// Parts of the scratch memory, laid out by `prepareMatching`.
let pieces: usize = 0;
let order: usize = 0;

// Settings of this call.
let promisingScore: i32 = 0;
let leastScore: i32 = 0;

// The stretch of either side that the extension at hand may use.
let leftFrom: u32 = 0;
let leftTo: u32 = 0;
let rightFrom: u32 = 0;
let rightTo: u32 = 0;

let pieceCount: u32 = 0;

/** Bytes of scratch memory that `matchSeeds` needs. */
export function matchScratchBytes(): usize {
  return align16(extensionScratchBytes) + align16(nameScratchBytes) + align16(gapScratchBytes) + align16(featureScratchBytes) + align16(wideningScratchBytes)
    + align16(runScratchBytes) + <usize>pieceRoom * (pieceBytes + 4);
}

/** Lays the scratch memory of the matcher out that works from now on, and clears what has to be clear. */
export function prepareMatching(scratch: usize): void {
  placeExtension(scratch);
  scratch += align16(extensionScratchBytes);
  placeNames(scratch);
  scratch += align16(nameScratchBytes);
  placeGaps(scratch);
  scratch += align16(gapScratchBytes);
  placeFeatures(scratch);
  scratch += align16(featureScratchBytes);
  placeWidening(scratch);
  scratch += align16(wideningScratchBytes);
  placeRuns(scratch);
  pieces = scratch + align16(runScratchBytes);
  order = pieces + <usize>pieceRoom * pieceBytes;
}

@inline function align16(size: usize): usize {
  return (size + 15) & ~15;
}

/**
 * The matches of sorted seeds [from, to).
 *
 * @param documents  records as `gatherWindows` reads them
 * @param settings   see `readSettings`
 * @param out        records of `matchBytes`, see `emit`; room for `room` of them
 * @param progress   u32: the seed to go on with, when `room` is used up
 * @returns          records written
 */
export function matchSeeds(seeds: usize, from: u32, to: u32, documents: usize, settings: usize, out: usize, room: u32, progress: usize): u32 {
  readSettings(settings);
  let written: u32 = 0;
  let seed = from;
  while (seed < to) {
    const first = seeds + (<usize>seed << 4);
    const docA = load<u32>(first);
    const docB = load<u32>(first, 4);
    let end = seed + 1;
    while (end < to && load<u64>(seeds + (<usize>end << 4)) == load<u64>(first)) end++;
    openPair(documents, docA, docB, false);
    for (let i = seed; i < end; i++) {
      const record = seeds + (<usize>i << 4);
      const word = load<u32>(record, 8);
      extendSeed(word & 0x07ffffff, load<u32>(record, 12), word >> 27);
    }
    if (written + pieceCount > room) break;
    written = chainPieces(docA, docB, out, written);
    seed = end;
  }
  store<u32>(progress, seed);
  return written;
}

/**
 * The match of two given passages, tokens [a0, a1) of docA and [b0, b1) of docB, aligned from their beginnings, or, in
 * prose, in any order. Writes a record as `matchSeeds` does; returns 1, or 0 when they do not match.
 */
export function matchPassages(documents: usize, settings: usize, docA: u32, a0: u32, a1: u32, docB: u32, b0: u32, b1: u32, out: usize): u32 {
  readSettings(settings);
  openPair(documents, docA, docB, true);
  const aligned = alignPassages(docA, a0, a1, docB, b0, b1, out);
  if (aligned || renaming) return aligned;
  setPassages(a0, a1, b0, b1);
  return emitInAnyOrder(docA, docB, 64, out) ? 1 : 0;
}

function alignPassages(docA: u32, a0: u32, a1: u32, docB: u32, b0: u32, b1: u32, out: usize): u32 {
  setRenamedCopy(renaming);
  setOtherRunCount(0);
  reach(a0, b0, 1, a1 - a0, b1 - b0);
  leap(a0 + usedA, b0 + usedB, 1, a1 - a0 - usedA, b1 - b0 - usedB);
  for (let i: u32 = 0; i < otherRunCount; i++) copyRun(otherRuns + <usize>i * runBytes);
  if (!runCount) return 0;
  rescore(runs, 0, runCount);
  if (bestScore < leastScore) return 0;
  const p = piece(0);
  trim(runs, p);
  store<i32>(p, bestScore, 16);
  setOtherRunCount(0);
  appendRuns(p);
  return emit(docA, docB, 64, out, 0, p, false);
}

// The layout of the settings: matches.ts writes it.
function readSettings(settings: usize): void {
  setExtension(load<i32>(settings));
  setGaps(load<u32>(settings, 4));
  leastScore = load<i32>(settings, 8);
  promisingScore = load<i32>(settings, 12);
  setBrackets(<usize>load<u32>(settings, 16));
  setConvincing(settings);
}

function openPair(documents: usize, docA: u32, docB: u32, given: bool): void {
  openDocuments(documents, docA, docB);
  openConvincing(given);
  leftFrom = rightFrom = 0;
  leftTo = leftCount;
  rightTo = rightCount;
  setRunCount(0);
  pieceCount = 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Extending

// A piece: { a0, a1, b0, b1, score, first run, end run, bits, used }
@inline function piece(i: u32): usize { return pieces + <usize>i * pieceBytes; }

function extendSeed(posA: u32, posB: u32, bits: u32): void {
  // Covered by a piece already: the nearest bits are kept.
  for (let i = pieceCount, end = pieceCount > lookBack ? pieceCount - lookBack : 0; i-- > end; ) {
    const p = piece(i);
    if (posA < load<u32>(p) || posA >= load<u32>(p, 4) || posB < load<u32>(p, 8) || posB >= load<u32>(p, 12)) continue;
    if (!onPath(p, posA, posB)) continue;
    if (bits < load<u32>(p, 28)) store<u32>(p, bits, 28);
    return;
  }
  if (pieceCount >= pieceRoom || runCount + (1 << 14) > runRoom) return;
  const firstRun = runCount;
  extendAround(posA, posB);
  if (runCount > firstRun) {
    // Most seeds are a chance likeness: only what is promising is followed over gaps.
    const certain = boundScore(runs, firstRun, runCount, promisingScore);
    if (!certain) {
      if (mostScore < min(leastScore, promisingScore)) setBestScore(mostScore);
      else rescore(runs, firstRun, runCount);
    }
    const reached = runCount;
    if (certain || bestScore >= promisingScore) {
      setRenamedCopy(renaming && mostlyRenamed(firstRun));
      leapBoth(firstRun);
    }
    if (certain || runCount > reached) rescore(runs, firstRun, runCount);
  }
  // What was looked at is remembered even when it is no match, so that its other seeds are not tried again.
  const p = piece(pieceCount++);
  store<i32>(p, 0, 16);
  store<u32>(p, bits, 28);
  store<u32>(p, 0, 32);
  spanRuns(runs, p, firstRun, runCount);
  if (runCount == firstRun) {
    store<u32>(p, posA); store<u32>(p, posA + 1, 4); store<u32>(p, posB, 8); store<u32>(p, posB + 1, 12);
  } else if (bestScore < leastScore) {
    setRunCount(firstRun);
    store<u32>(p, firstRun, 24);
  } else {
    trim(runs, p);
    store<i32>(p, bestScore, 16);
  }
}

// What the extension at hand reaches: tokens [fromA, toA) and [fromB, toB).
let fromA: u32 = 0;
let toA: u32 = 0;
let fromB: u32 = 0;
let toB: u32 = 0;

/** Extends a seed forward and backward; the runs are appended in ascending order. */
function extendAround(posA: u32, posB: u32): void {
  if (leftApart) { leftFrom = partStart(left, posA); leftTo = partEnd(left, leftCount, posA); }
  if (rightApart) { rightFrom = partStart(right, posB); rightTo = partEnd(right, rightCount, posB); }
  // In one document the left passage must end before the right one begins.
  setOtherRunCount(0);
  reach(posA, posB, 1, (sameDocument ? min(posB, leftTo) : leftTo) - posA, rightTo - posB);
  toA = posA + usedA;
  toB = posB + usedB;
  const forward = otherRunCount;
  reach(posA, posB, -1, posA - leftFrom, posB - (sameDocument ? max(toA, rightFrom) : rightFrom));
  fromA = posA - usedA;
  fromB = posB - usedB;
  for (let i = otherRunCount; i-- > forward; ) copyRun(otherRuns + <usize>i * runBytes);
  for (let i: u32 = 0; i < forward; i++) copyRun(otherRuns + <usize>i * runBytes);
}

/** Goes on over gaps at both ends of the runs from `firstRun` on. */
function leapBoth(firstRun: u32): void {
  setOtherRunCount(0);
  toA += leap(toA, toB, 1, (sameDocument ? min(fromB, leftTo) : leftTo) - toA, rightTo - toB);
  for (let i: u32 = 0; i < otherRunCount; i++) copyRun(otherRuns + <usize>i * runBytes);
  setOtherRunCount(0);
  leap(fromA, fromB, -1, fromA - leftFrom, fromB - (sameDocument ? max(toA, rightFrom) : rightFrom));
  if (otherRunCount == 0 || runCount + otherRunCount > runRoom) return;
  const to = runs + <usize>(firstRun + otherRunCount) * runBytes;
  memory.copy(to, runs + <usize>firstRun * runBytes, <usize>(runCount - firstRun) * runBytes);
  for (let i: u32 = 0; i < otherRunCount; i++) {
    putRun(runs + <usize>(firstRun + i) * runBytes, otherRuns + <usize>(otherRunCount - 1 - i) * runBytes);
  }
  setRunCount(runCount + otherRunCount);
}

/**
 * Whether the alignment of a piece leads through (posA, posB), or leaves posA out. In text that resembles itself the same
 * two stretches align in several ways, and the best is not always found first.
 */
function onPath(p: usize, posA: u32, posB: u32): bool {
  for (let r = load<u32>(p, 20), end = load<u32>(p, 24); r < end; r++) {
    const run = runs + <usize>r * runBytes;
    const a = load<u32>(run);
    if (posA < a) return true;
    if (posA < a + load<u32>(run, 8)) return posB - posA == load<u32>(run, 4) - a;
  }
  return load<u32>(p, 20) < load<u32>(p, 24) || posB - posA == load<u32>(p, 8) - load<u32>(p);
}

// ---------------------------------------------------------------------------------------------------------------------
// Chaining

/** Chains the pieces of the pair at hand across gaps and writes what is large and similar enough. */
function chainPieces(docA: u32, docB: u32, out: usize, written: u32): u32 {
  // Pieces in the order of their left passage; the list is short and nearly sorted, so by insertion.
  let n: u32 = 0;
  for (let i: u32 = 0; i < pieceCount; i++) {
    if (load<i32>(piece(i), 16) <= 0) continue;
    const a0 = load<u32>(piece(i));
    const b0 = load<u32>(piece(i), 8);
    let at = n++;
    while (at > 0) {
      const before = load<u32>(order + (<usize>(at - 1) << 2));
      const ba = load<u32>(piece(before));
      if (ba < a0 || (ba == a0 && load<u32>(piece(before), 8) <= b0)) break;
      store<u32>(order + (<usize>at << 2), before);
      at--;
    }
    store<u32>(order + (<usize>at << 2), i);
  }
  for (let i: u32 = 0; i < n; i++) {
    const head = piece(load<u32>(order + (<usize>i << 2)));
    if (load<u32>(head, 32)) continue;
    store<u32>(head, 1, 32);
    setOtherRunCount(0);
    appendRuns(head);
    let a1 = load<u32>(head, 4), b1 = load<u32>(head, 12);
    let score = load<i32>(head, 16), bits = load<u32>(head, 28);
    let chained = false;
    for (let j = i + 1; j < n; j++) {
      const next = piece(load<u32>(order + (<usize>j << 2)));
      if (load<u32>(next, 32)) continue;
      const a0 = load<u32>(next), b0 = load<u32>(next, 8);
      if (a0 > a1 + gapRoom) break;
      if (load<u32>(next, 4) <= a1 || load<u32>(next, 12) <= b1 || b0 > b1 + gapRoom) continue;
      // A small overlap belongs to the piece before; a large one means that these are two different alignments.
      const overlap = max<i32>(<i32>a1 - <i32>a0, <i32>b1 - <i32>b0);
      if (overlap > 16) continue;
      if (sameDocument && load<u32>(next, 4) > load<u32>(head, 8)) continue;
      if ((leftApart && partStart(left, a0) > a1) || (rightApart && partStart(right, b0) > b1)) continue;
      const cost = gapCost(a1, max(a0, a1), b1, max(b0, b1));
      if (cost >= min(score, load<i32>(next, 16))) continue;
      store<u32>(next, 1, 32);
      appendRunsFrom(next, a1, b1);
      a1 = load<u32>(next, 4);
      b1 = load<u32>(next, 12);
      score += load<i32>(next, 16) - cost;
      bits = min(bits, load<u32>(next, 28));
      chained = true;
    }
    if (otherRunCount == 0) continue;
    const before = written;
    written = emit(docA, docB, bits, out, written, head, chained);
    if (written == before && !renaming) written = emitReordered(docA, docB, bits, out, written, head, n);
  }
  return written;
}

/** Writes the short paragraphs around a piece as a match if they say the same in another order; its pieces are used then. */
function emitReordered(docA: u32, docB: u32, bits: u32, out: usize, written: u32, p: usize, n: u32): u32 {
  const record = out + <usize>written * matchBytes;
  if (!paragraphAround(leftCount, leftLines, leftLineCount, load<u32>(p), load<u32>(p, 4), mostReordered)) return written;
  const fromA = blockStart, toA = blockEnd;
  if (!paragraphAround(rightCount, rightLines, rightLineCount, load<u32>(p, 8), load<u32>(p, 12), mostReordered)) return written;
  setPassages(fromA, toA, blockStart, blockEnd);
  if (!emitInAnyOrder(docA, docB, bits, record)) return written;
  for (let i: u32 = 0; i < n; i++) {
    const other = piece(load<u32>(order + (<usize>i << 2)));
    if (load<u32>(other) < startA || load<u32>(other, 4) > endA || load<u32>(other, 8) < startB || load<u32>(other, 12) > endB) continue;
    store<u32>(other, 1, 32);
  }
  return written + 1;
}

/** Writes the passages at hand as a match if they say the same in any order; what they share is its score. */
function emitInAnyOrder(docA: u32, docB: u32, bits: u32, record: usize): bool {
  if (!convincingInAnyOrder(record)) return false;
  setBestScore(<i32>load<u32>(record, 24) * (weightOf(leftToken(startA)) << 1));
  writePassages(record, docA, docB, bits);
  return true;
}

function writePassages(record: usize, docA: u32, docB: u32, bits: u32): void {
  store<u32>(record, docA); store<u32>(record, docB, 4);
  store<u32>(record, startA, 8); store<u32>(record, endA, 12);
  store<u32>(record, startB, 16); store<u32>(record, endB, 20);
  store<u32>(record, bits, 40); store<i32>(record, bestScore, 44);
}

/**
 * Writes one match if it is large, similar and convincing enough. An alignment that is too loose as a whole is cut down
 * to a tighter stretch by making gaps dearer; one that nearly fills a block on both sides is widened to the whole of it.
 * The record: docA, docB, a0, a1, b0, b1 (tokens), tokens equal as written, renamed consistently, renamed once, not
 * consistent, bits, score.
 */
function emit(docA: u32, docB: u32, bits: u32, out: usize, written: u32, p: usize, chained: bool): u32 {
  const record = out + <usize>written * matchBytes;
  let first: u32 = 0;
  let end = otherRunCount;
  // Whether names were counted last for runs [first, end).
  let counted = false;
  let triedFirst: u32 = 0, triedEnd: u32 = 0, triedA: u64 = 0, triedB: u64 = 0;
  for (let factor = 1; factor <= 4; factor <<= 1) {
    if (chained || factor > 1) {
      setGapFactor(factor);
      if (counted && knowsColumns()) rescoreCounted(otherRuns, first, end);
      else rescore(otherRuns, first, end);
      setGapFactor(1);
      if (bestScore < leastScore) return written;
      trim(otherRuns, p);
    } else {
      store<u32>(p, 0, 20);
      store<u32>(p, otherRunCount, 24);
      setBestScore(load<i32>(p, 16));
    }
    if (renaming) {
      balance(p);
      trimToLines(p);
    }
    first = load<u32>(p, 20);
    end = load<u32>(p, 24);
    if (first >= end) return written;
    // What dearer gaps have not changed does not convince this time either.
    if (first == triedFirst && end == triedEnd && load<u64>(p) == triedA && load<u64>(p, 8) == triedB) {
      counted = true;
      continue;
    }
    triedFirst = first;
    triedEnd = end;
    triedA = load<u64>(p);
    triedB = load<u64>(p, 8);
    const alignment = otherRunCount;
    openWidening();
    for (let level = isGiven ? 0 : widestLevel(); level >= 0; level--) {
      let found = false;
      setPassages(load<u32>(p), load<u32>(p, 4), load<u32>(p, 8), load<u32>(p, 12));
      if (level == 0) found = convincing(first, end, record);
      else if (widen(first, end, level)) found = convincing(alignment, otherRunCount, record) || (!renaming && convincingInAnyOrder(record));
      setOtherRunCount(alignment);
      if (!found) continue;
      writePassages(record, docA, docB, bits);
      return written + 1;
    }
    counted = largeEnough();
  }
  return written;
}
