// Chaining: joins the pieces (extended seeds) of a pair of documents across gaps, and writes the results as matches.
import { Seed } from '../seeds/seed';
import { Match } from './matchRecord';
import { linesBetween, paragraphAround } from './bounds';
import { classifier } from './classifier';
import { pair, setPassages, sumOfWeights } from './documentPair';
import { EqualRuns, isOnEqualRun } from './equalRuns';
import { reserve } from './matchScratch';
import { settings } from './settings';
import { recordAround } from './recordGrid';
import { minLines, ofChain, ofPiece, writeInAnyOrder, writeMatch, written } from './matchRecords';
import { dropPieces, piece, Piece, pieces } from './pieces';
import { nextRenamedRun, nextSection, openStretch, RenamedRuns } from './renamedRuns';
import { nextDifference } from './renaming';
import { maxReordered } from './reordered';
import { gapCost } from './rescore';
import {
  addOtherRun,
  appendRuns,
  appendRunsFrom,
  chainRoom,
  saveChain,
  lists,
  Run,
  spanRuns,
  copyStretch,
} from './runs';
import { partStart } from '../documents/separators';
import { maxTrimmed } from './trimming';
import { itemOf, newRecord, recordBytes, setItem } from '../records';

/**
 * Maximum number of tokens by which two pieces of a chain may overlap. With a lower limit, pieces of one copy that
 * overlap by chance would stay separate. With a higher limit, different alignments would be joined, and the later one
 * would lose the shared tokens. The value 16 is not based on a measurement.
 */
const maxOverlap: i32 = 16;

/**
 * Joins the pieces across gaps into chains. Writes the chains that are long and similar enough as matches, and removes
 * all pieces.
 */
export function writeChains(): void {
  // Insertion sort by the start on the left side. The list is short and nearly sorted.
  let n: u32 = 0;
  for (let i: u32 = 0; i < pieces.count; i++) {
    if (piece(i).score <= 0) continue;
    const a0 = piece(i).a0;
    const b0 = piece(i).b0;
    let at = n++;
    while (at > 0) {
      const before = itemOf<u32>(pieces.order, at - 1);
      const ba = piece(before).a0;
      if (ba < a0 || (ba == a0 && piece(before).b0 <= b0)) break;
      setItem<u32>(pieces.order, at, before);
      at--;
    }
    setItem<u32>(pieces.order, at, i);
  }
  for (let i: u32 = 0; i < n; i++) {
    const head = piece(itemOf<u32>(pieces.order, i));
    if (head.used) continue;
    head.used = true;
    lists.otherRunCount = 0;
    appendRuns(lists.runs, head.firstRun, head.endRun);
    const a0 = head.a0,
      b0 = head.b0;
    let a1 = head.a1,
      b1 = head.b1;
    let score = head.score,
      bits = head.bits;
    let chained = false;
    for (let j = i + 1; j < n; j++) {
      const next = piece(itemOf<u32>(pieces.order, j));
      if (next.used) continue;
      const nextA = next.a0,
        nextB = next.b0;
      if (nextA > a1 + settings.gapTokens) break;
      if (next.a1 <= a1 || next.b1 <= b1 || nextB > b1 + settings.gapTokens) continue;
      // If two pieces overlap by a few tokens, these belong to the previous piece. If they overlap by many, they are
      // different alignments.
      const overlap = max<i32>(<i32>a1 - <i32>nextA, <i32>b1 - <i32>nextB);
      if (overlap > maxOverlap) continue;
      if (pair.sameDocument && next.a1 > b0) continue;
      if (
        (pair.left.isApart && partStart(pair.left.tokens, nextA) > a1) ||
        (pair.right.isApart && partStart(pair.right.tokens, nextB) > b1)
      )
        continue;
      const cost = gapCost(a1, max(nextA, a1), b1, max(nextB, b1));
      if (cost >= min(score, next.score)) continue;
      // The chain is full. The remaining pieces begin the next chain.
      if (lists.otherRunCount + next.endRun - next.firstRun > chainRoom) break;
      next.used = true;
      appendRunsFrom(next, a1, b1);
      a1 = next.a1;
      b1 = next.b1;
      score += next.score - cost;
      bits = min(bits, next.bits);
      chained = true;
    }
    if (lists.otherRunCount == 0) continue;
    saveChain();
    if (!writeStretch(head, bits, chained, a0, a1, b0, b1) && !pair.renaming) writeReordered(bits, a0, a1, b0, b1, n);
  }
  dropPieces();
  lists.runCount = 0;
}

