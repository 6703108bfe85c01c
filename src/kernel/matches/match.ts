// From seeds to matches: a seed (two windows with near fingerprints) is extended along the tokens of both documents
// (extend.ts, gaps.ts), and the pieces of one pair of documents are chained across gaps, rescored (rescore.ts), trimmed
// (trimming.ts), widened to whole blocks and asked whether they are worth showing (classifier.ts).
import { blockEnd, blockStart, paragraphAround, setBrackets } from './bounds';
import { runOnly } from '../seeds/candidates';
import { accepts, acceptsInAnyOrder, featureScratchBytes, isGiven, largeEnough, leastTokens, openClassifier, placeFeatures, setClassifier } from './classifier';
import {
  left, leftApart, leftCount, leftLineCount, leftLines, leftToken, openDocuments, renaming, right, rightApart, rightCount,
  rightLineCount, rightLines, rightToken, sameDocument, sumOfWeights, weightOf,
} from './documentPair';
import { extensionScratchBytes, placeExtension, reach, setExtension, usedA, usedB } from './extend';
import { gapRoom, gapScratchBytes, bridge, hasMoreGaps, bridgedA, bridgedB, mostlyRenamed, placeGaps, setGaps, setRenamedCopy } from './gaps';
import {
  equalRunA, equalRunB, equalRunCount, equalRunLength, equalRunScratchBytes, findEqualRuns, isOnEqualRun, openEqualRuns, placeEqualRuns, tokensFollowed,
} from './equalRuns';
import { endA, endB, setPassages, startA, startB } from './passages';
import { knowsColumns, nameScratchBytes, nextDifference, placeNames } from './renaming';
import { nextRenamedRun, nextSection, openRenamedRuns, openStretch, placeRenamedRuns, renamedRunScratchBytes, renamedTokensFollowed, sectionA, sectionB, sectionLength } from './renamedRuns';
import { mostReordered } from './reordered';
import { bestScore, boundScore, gapCost, mostScore, rescore, rescoreCounted, setBestScore, setGapFactor, trim } from './rescore';
import {
  addOtherRun, appendRuns, appendRunsFrom, chain, chainCount, chainRoom, copyRun, keepChain, otherRunCount, otherRuns, placeRuns, putRun, runBytes, runCount, runRoom, runs, runScratchBytes, setOtherRunCount,
  setRunCount, spanRuns, takeStretch,
} from './runs';
import { partEnd, partStart } from '../documents/separators';
import { balance, mostTrimmed, trimToLines } from './trimming';
import { openWidening, placeWidening, widen, wideningScratchBytes, widestLevel } from './widening';

const pieceRoom: u32 = 1 << 13;
const pieceBytes: usize = 48;
/** Bytes of a match: thirteen words, see `records`. */
const matchBytes: usize = 52;
/** Pieces looked back at to see whether a seed is covered already. */
const lookBack: u32 = 24;
/**
 * Tokens that two pieces of a chain may share. With fewer, pieces of one copy that share a little by chance where they meet
 * stay apart; with more, different alignments are joined, and the later one loses what they share. No measurement chose 16.
 */
const mostOverlap: i32 = 16;

// Parts of the scratch memory, laid out by `prepareMatching`.
let pieces: usize = 0;
/** A piece besides: the stretch of a chain that is written. */
let stretch: usize = 0;
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

/**
 * Tokens that one extension may use of either side in one direction. Listings of one form go on alike in every alignment of
 * them, so where there are many runs to extend each may go less far; chaining joins what is cut so.
 */
let extensionRoom: u32 = 0;
const extensionBudget: u32 = 1 << 22;
const leastExtension: u32 = 1 << 11;

/** Runs that one extension can make, and one `bridge`. */
const mostRunsOfExtension: u32 = 1 << 14;

/**
 * Tokens of either side that extensions of the pair at hand may still use beyond what each may use at once. Where nothing is
 * equal for long an extension has to go as far as it leads, since no other seed may lie there; in listings, which go on
 * alike in every alignment, that would take the square of their length.
 */
let roomBeyond: u32 = 0;

