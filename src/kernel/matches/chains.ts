// Chaining: the pieces of one pair of documents are put together across gaps, and what that makes is written in matches.
import { seedBitsShift, seedBytes, seedPosAAt, seedPosBAt, seedPositionMask } from '../seeds/seedLayout';
import { a0Word, a1Word, b0Word, b1Word, longestWord } from './matchLayout';
import { blockEnd, blockStart, paragraphAround } from './bounds';
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
  sumOfWeights,
} from './documentPair';
import { isOnEqualRun } from './equalRuns';
import { gapRoom } from './gaps';
import { recordAt, recordCount, writeInAnyOrder, writeMatch } from './matchRecords';
import { endA, endB, setPassages, startA, startB } from './passages';
import {
  dropPieces,
  order,
  piece,
  pieceA0At,
  pieceA1At,
  pieceB0At,
  pieceB1At,
  pieceBitsAt,
  pieceCount,
  pieceEndRunAt,
  pieceFirstRunAt,
  pieceScoreAt,
  pieceUsedAt,
  stretch,
} from './pieces';
import { nextRenamedRun, nextSection, openStretch, sectionA, sectionB, sectionLength } from './renamedRuns';
import { nextDifference } from './renaming';
import { mostReordered } from './reordered';
import { gapCost } from './rescore';
import {
  addOtherRun,
  appendRuns,
  appendRunsFrom,
  chain,
  chainCount,
  chainRoom,
  keepChain,
  otherRunCount,
  otherRuns,
  runAAt,
  runBAt,
  runBytes,
  runLengthAt,
  setOtherRunCount,
  setRunCount,
  spanRuns,
  takeStretch,
} from './runs';
import { partStart } from '../documents/separators';
import { mostTrimmed } from './trimming';

/**
 * Tokens that two pieces of a chain may share. With fewer, pieces of one copy that share a little by chance where they meet
 * stay apart; with more, different alignments are joined, and the later one loses what they share. No measurement chose 16.
 */
const mostOverlap: i32 = 16;