/**
 * Writes matches for a stretch of the chain. The runs of the stretch are in `otherRuns`. If the whole stretch is
 * accepted, writes it as a match, and then the parts at its ends that this match omits. Otherwise writes the dense
 * parts of the stretch.
 *
 * @param p  the piece with these runs, which this function changes
 * @returns true if a match was written
 */
function writeStretch(p: Piece, bits: u32, chained: bool, a0: u32, a1: u32, b0: u32, b1: u32): bool {
  if (!writeMatch(p, bits, chained)) return a0 + (classifier.minTokens << 1) <= a1 && writeDenseParts(bits, a0, a1);
  writeEnds(bits, a0, a1, b0, b1);
  return true;
}

/** Writes matches for the parts of the chain between tokens [a0, a1) and [b0, b1) that the last match omits. */
function writeEnds(bits: u32, a0: u32, a1: u32, b0: u32, b1: u32): void {
  const fromA = pair.left.start,
    toA = pair.left.end,
    fromB = pair.right.start,
    toB = pair.right.end;
  writeRest(bits, a0, fromA, b0, fromB);
  writeRest(bits, toA, a1, toB, b1);
}

/** Writes matches for the part of the chain between tokens [a0, a1) and [b0, b1). */
function writeRest(bits: u32, a0: u32, a1: u32, b0: u32, b1: u32): void {
  if (a0 + classifier.minTokens > a1 || b0 + classifier.minTokens > b1) return;
  if (copyStretch(a0, a1, b0, b1) < classifier.minTokens) return;
  spanRuns(lists.otherRuns, pieces.stretch, 0, lists.otherRunCount);
  writeStretch(pieces.stretch, bits, ofChain, a0, a1, b0, b1);
}

/**
 * Writes each dense part of a stretch as a match, if it is accepted, and then the parts at its ends that this match
 * omits. Returns true if a match was written.
 */
function writeDenseParts(bits: u32, a0: u32, a1: u32): bool {
  let found = false;
  while (nextDensePart(a0, a1)) {
    const startA = densePart.startA,
      endA = densePart.endA,
      startB = densePart.startB,
      endB = densePart.endB;
    a0 = endA;
    copyStretch(startA, endA, startB, endB);
    spanRuns(lists.otherRuns, pieces.stretch, 0, lists.otherRunCount);
    if (!writeMatch(pieces.stretch, bits, ofChain)) continue;
    writeEnds(bits, startA, endA, startB, endB);
    found = true;
  }
  return found;
}

/** Result of `nextDensePart`: tokens [startA, endA) and [startB, endB). */
@unmanaged class DensePart {
  startA: u32;
  endA: u32;
  startB: u32;
  endB: u32;
}

let densePart = changetype<DensePart>(0);

const scratchAt = reserve(recordBytes<DensePart>());

export function placeChains(scratch: usize): void {
  densePart = newRecord<DensePart>(scratch + scratchAt);
}

/** A dense part ends where its score has dropped by more than this below its maximum. */
const denseDrop: i32 = 24;

/**
 * Finds the next dense part of the chain in the tokens [a0, a1) of the left side. In a dense part, most tokens are
 * identical. It is a maximal-scoring segment (Ruzzo, Tompa 1999). A pair of identical tokens scores 1, another aligned
 * pair −2, and a token on only one side −1.
 */
function nextDensePart(a0: u32, a1: u32): bool {
  const minTokens = <i32>classifier.minTokens;
  let score: i32 = 0,
    best: i32 = 0;
  let endA: u32 = 0,
    endB: u32 = 0;
  for (let r: u32 = 0; r < lists.chainCount; r++) {
    const run = itemOf<Run>(lists.chain, r);
    const length = min(run.length, a1 - min(a1, run.a));
    const skip = a0 - min(a0, run.a);
    if (skip >= length) continue;
    const a = run.a + skip,
      b = run.b + skip;
    if (score > 0) score -= <i32>max(a - endA, b - endB);
    const x = pair.left.at(a),
      y = pair.right.at(b);
    for (let i: u32 = 0; i < length - skip;) {
      if (score <= 0 || score < best - denseDrop) {
        if (best >= minTokens) return true;
        score = best = 0;
        densePart.startA = a + i;
        densePart.startB = b + i;
      }
      const differing = nextDifference(x, y, i, length - skip);
      score += <i32>(differing - i);
      i = differing;
      if (score > best) {
        best = score;
        densePart.endA = a + i;
        densePart.endB = b + i;
      }
      if (i == length - skip) break;
      score -= 2;
      i++;
    }
    endA = a + length - skip;
    endB = b + length - skip;
  }
  return best >= minTokens;
}