/**
 * Tokens that the extensions of the pair at hand have aligned, and how many they may: `extensionBudget`, and so many for each
 * token of both documents. In a long text of one form windows are near by chance, so many more in twice the text that each
 * cannot be aligned along all of it: what comes then has `spentExtension` for room. Real copies have seeds in each such
 * stretch, and chaining joins what is cut. In six trees of real sources no pair reached `extensionBudget` alone: see
 * bench/results/2026-11-22-corners.md.
 */
let tokensAligned: u64 = 0;
let tokensBudget: u64 = 0;
const alignedForToken: u64 = 8;
const spentExtension: u32 = 1 << 9;

/** The room of an extension that may have so much while the budget lasts. */
function roomLeft(room: u32): u32 {
  return tokensAligned > tokensBudget ? min(room, spentExtension) : room;
}

/** How many tokens of either side were compared to match the last pair of documents: to see how that grows with them. */
export function tokensCompared(): f64 {
  return <f64>(tokensFollowed + renamedTokensFollowed + tokensAligned);
}

/** Bytes of scratch memory that `matchSeeds` needs. */
export function matchScratchBytes(): usize {
  return align16(extensionScratchBytes) + align16(nameScratchBytes) + align16(gapScratchBytes) + align16(featureScratchBytes) + align16(wideningScratchBytes)
    + align16(runScratchBytes) + align16(equalRunScratchBytes) + align16(renamedRunScratchBytes) + <usize>pieceRoom * (pieceBytes + 4) + pieceBytes;
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
  scratch += align16(runScratchBytes);
  placeEqualRuns(scratch);
  scratch += align16(equalRunScratchBytes);
  placeRenamedRuns(scratch);
  pieces = scratch + align16(renamedRunScratchBytes);
  stretch = pieces + <usize>pieceRoom * pieceBytes;
  order = stretch + pieceBytes;
}

@inline function align16(size: usize): usize {
  return (size + 15) & ~15;
}

/**
 * The matches of sorted seeds [from, to).
 *
 * @param documents  records: see documentRecord.ts
 * @param settings   see `readSettings`
 * @param out        records of `matchBytes`, see `records`; room for `room` of them
 * @param progress   u32: the seed to go on with, when `room` is used up: `from` when it takes more room for one pair of documents
 * @returns          records written
 */
export function matchSeeds(seeds: usize, from: u32, to: u32, documents: usize, settings: usize, out: usize, room: u32, progress: usize): u32 {
  readSettings(settings);
  openRecords(out, room);
  let seed = from;
  while (seed < to) {
    const first = seeds + (<usize>seed << 4);
    let end = seed + 1;
    while (end < to && load<u64>(seeds + (<usize>end << 4)) == load<u64>(first)) end++;
    const before = recordCount;
    openPair(documents, load<u32>(first), load<u32>(first, 4), false);
    matchPair(seeds, seed, end);
    if (recordsLost) {
      recordCount = before;
      break;
    }
    seed = end;
  }
  store<u32>(progress, seed);
  return recordCount;
}

/** The matches of the pair at hand, from its seeds [seed, end): of more runs than are remembered at a time, those of a part of the seeds first. */
function matchPair(seeds: usize, seed: u32, end: u32): void {
  openEqualRuns(leastTokens);
  openRenamedRuns(leastTokens);
  const before = recordCount;
  while (seed < end) {
    const first = seed, next = findEqualRuns(seeds, seed, end);
    const roomBeside = max(leastExtension, extensionBudget / max(1, equalRunCount));
    // The longest run first: of several alignments of what resembles itself the one that most is equal in has to be there.
    for (let i: u32 = 0; i < equalRunCount; i++) {
      extensionRoom = roomLeft(roomBeside) + equalRunLength(i);
      extendSeed(equalRunA(i), equalRunB(i), 0);
    }
    for (; seed < next; seed++) {
      const record = seeds + (<usize>seed << 4);
      const word = load<u32>(record, 8);
      const posA = word & 0x07ffffff, posB = load<u32>(record, 12);
      if (word >> 27 == runOnly || isOnEqualRun(posA, posB)) continue;
      extensionRoom = roomLeft(roomBeside);
      extendSeed(posA, posB, word >> 27);
    }
    writeChains();
    for (let i: u32 = 0; i < equalRunCount; i++) writeEqualRun(equalRunA(i), equalRunB(i), equalRunLength(i), before);
    if (renaming) writeRenamedRuns(seeds, first, next, before);
  }
}