/** Chains the pieces there are across gaps, writes what is large and similar enough, and forgets the pieces. */
export function writeChains(): void {
  // Pieces in the order of their left passage; the list is short and nearly sorted, so by insertion.
  let n: u32 = 0;
  for (let i: u32 = 0; i < pieceCount; i++) {
    if (load<i32>(piece(i), pieceScoreAt) <= 0) continue;
    const a0 = load<u32>(piece(i), pieceA0At);
    const b0 = load<u32>(piece(i), pieceB0At);
    let at = n++;
    while (at > 0) {
      const before = load<u32>(order + ((<usize>(at - 1)) << 2));
      const ba = load<u32>(piece(before), pieceA0At);
      if (ba < a0 || (ba == a0 && load<u32>(piece(before), pieceB0At) <= b0)) break;
      store<u32>(order + ((<usize>at) << 2), before);
      at--;
    }
    store<u32>(order + ((<usize>at) << 2), i);
  }
  for (let i: u32 = 0; i < n; i++) {
    const head = piece(load<u32>(order + ((<usize>i) << 2)));
    if (load<u32>(head, pieceUsedAt)) continue;
    store<u32>(head, 1, pieceUsedAt);
    setOtherRunCount(0);
    appendRuns(head);
    const a0 = load<u32>(head, pieceA0At),
      b0 = load<u32>(head, pieceB0At);
    let a1 = load<u32>(head, pieceA1At),
      b1 = load<u32>(head, pieceB1At);
    let score = load<i32>(head, pieceScoreAt),
      bits = load<u32>(head, pieceBitsAt);
    let chained = false;
    for (let j = i + 1; j < n; j++) {
      const next = piece(load<u32>(order + ((<usize>j) << 2)));
      if (load<u32>(next, pieceUsedAt)) continue;
      const nextA = load<u32>(next, pieceA0At),
        nextB = load<u32>(next, pieceB0At);
      if (nextA > a1 + gapRoom) break;
      if (load<u32>(next, pieceA1At) <= a1 || load<u32>(next, pieceB1At) <= b1 || nextB > b1 + gapRoom) continue;
      // A small overlap belongs to the piece before; a large one means that these are two different alignments.
      const overlap = max<i32>(<i32>a1 - <i32>nextA, <i32>b1 - <i32>nextB);
      if (overlap > mostOverlap) continue;
      if (sameDocument && load<u32>(next, pieceA1At) > b0) continue;
      if ((leftApart && partStart(left, nextA) > a1) || (rightApart && partStart(right, nextB) > b1)) continue;
      const cost = gapCost(a1, max(nextA, a1), b1, max(nextB, b1));
      if (cost >= min(score, load<i32>(next, pieceScoreAt))) continue;
      // What is too much for one chain is the head of the next.
      if (otherRunCount + load<u32>(next, pieceEndRunAt) - load<u32>(next, pieceFirstRunAt) > chainRoom) break;
      store<u32>(next, 1, pieceUsedAt);
      appendRunsFrom(next, a1, b1);
      a1 = load<u32>(next, pieceA1At);
      b1 = load<u32>(next, pieceB1At);
      score += load<i32>(next, pieceScoreAt) - cost;
      bits = min(bits, load<u32>(next, pieceBitsAt));
      chained = true;
    }
    if (otherRunCount == 0) continue;
    keepChain();
    if (!writeStretch(head, bits, chained, a0, a1, b0, b1) && !renaming) writeReordered(bits, a0, a1, b0, b1, n);
  }
  dropPieces();
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
  const fromA = startA,
    toA = endA,
    fromB = startB,
    toB = endB;
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
  let score: i32 = 0,
    best: i32 = 0;
  let endA: u32 = 0,
    endB: u32 = 0;
  for (let r: u32 = 0; r < chainCount; r++) {
    const run = chain + <usize>r * runBytes;
    const length = min(load<u32>(run, runLengthAt), a1 - min(a1, load<u32>(run, runAAt)));
    const skip = a0 - min(a0, load<u32>(run, runAAt));
    if (skip >= length) continue;
    const a = load<u32>(run, runAAt) + skip,
      b = load<u32>(run, runBAt) + skip;
    if (score > 0) score -= <i32>max(a - endA, b - endB);
    const x = left + ((<usize>a) << 2),
      y = right + ((<usize>b) << 2);
    for (let i: u32 = 0; i < length - skip;) {
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
export function writeRenamedRuns(seeds: usize, from: u32, to: u32, before: u32): void {
  for (let seed = from; seed < to; seed++) {
    const record = seeds + <usize>seed * seedBytes;
    const word = load<u32>(record, seedPosAAt);
    const posA = word & seedPositionMask,
      posB = load<u32>(record, seedPosBAt);
    // Other bits, other tokens. What is equal as written is matched.
    if (word >> seedBitsShift || isOnEqualRun(posA, posB) || !openStretch(posA, posB)) continue;
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
export function writeEqualRun(a: u32, b: u32, length: u32, before: u32): void {
  const record = recordOf(a, b, length, before);
  if (!record) writeRun(a, b, length);
  else if (length > load<u32>(record, 4 * longestWord)) store<u32>(record, length, 4 * longestWord);
}

/** The first match since `before` that has a run, but for a little at its ends; 0 if there is none. */
function recordOf(a: u32, b: u32, length: u32, before: u32): usize {
  const room = min(mostTrimmed, length >> 2);
  for (let r = before; r < recordCount; r++) {
    const record = recordAt(r);
    if (
      leftOut(a, length, load<u32>(record, 4 * a0Word), load<u32>(record, 4 * a1Word)) <= room &&
      leftOut(b, length, load<u32>(record, 4 * b0Word), load<u32>(record, 4 * b1Word)) <= room
    )
      return record;
  }
  return 0;
}

/** Writes a run as a match, if it convinces. */
function writeRun(a: u32, b: u32, length: u32): void {
  setOtherRunCount(0);
  addOtherRun(a, b, length);
  spanRuns(otherRuns, stretch, 0, 1);
  store<i32>(stretch, sumOfWeights(left + ((<usize>a) << 2), length) << 1, pieceScoreAt);
  writeMatch(stretch, 0, false);
}

/** How many of tokens [start, start + length) tokens [from, to) have not. */
function leftOut(start: u32, length: u32, from: u32, to: u32): u32 {
  const first = max(start, from),
    end = min(start + length, to);
  return first < end ? length - (end - first) : length;
}

/** Writes the short paragraphs around a chain as a match if they say the same in another order; its pieces are used then. */
function writeReordered(bits: u32, a0: u32, a1: u32, b0: u32, b1: u32, n: u32): void {
  if (!paragraphAround(left, leftCount, leftLines, leftLineCount, a0, a1, mostReordered)) return;
  const fromA = blockStart,
    toA = blockEnd;
  if (!paragraphAround(right, rightCount, rightLines, rightLineCount, b0, b1, mostReordered)) return;
  setPassages(fromA, toA, blockStart, blockEnd);
  if (!writeInAnyOrder(bits)) return;
  for (let i: u32 = 0; i < n; i++) {
    const other = piece(load<u32>(order + ((<usize>i) << 2)));
    if (
      load<u32>(other, pieceA0At) < startA ||
      load<u32>(other, pieceA1At) > endA ||
      load<u32>(other, pieceB0At) < startB ||
      load<u32>(other, pieceB1At) > endB
    )
      continue;
    store<u32>(other, 1, pieceUsedAt);
  }
}