/**
 * Finds the runs that pass through the seeds [from, to) and whose tokens are equal except for renamed names. Writes
 * those that no match contains yet.
 */
export function writeRenamedRuns(
  equalRuns: EqualRuns,
  renamedRuns: RenamedRuns,
  seeds: usize,
  from: u32,
  to: u32,
): void {
  for (let seed = from; seed < to; seed++) {
    const record = itemOf<Seed>(seeds, seed);
    const posA = record.tokenA,
      posB = record.posB;
    // Skip seeds with differing bits, because their tokens differ. Skip runs of identical tokens, because they are
    // matched already.
    if (record.bits || isOnEqualRun(equalRuns, posA, posB) || !openStretch(renamedRuns, posA, posB)) continue;
    while (nextRenamedRun(renamedRuns)) {
      while (nextSection(renamedRuns))
        writeSection(renamedRuns.sectionA, renamedRuns.sectionB, renamedRuns.sectionLength);
    }
  }
}

/**
 * Writes a section of a renamed run as a match, unless a match contains it. If the section was cut to indented blocks,
 * repeats this for the remaining tokens.
 */
function writeSection(a: u32, b: u32, length: u32): void {
  while (length >= classifier.minTokens && !recordOf(a, b, length) && writeRun(a, b, length)) {
    const start = pair.left.start,
      skipped = pair.left.end - a;
    if (start > a) writeSection(a, b, start - a);
    if (!skipped || skipped >= length) return;
    a += skipped;
    b += skipped;
    length -= skipped;
  }
}

/**
 * Writes a run of identical tokens as a match, unless a match contains both sides of it. Such a match need not align
 * the two sides with each other. The record of the containing match then gets the length of the run.
 */
export function writeEqualRun(a: u32, b: u32, length: u32): void {
  const record = recordOf(a, b, length);
  if (record == null) {
    const left = pair.left,
      right = pair.right;
    if (writeRun(a, b, length) && hasLines(left.start, left.end, right.start, right.end)) return;
    if (!written.hasCutStatements) return;
    // Keep incomplete cases and statements, because without them the run is too short or has too few lines.
    written.keepsStatements = true;
    writeRun(a, b, length);
    written.keepsStatements = false;
  } else if (length > record.longest) record.longest = length;
}

/**
 * Returns the first match that contains all of a run except for a few tokens at its ends. Returns null if there is
 * none. If the run of code has the minimum number of lines, but the match does not, the match must contain all of it,
 * because the match is omitted later.
 */
function recordOf(a: u32, b: u32, length: u32): Match | null {
  const record = recordAround(a, b, length, min(maxTrimmed, length >> 2));
  if (record == null || !pair.renaming) return record;
  const isLow = !hasLines(record.a0, record.a1, record.b0, record.b1);
  return isLow && hasLines(a, a + length, b, b + length) ? recordAround(a, b, length, 0) : record;
}

function hasLines(a0: u32, a1: u32, b0: u32, b1: u32): bool {
  return max(linesBetween(pair.left, a0, a1), linesBetween(pair.right, b0, b1)) >= minLines;
}

/** Writes a run as a match if it is accepted. Returns true if so. */
function writeRun(a: u32, b: u32, length: u32): bool {
  lists.otherRunCount = 0;
  addOtherRun(a, b, length);
  spanRuns(lists.otherRuns, pieces.stretch, 0, 1);
  pieces.stretch.score = sumOfWeights(pair.left.at(a), length) << 1;
  return writeMatch(pieces.stretch, 0, ofPiece);
}

/**
 * If the paragraphs around a chain are short and consist of the same sentences in a different order, writes them as a
 * match, and marks the pieces of the chain as used.
 */
function writeReordered(bits: u32, a0: u32, a1: u32, b0: u32, b1: u32, n: u32): void {
  const left = pair.left,
    right = pair.right;
  setPassages(a0, a1, b0, b1);
  if (!paragraphAround(left, maxReordered) || !paragraphAround(right, maxReordered)) return;
  setPassages(left.blockStart, left.blockEnd, right.blockStart, right.blockEnd);
  if (!writeInAnyOrder(bits)) return;
  for (let i: u32 = 0; i < n; i++) {
    const other = piece(itemOf<u32>(pieces.order, i));
    if (
      other.a0 < pair.left.start ||
      other.a1 > pair.left.end ||
      other.b0 < pair.right.start ||
      other.b1 > pair.right.end
    )
      continue;
    other.used = true;
  }
}