/**
 * The match of two given passages, tokens [a0, a1) of docA and [b0, b1) of docB, aligned from their beginnings, or, in
 * prose, in any order. Writes a record as `matchSeeds` does; returns 1, or 0 when they do not match.
 */
export function matchPassages(documents: usize, settings: usize, docA: u32, a0: u32, a1: u32, docB: u32, b0: u32, b1: u32, out: usize): u32 {
  readSettings(settings);
  openRecords(out, 1);
  openPair(documents, docA, docB, true);
  alignPassages(a0, a1, b0, b1);
  if (recordCount || renaming) return recordCount;
  setPassages(a0, a1, b0, b1);
  writeInAnyOrder(64);
  return recordCount;
}

function alignPassages(a0: u32, a1: u32, b0: u32, b1: u32): void {
  setRenamedCopy(renaming);
  setOtherRunCount(0);
  reach(a0, b0, 1, a1 - a0, b1 - b0);
  let a = a0 + usedA, b = b0 + usedB;
  for (;;) {
    bridge(a, b, 1, a1 - a, b1 - b);
    a += bridgedA;
    b += bridgedB;
    if (!hasMoreGaps || otherRunCount + mostRunsOfExtension > chainRoom) break;
  }
  for (let i: u32 = 0; i < otherRunCount; i++) copyRun(otherRuns + <usize>i * runBytes);
  if (!runCount) return;
  rescore(runs, 0, runCount);
  if (bestScore < leastScore) return;
  const p = piece(0);
  trim(runs, p);
  store<i32>(p, bestScore, 16);
  setOtherRunCount(0);
  appendRuns(p);
  writeMatch(p, 64, false);
}

// The layout of the settings: matches.ts writes it.
function readSettings(settings: usize): void {
  setExtension(load<i32>(settings));
  setGaps(load<u32>(settings, 4));
  leastScore = load<i32>(settings, 8);
  promisingScore = load<i32>(settings, 12);
  setBrackets(<usize>load<u32>(settings, 16));
  setClassifier(settings);
}

// The documents of the pair at hand, by number.
let docA: u32 = 0;
let docB: u32 = 0;

function openPair(documents: usize, a: u32, b: u32, given: bool): void {
  docA = a;
  docB = b;
  openDocuments(documents, a, b);
  openClassifier(given);
  leftFrom = rightFrom = 0;
  leftTo = leftCount;
  rightTo = rightCount;
  roomBeyond = (leftCount + rightCount) << 1;
  setRunCount(0);
  pieceCount = 0;
  tokensAligned = 0;
  tokensBudget = <u64>extensionBudget + alignedForToken * (<u64>leftCount + <u64>rightCount);
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
  makeRoom();
  const firstRun = runCount;
  extendAround(posA, posB);
  let onward = false, backward = false;
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
      onward = bridgeOnward(firstRun);
      backward = bridgeBackward(firstRun);
    }
    if (certain || runCount > reached) rescore(runs, firstRun, runCount);
  }
  tokensAligned += <u64>(toA - fromA);
  keepPiece(firstRun, posA, posB, bits);
  while (onward) onward = goOn(bits, 1);
  while (backward) backward = goOn(bits, -1);
}

/** Goes on behind a piece that has all the runs that one can have, in a piece of its own; returns whether there is more. */
function goOn(bits: u32, direction: i32): bool {
  makeRoom();
  const firstRun = runCount;
  const more = direction > 0 ? bridgeOnward(firstRun) : bridgeBackward(firstRun);
  if (runCount == firstRun) return false;
  rescore(runs, firstRun, runCount);
  keepPiece(firstRun, fromA, fromB, bits);
  return more;
}

/** Where there is no room for more, what there is is written: chains end there. */
function makeRoom(): void {
  if (pieceCount >= pieceRoom || !hasRunRoom()) writeChains();
}

@inline function hasRunRoom(): bool { return runCount + mostRunsOfExtension <= runRoom; }

/** Makes a piece of the runs from `firstRun` on, which were scored last; of none, one of the place that was looked at. */
function keepPiece(firstRun: u32, posA: u32, posB: u32, bits: u32): void {
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
  reach(posA, posB, 1, min(extensionRoom, (sameDocument ? min(posB, leftTo) : leftTo) - posA), min(extensionRoom, rightTo - posB));
  toA = posA + usedA;
  toB = posB + usedB;
  const forward = otherRunCount;
  reach(posA, posB, -1, min(extensionRoom, posA - leftFrom), min(extensionRoom, posB - (sameDocument ? max(toA, rightFrom) : rightFrom)));
  fromA = posA - usedA;
  fromB = posB - usedB;
  for (let i = otherRunCount; i-- > forward; ) copyRun(otherRuns + <usize>i * runBytes);
  for (let i: u32 = 0; i < forward; i++) copyRun(otherRuns + <usize>i * runBytes);
}

/** Goes on over gaps behind the runs from `firstRun` on; returns whether there is more than a piece can have. */
function bridgeOnward(firstRun: u32): bool {
  do {
    setOtherRunCount(0);
    bridge(toA, toB, 1, min(extensionRoom, (sameDocument ? min(fromB, leftTo) : leftTo) - toA), min(extensionRoom, rightTo - toB));
    for (let i: u32 = 0; i < otherRunCount; i++) copyRun(otherRuns + <usize>i * runBytes);
    toA += bridgedA;
    toB += bridgedB;
    if (!mayGoOn()) return false;
  } while (hasPieceRoom(firstRun));
  return true;
}

/** The same before them. */
function bridgeBackward(firstRun: u32): bool {
  do {
    setOtherRunCount(0);
    bridge(fromA, fromB, -1, min(extensionRoom, fromA - leftFrom), min(extensionRoom, fromB - (sameDocument ? max(toA, rightFrom) : rightFrom)));
    const to = runs + <usize>(firstRun + otherRunCount) * runBytes;
    memory.copy(to, runs + <usize>firstRun * runBytes, <usize>(runCount - firstRun) * runBytes);
    for (let i: u32 = 0; i < otherRunCount; i++) {
      putRun(runs + <usize>(firstRun + i) * runBytes, otherRuns + <usize>(otherRunCount - 1 - i) * runBytes);
    }
    setRunCount(runCount + otherRunCount);
    fromA -= bridgedA;
    fromB -= bridgedB;
    if (!mayGoOn()) return false;
  } while (hasPieceRoom(firstRun));
  return true;
}

/** Whether the last `bridge` ended for want of room alone, and another one may follow. */
function mayGoOn(): bool {
  const used = bridgedA + bridgedB;
  if (!used || used > roomBeyond || !(hasMoreGaps || max(bridgedA, bridgedB) + gapRoom >= extensionRoom)) return false;
  roomBeyond -= used;
  return true;
}

/** Whether the piece that begins with `firstRun` may become longer by what an extension makes: all of it has to fit into a chain. */
@inline function hasPieceRoom(firstRun: u32): bool {
  return hasRunRoom() && runCount - firstRun + mostRunsOfExtension <= chainRoom;
}

/**
 * Whether the alignment of a piece leads through (posA, posB), or leaves posA out. In text that resembles itself the same
 * two stretches align in several ways, and the best is not always found first.
 */
function onPath(p: usize, posA: u32, posB: u32): bool {
  const first = load<u32>(p, 20), end = load<u32>(p, 24);
  // The first run that ends behind posA.
  let low = first, high = end;
  while (low < high) {
    const middle = (low + high) >> 1;
    const run = runs + <usize>middle * runBytes;
    if (load<u32>(run) + load<u32>(run, 8) <= posA) low = middle + 1;
    else high = middle;
  }
  if (low == end) return first < end || posB - posA == load<u32>(p, 8) - load<u32>(p);
  const run = runs + <usize>low * runBytes;
  const a = load<u32>(run);
  return posA < a || posB - posA == load<u32>(run, 4) - a;
}

// ---------------------------------------------------------------------------------------------------------------------
// Chaining

/** Chains the pieces there are across gaps, writes what is large and similar enough, and forgets the pieces. */
function writeChains(): void {
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
    const a0 = load<u32>(head), b0 = load<u32>(head, 8);
    let a1 = load<u32>(head, 4), b1 = load<u32>(head, 12);
    let score = load<i32>(head, 16), bits = load<u32>(head, 28);
    let chained = false;
    for (let j = i + 1; j < n; j++) {
      const next = piece(load<u32>(order + (<usize>j << 2)));
      if (load<u32>(next, 32)) continue;
      const nextA = load<u32>(next), nextB = load<u32>(next, 8);
      if (nextA > a1 + gapRoom) break;
      if (load<u32>(next, 4) <= a1 || load<u32>(next, 12) <= b1 || nextB > b1 + gapRoom) continue;
      // A small overlap belongs to the piece before; a large one means that these are two different alignments.
      const overlap = max<i32>(<i32>a1 - <i32>nextA, <i32>b1 - <i32>nextB);
      if (overlap > mostOverlap) continue;
      if (sameDocument && load<u32>(next, 4) > b0) continue;
      if ((leftApart && partStart(left, nextA) > a1) || (rightApart && partStart(right, nextB) > b1)) continue;
      const cost = gapCost(a1, max(nextA, a1), b1, max(nextB, b1));
      if (cost >= min(score, load<i32>(next, 16))) continue;
      // What is too much for one chain is the head of the next.
      if (otherRunCount + load<u32>(next, 24) - load<u32>(next, 20) > chainRoom) break;
      store<u32>(next, 1, 32);
      appendRunsFrom(next, a1, b1);
      a1 = load<u32>(next, 4);
      b1 = load<u32>(next, 12);
      score += load<i32>(next, 16) - cost;
      bits = min(bits, load<u32>(next, 28));
      chained = true;
    }
    if (otherRunCount == 0) continue;
    keepChain();
    if (!writeStretch(head, bits, chained, a0, a1, b0, b1) && !renaming) writeReordered(bits, a0, a1, b0, b1, n);
  }
  pieceCount = 0;
  setRunCount(0);
}

/**
 * Writes what the runs in otherRuns have of matches, a stretch of the chain: the whole, and what that leaves out at its
 * ends; or, where the whole is not accepted, the parts of it that are dense.
 *
 * @param p  the piece of these runs, which is changed
 * @returns  whether there is a match
 */
function writeStretch(p: usize, bits: u32, chained: bool, a0: u32, a1: u32, b0: u32, b1: u32): bool {
  if (!writeMatch(p, bits, chained)) return a0 + (leastTokens << 1) <= a1 && writeDenseParts(bits, a0, a1);
  const fromA = startA, toA = endA, fromB = startB, toB = endB;
  writeRest(bits, a0, fromA, b0, fromB);
  writeRest(bits, toA, a1, toB, b1);
  return true;
}

/** The same of what the chain aligns of tokens [a0, a1) with [b0, b1). */
function writeRest(bits: u32, a0: u32, a1: u32, b0: u32, b1: u32): void {
  if (a0 + leastTokens > a1 || b0 + leastTokens > b1) return;
  if (takeStretch(a0, a1, b0, b1) < leastTokens) return;
  spanRuns(otherRuns, stretch, 0, otherRunCount);
  writeStretch(stretch, bits, true, a0, a1, b0, b1);
}

/** The parts of a stretch of the chain that are dense, each as a match if it is accepted. */
function writeDenseParts(bits: u32, a0: u32, a1: u32): bool {
  let found = false;
  while (nextDensePart(a0, a1)) {
    a0 = denseEndA;
    takeStretch(denseStartA, denseEndA, denseStartB, denseEndB);
    spanRuns(otherRuns, stretch, 0, otherRunCount);
    found = writeMatch(stretch, bits, true) || found;
  }
  return found;
}

// What `nextDensePart` found.
let denseStartA: u32 = 0;
let denseEndA: u32 = 0;
let denseStartB: u32 = 0;
let denseEndB: u32 = 0;

/** How far the score of a dense part may fall below its best before the part ends there. */
const denseDrop: i32 = 24;

/**
 * Looks for the next part of the chain, in tokens [a0, a1) of the left side, in which most is equal as written: a segment of
 * great score (Ruzzo, Tompa 1999), ended as soon as the score falls far below its best. A column that is equal as written
 * scores 1, another one −2, a token on one side only −1.
 */
function nextDensePart(a0: u32, a1: u32): bool {
  const least = <i32>leastTokens;
  let score: i32 = 0, best: i32 = 0;
  let endA: u32 = 0, endB: u32 = 0;
  for (let r: u32 = 0; r < chainCount; r++) {
    const run = chain + <usize>r * runBytes;
    const length = min(load<u32>(run, 8), a1 - min(a1, load<u32>(run)));
    const skip = a0 - min(a0, load<u32>(run));
    if (skip >= length) continue;
    const a = load<u32>(run) + skip, b = load<u32>(run, 4) + skip;
    if (score > 0) score -= <i32>max(a - endA, b - endB);
    const x = left + (<usize>a << 2), y = right + (<usize>b << 2);
    for (let i: u32 = 0; i < length - skip; ) {
      if (score <= 0 || score < best - denseDrop) {
        if (best >= least) return true;
        score = best = 0;
        denseStartA = a + i;
        denseStartB = b + i;
      }
      const differing = nextDifference(x, y, i, length - skip);
      score += <i32>(differing - i);
      i = differing;
      if (score > best) {
        best = score;
        denseEndA = a + i;
        denseEndB = b + i;
      }
      if (i == length - skip) break;
      score -= 2;
      i++;
    }
    endA = a + length - skip;
    endB = b + length - skip;
  }
  return best >= least;
}

/** Writes what seeds [from, to) lie on of runs that are equal but for names, if the matches since `before` have left it out. */
function writeRenamedRuns(seeds: usize, from: u32, to: u32, before: u32): void {
  for (let seed = from; seed < to; seed++) {
    const record = seeds + (<usize>seed << 4);
    const word = load<u32>(record, 8);
    const posA = word & 0x07ffffff, posB = load<u32>(record, 12);
    // Other bits, other tokens. What is equal as written is matched.
    if (word >> 27 || isOnEqualRun(posA, posB) || !openStretch(posA, posB)) continue;
    while (nextRenamedRun()) {
      while (nextSection()) {
        if (!recordOf(sectionA, sectionB, sectionLength, before)) writeRun(sectionA, sectionB, sectionLength);
      }
    }
  }
}

/**
 * Writes a run of equal tokens as a match if those that were written since `before` have left it out. The one that has it is
 * told, for it may align other places with each other, or say the same in any order.
 */
function writeEqualRun(a: u32, b: u32, length: u32, before: u32): void {
  const record = recordOf(a, b, length, before);
  if (!record) writeRun(a, b, length);
  else if (length > load<u32>(record, 48)) store<u32>(record, length, 48);
}

/** The first match since `before` that has a run, but for a little at its ends; 0 if there is none. */
function recordOf(a: u32, b: u32, length: u32, before: u32): usize {
  const room = min(mostTrimmed, length >> 2);
  for (let r = before; r < recordCount; r++) {
    const record = recordAt(r);
    if (leftOut(a, length, load<u32>(record, 8), load<u32>(record, 12)) <= room
      && leftOut(b, length, load<u32>(record, 16), load<u32>(record, 20)) <= room) return record;
  }
  return 0;
}

/** Writes a run as a match, if it convinces. */
function writeRun(a: u32, b: u32, length: u32): void {
  setOtherRunCount(0);
  addOtherRun(a, b, length);
  spanRuns(otherRuns, stretch, 0, 1);
  store<i32>(stretch, sumOfWeights(left + (<usize>a << 2), length) << 1, 16);
  writeMatch(stretch, 0, false);
}

/** How many of tokens [start, start + length) tokens [from, to) have not. */
function leftOut(start: u32, length: u32, from: u32, to: u32): u32 {
  const first = max(start, from), end = min(start + length, to);
  return first < end ? length - (end - first) : length;
}

/** Writes the short paragraphs around a chain as a match if they say the same in another order; its pieces are used then. */
function writeReordered(bits: u32, a0: u32, a1: u32, b0: u32, b1: u32, n: u32): void {
  if (!paragraphAround(left, leftCount, leftLines, leftLineCount, a0, a1, mostReordered)) return;
  const fromA = blockStart, toA = blockEnd;
  if (!paragraphAround(right, rightCount, rightLines, rightLineCount, b0, b1, mostReordered)) return;
  setPassages(fromA, toA, blockStart, blockEnd);
  if (!writeInAnyOrder(bits)) return;
  for (let i: u32 = 0; i < n; i++) {
    const other = piece(load<u32>(order + (<usize>i << 2)));
    if (load<u32>(other) < startA || load<u32>(other, 4) > endA || load<u32>(other, 8) < startB || load<u32>(other, 12) > endB) continue;
    store<u32>(other, 1, 32);
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Writing matches: records { docA, docB, a0, a1, b0, b1 (tokens), tokens equal as written, renamed consistently, renamed
// once, not consistent, bits, score, the longest run of tokens equal as written, aligned or not }

let records: usize = 0;
let recordRoom: u32 = 0;
let recordCount: u32 = 0;
/** Whether a match found no room. */
let recordsLost: bool = false;

function openRecords(out: usize, room: u32): void {
  records = out;
  recordRoom = room;
  recordCount = 0;
  recordsLost = false;
}

@inline function recordAt(i: u32): usize { return records + <usize>i * matchBytes; }

/** Where the next match is written; 0 if there is no room. */
function nextRecord(): usize {
  if (recordCount < recordRoom) return recordAt(recordCount);
  recordsLost = true;
  return 0;
}

/** Writes the passages at hand as a match if they say the same in any order; what they share is its score. */
function writeInAnyOrder(bits: u32): bool {
  const record = nextRecord();
  if (!record || !acceptsInAnyOrder(record)) return false;
  setBestScore(<i32>load<u32>(record, 24) * (weightOf(leftToken(startA)) << 1));
  writePassages(record, bits);
  return true;
}

/**
 * Records looked back at to see whether a match is there already: different alignments widen to the same blocks. With fewer,
 * more matches are written twice; with more, each match is held against more others. No measurement chose 16.
 */
const lookBackAtRecords: u32 = 16;

/** Completes the record of the passages at hand, whose counts are there. Of two with the same passages the better one stays. */
function writePassages(record: usize, bits: u32): void {
  store<u32>(record, docA); store<u32>(record, docB, 4);
  store<u32>(record, startA, 8); store<u32>(record, endA, 12);
  store<u32>(record, startB, 16); store<u32>(record, endB, 20);
  store<u32>(record, bits, 40); store<i32>(record, bestScore, 44);
  for (let i = recordCount, end = recordCount > lookBackAtRecords ? recordCount - lookBackAtRecords : 0; i-- > end; ) {
    const other = recordAt(i);
    if (load<u64>(other) != load<u64>(record)) break;
    if (load<u64>(other, 8) != load<u64>(record, 8) || load<u64>(other, 16) != load<u64>(record, 16)) continue;
    const least = min(bits, load<u32>(other, 40)), longest = max(load<u32>(record, 48), load<u32>(other, 48));
    if (bestScore > load<i32>(other, 44)) memory.copy(other, record, matchBytes);
    store<u32>(other, least, 40);
    store<u32>(other, longest, 48);
    return;
  }
  recordCount++;
}

/**
 * Writes the runs in otherRuns as one match if it is large enough, similar enough and accepted by the classifier. An alignment that is too loose
 * as a whole is cut down to a tighter stretch by making gaps dearer; one that nearly fills a block on both sides is widened
 * to the whole of it.
 */
function writeMatch(p: usize, bits: u32, chained: bool): bool {
  const record = nextRecord();
  if (!record) return false;
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
      if (bestScore < leastScore) return false;
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
    if (first >= end) return false;
    // What dearer gaps have not changed is not accepted this time either.
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
      if (level == 0) found = accepts(first, end, record);
      else if (widen(first, end, level)) found = accepts(alignment, otherRunCount, record) || (!renaming && acceptsInAnyOrder(record));
      setOtherRunCount(alignment);
      if (!found) continue;
      writePassages(record, bits);
      return true;
    }
    counted = largeEnough();
  }
  return false;
}
