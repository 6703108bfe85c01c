// Turns seeds into matches. A seed, which is a pair of windows with near fingerprints, is extended along the tokens of
// both documents to a piece (extend.ts, gaps.ts). The pieces of a pair of documents are joined across gaps to chains
// (chains.ts), rescored (rescore.ts), trimmed (trimming.ts), widened to complete blocks, and classified
// (classifier.ts).
import { Seed, unitOnly } from '../seeds/seed';
import { reserve } from './matchScratch';
import { Settings, settings, useSettings } from './settings';
import { placeChains, writeChains, writeEqualRun, writeRenamedRuns } from './chains';
import { Match } from './matchRecord';
import { classifier, foundBySeeds, givenByCaller, openClassifier, placeClassifier } from './classifier';
import { openDocuments, pair, placeDocumentPair, setPassages } from './documentPair';
import { equalRun, findEqualRuns, isOnEqualRun, openEqualRuns, placeEqualRuns } from './equalRuns';
import { extension, placeExtension, extendFrom } from './extend';
import { bridge, gap, mostlyRenamed, placeGaps } from './gaps';
import {
  dropEmptyRecords,
  dropRecords,
  ofPiece,
  openRecords,
  placeMatchRecords,
  writeInAnyOrder,
  writeMatch,
  written,
} from './matchRecords';
import { addPiece, dropPieces, piece, Piece, pieceRoom, pieces, placePieces } from './pieces';
import { grid, openRecordGrid, placeRecordGrid } from './recordGrid';
import { openRenamedRuns, placeRenamedRuns } from './renamedRuns';
import { placeNames } from './renaming';
import { BestStretch, boundScore, certainScore, placeBestStretch, rescore, trim } from './rescore';
import {
  appendRuns,
  chainRoom,
  appendRun,
  lists,
  placeRuns,
  copyRun,
  keepRuns,
  restoreRuns,
  Run,
  runRoom,
  spanRuns,
} from './runs';
import { Side } from './side';
import { forgetSingleNames, placeSingleNames } from './singleNames';
import { partEnd, partStart } from '../documents/separators';
import { unitAround } from '../documents/unit';
import { placeCommonTokens } from './commonTokens';
import { placeUnitAlignment } from './unitAlignment';
import { openUnitCounts, placeUnitCounts, UnitCounts } from './unitCounts';
import { writeUnitPairs } from './unitPairs';
import { placeComparedPairs } from './comparedPairs';
import { writeGivenParagraphs, writeParagraphPairs } from './paragraphPairs';
import { placeBounds } from './bounds';
import { itemOf, newRecord, recordBytes } from '../records';
import { countUpTo } from '../search';

/** Number of most recent pieces that are checked for containing a seed. */
const maxEarlierPieces: u32 = 24;

/** Number of tokens that extensions of the current pair of documents may align. */
@unmanaged class Budget {
  /**
   * Number of tokens that the extensions of the current pair have aligned, and the limit of this number:
   * `extensionBudget`, plus some for each token of both documents. In a long, uniform text, many windows are near by
   * chance, so there are too many seeds to extend each of them fully. Once the budget is exhausted, an extension may
   * only use `spentExtension` tokens. Real copies have a seed in each stretch of that length, and chaining joins the
   * parts. In six trees of real sources, no pair even reached `extensionBudget`: see
   * bench/results/2026-11-22-corners.md.
   */
  tokensAligned: u64;
  tokensBudget: u64;
  /** Number of tokens that were compared to follow the runs of the current pair. */
  tokensFollowed: u64;
  /**
   * Maximum number of tokens on each side that one extension may use in one direction. Uniform listings match in every
   * alignment, so the maximum is lower if there are many runs. Chaining then joins the parts.
   */
  extensionRoom: u32;
  /**
   * Number of additional tokens on each side that all extensions of the current pair may still use together. Without
   * long runs of identical tokens, an extension must go as far as possible, because there may be no other seed. In
   * listings, which match in every alignment, this would take quadratic time.
   */
  roomBeyond: u32;

  /** The alignment of the current seed. */
  @inline get alignment(): Alignment {
    return changetype<Alignment>(changetype<usize>(this) + recordBytes<Budget>());
  }

  /** The first alignment of the current seed, while another one is tried. */
  @inline get keptAlignment(): Alignment {
    return changetype<Alignment>(changetype<usize>(this) + recordBytes<Budget>() + recordBytes<Alignment>());
  }
}

/** An alignment of a seed, from which it can be continued. Its runs are the last ones of `runs`. */
@unmanaged class Alignment {
  /** Index of its first run. */
  firstRun: u32;
  /** Tokens that it has reached: left tokens [a0, a1) and right tokens [b0, b1). */
  a0: u32;
  a1: u32;
  b0: u32;
  b1: u32;
  /** Token before which its left side must end. */
  leftLimit: u32;
  /** True if there is more at its end, and at its beginning, than a piece can hold. */
  goesOn: bool;
  goesBack: bool;
  /** True if it is a renamed copy, which determines how it is continued across gaps. */
  isRenamedCopy: bool;
}

let budget = changetype<Budget>(0);

const scratchAt = reserve(recordBytes<Budget>() + 2 * recordBytes<Alignment>());

const extensionBudget: u32 = 1 << 22;
const minExtension: u32 = 1 << 11;

/** Maximum number of runs that one extension, or one call of `bridge`, appends. */
const maxRunsOfExtension: u32 = 1 << 14;
const alignedForToken: u64 = 8;
const spentExtension: u32 = 1 << 9;

/** Returns the number of tokens that an extension may use: `room`, or less if the budget is used up. */
function roomLeft(room: u32): u32 {
  return budget.tokensAligned > budget.tokensBudget ? min(room, spentExtension) : room;
}

/**
 * Multiple of the budget from which the remaining seeds of a pair are not extended. Only a listing of thousands of
 * entries reaches it, whose parts match in every alignment. Its runs of identical tokens are written nevertheless. See
 * bench/results/2026-11-30-similar-entries.md.
 */
const budgetOfJudging: u64 = 16;

function isSpent(): bool {
  return written.tokensJudged > budgetOfJudging * budget.tokensBudget;
}

/**
 * Returns how many tokens were compared or judged for the last pair of documents. Tests use it to measure complexity.
 */
export function tokensCompared(): f64 {
  return <f64>(budget.tokensFollowed + budget.tokensAligned + written.tokensJudged);
}

/**
 * Returns how many times a match was compared with a run for the last pair of documents. Tests use it to measure
 * complexity.
 */
export function matchesCompared(): f64 {
  return <f64>grid.recordsCompared;
}

/**
 * Makes this the current scratch memory of matching, and initializes the part of each module. Parts are independent, so
 * the order of the calls does not matter.
 *
 * @param scratch  `matchScratchBytes()` bytes, aligned to 16, which no other thread may use
 */
export function prepareMatching(scratch: usize): void {
  budget = newRecord<Budget>(scratch + scratchAt);
  placeDocumentPair(scratch);
  placeBounds(scratch);
  placeBestStretch(scratch);
  placeChains(scratch);
  placeMatchRecords(scratch);
  placeExtension(scratch);
  placeNames(scratch);
  placeSingleNames(scratch);
  placeGaps(scratch);
  placeClassifier(scratch);
  placeRuns(scratch);
  placeEqualRuns(scratch);
  placeRenamedRuns(scratch);
  placeRecordGrid(scratch);
  placeCommonTokens(scratch);
  placeUnitAlignment(scratch);
  placeUnitCounts(scratch);
  placeComparedPairs(scratch);
  placePieces(scratch);
}

/**
 * Makes this the current scratch memory again, for documents that may have changed. Clearing all tables would take .2
 * ms, so if it is the current one, forgets only results that belong to the address of a text.
 *
 * @param scratch  scratch memory that `prepareMatching` has initialized
 */
export function resumeMatching(scratch: usize): void {
  if (changetype<usize>(budget) == scratch + scratchAt) forgetSingleNames();
  else prepareMatching(scratch);
}

/**
 * Writes the matches of the seeds [from, to). Precondition: the seeds are sorted.
 *
 * @param documents  address of the table of `Document` records
 * @param out        memory for `room` match records (matchRecordLayout.ts) and one link for each
 * @param progress   receives a seed number (u32): if `room` was not enough, the seed with which to continue, or `from`
 *   if a single pair of documents needs more room
 * @returns number of records written
 */
export function matchSeeds(
  seeds: usize,
  from: u32,
  to: u32,
  documents: usize,
  matchSettings: Settings,
  out: usize,
  room: u32,
  progress: usize,
): u32 {
  useSettings(matchSettings);
  openRecords(out, room);
  const counts = openUnitCounts();
  let seed = from;
  while (seed < to) {
    const first = itemOf<Seed>(seeds, seed);
    let end = seed + 1;
    while (end < to && itemOf<Seed>(seeds, end).isOfPair(first.docA, first.docB)) end++;
    const before = written.count;
    openPair(documents, first.docA, first.docB, foundBySeeds);
    matchPair(seeds, seed, end, counts);
    if (written.areLost) {
      dropRecords(before);
      break;
    }
    seed = end;
  }
  store<u32>(progress, seed);
  return written.count;
}

/**
 * Writes the matches of the current pair from its seeds [seed, end). If the list of runs is full, processes the seeds
 * in several parts.
 */
function matchPair(seeds: usize, seed: u32, end: u32, counts: UnitCounts): void {
  const equalRuns = openEqualRuns(classifier.minTokens),
    renamedRuns = openRenamedRuns(classifier.minTokens);
  openRecordGrid();
  const firstSeed = seed,
    firstRecord = written.count;
  while (seed < end) {
    const first = seed,
      next = findEqualRuns(equalRuns, seeds, seed, end);
    const roomBeside = max(minExtension, extensionBudget / max(1, equalRuns.count));
    // Start with the longest runs. Repetitive text can be aligned in several ways, and the alignment with the most
    // identical tokens must be found.
    for (let i: u32 = 0; i < equalRuns.count && !isSpent(); i++) {
      const run = equalRun(equalRuns, i);
      budget.extensionRoom = roomLeft(roomBeside) + run.length;
      extendSeed(run.a, run.b, 0);
    }
    for (; seed < next && !isSpent(); seed++) {
      const record = itemOf<Seed>(seeds, seed);
      const posA = record.tokenA,
        posB = record.posB;
      if (record.bits >= unitOnly || isOnEqualRun(equalRuns, posA, posB)) continue;
      budget.extensionRoom = roomLeft(roomBeside);
      extendSeed(posA, posB, record.bits);
    }
    seed = next;
    writeChains();
    for (let i: u32 = 0; i < equalRuns.count; i++) {
      const run = equalRun(equalRuns, i);
      writeEqualRun(run.a, run.b, run.length);
    }
    if (pair.renaming) writeRenamedRuns(equalRuns, renamedRuns, seeds, first, next);
  }
  if (pair.renaming) writeUnitPairs(seeds, firstSeed, end, counts);
  else writeParagraphPairs(seeds, firstSeed, end);
  dropEmptyRecords(firstRecord);
  budget.tokensFollowed = equalRuns.tokensFollowed + renamedRuns.tokensFollowed;
}

/**
 * Matches two passages, tokens [a0, a1) of docA and [b0, b1) of docB, and writes the match. Aligns them from their
 * beginnings; passages of prose are also compared in any order. Returns 1, or 0 if they do not match, or if the match
 * is too small a part of them.
 */
export function matchPassages(
  documents: usize,
  matchSettings: Settings,
  docA: u32,
  a0: u32,
  a1: u32,
  docB: u32,
  b0: u32,
  b1: u32,
  out: usize,
): u32 {
  useSettings(matchSettings);
  openRecords(out, 1);
  openPair(documents, docA, docB, givenByCaller);
  alignPassages(a0, a1, b0, b1);
  if (!written.count && !pair.renaming) {
    setPassages(a0, a1, b0, b1);
    if (!writeInAnyOrder(64)) writeGivenParagraphs();
  }
  return written.count && isMostOf(changetype<Match>(out), a1 - a0 + (b1 - b0)) ? 1 : 0;
}

/** Returns true if two passages have the minimum similarity, counting tokens outside of their match as not aligned. */
function isMostOf(match: Match, tokensOfBoth: u32): bool {
  const aligned = 2 * (match.equal + match.consistent) + match.once;
  return <f64>aligned >= classifier.minSimilarity * <f64>tokensOfBoth;
}

function alignPassages(a0: u32, a1: u32, b0: u32, b1: u32): void {
  gap.isRenamedCopy = pair.renaming;
  lists.otherRunCount = 0;
  extendFrom(a0, b0, 1, a1 - a0, b1 - b0);
  let a = a0 + extension.usedA,
    b = b0 + extension.usedB;
  for (;;) {
    bridge(a, b, 1, a1 - a, b1 - b);
    a += gap.bridgedA;
    b += gap.bridgedB;
    if (!gap.hasMore || lists.otherRunCount + maxRunsOfExtension > chainRoom) break;
  }
  for (let i: u32 = 0; i < lists.otherRunCount; i++) appendRun(itemOf<Run>(lists.otherRuns, i));
  if (!lists.runCount) return;
  const best = rescore(lists.runs, 0, lists.runCount);
  if (best.score < settings.minScore) return;
  const p = piece(0);
  trim(lists.runs, p, best);
  p.score = best.score;
  lists.otherRunCount = 0;
  appendRuns(lists.runs, p.firstRun, p.endRun);
  writeMatch(p, 64, ofPiece);
}

function openPair(documents: usize, a: u32, b: u32, isGiven: bool): void {
  openDocuments(documents, a, b);
  openClassifier(isGiven);
  budget.roomBeyond = (pair.left.tokenCount + pair.right.tokenCount) << 1;
  lists.runCount = 0;
  dropPieces();
  budget.tokensAligned = budget.tokensFollowed = 0;
  written.tokensJudged = 0;
  budget.tokensBudget =
    <u64>extensionBudget + alignedForToken * (<u64>pair.left.tokenCount + <u64>pair.right.tokenCount);
}

function extendSeed(posA: u32, posB: u32, bits: u32): void {
  // If a piece already contains the seed, only store the seed's number of differing bits in case it is smaller.
  for (let i = pieces.count, end = pieces.count > maxEarlierPieces ? pieces.count - maxEarlierPieces : 0; i-- > end;) {
    const p = piece(i);
    if (posA < p.a0 || posA >= p.a1 || posB < p.b0 || posB >= p.b1) continue;
    if (!onPath(p, posA, posB)) continue;
    if (bits < p.bits) p.bits = bits;
    return;
  }
  makeRoom();
  const alignment = budget.alignment,
    room = budget.roomBeyond;
  alignment.firstRun = lists.runCount;
  let best = align(alignment, posA, posB, pair.left.tokenCount);
  const unit = pair.sameDocument
    ? unitAround(pair.right.units, pair.right.unitCount, posB, classifier.minTokens)
    : null;
  if (best != null && unit != null && unit.start > posA && unit.start < alignment.a1) {
    // The left side ends in the function on the right side. So that similar functions in a row are not divided between
    // a head and a body, let it end before that function, unless the copy becomes much smaller.
    const score = best.score,
      roomAfter = budget.roomBeyond;
    keepAlignment();
    budget.roomBeyond = room;
    best = align(alignment, posA, posB, unit.start);
    if (best == null || best.score < nearlyAll * score) {
      budget.roomBeyond = roomAfter;
      best = restoreAlignment();
    }
  }
  createPiece(alignment, bits, best);
  while (alignment.goesOn) extendPiece(alignment, bits, 1);
  while (alignment.goesBack) extendPiece(alignment, bits, -1);
}

/** Minimum share of a score for a copy that begins with a function, instead of ending in the next one. */
const nearlyAll: f64 = 0.9;

/** Keeps the current alignment and its runs, so that another one may replace it. */
function keepAlignment(): void {
  memory.copy(changetype<usize>(budget.keptAlignment), changetype<usize>(budget.alignment), offsetof<Alignment>());
  keepRuns(budget.alignment.firstRun);
}

/** Replaces the current alignment by the kept one. Returns the best stretch of its runs. */
function restoreAlignment(): BestStretch {
  memory.copy(changetype<usize>(budget.alignment), changetype<usize>(budget.keptAlignment), offsetof<Alignment>());
  restoreRuns(budget.alignment.firstRun);
  return rescore(lists.runs, budget.alignment.firstRun, lists.runCount);
}

/**
 * Extends a seed on both sides, and across gaps. The runs replace those from the alignment's first run on. Returns
 * their best stretch, or null if its score is known to be too low.
 *
 * @param leftLimit  token before which the left side must end
 */
function align(alignment: Alignment, posA: u32, posB: u32, leftLimit: u32): BestStretch | null {
  lists.runCount = alignment.firstRun;
  alignment.leftLimit = leftLimit;
  alignment.goesOn = alignment.goesBack = false;
  extendAround(alignment, posA, posB);
  const best = lists.runCount > alignment.firstRun ? bridgeAround(alignment) : null;
  budget.tokensAligned += <u64>(alignment.a1 - alignment.a0);
  return best;
}

/**
 * Extends an alignment across the gaps around it, if it is promising; most seeds match by chance. Returns the best
 * stretch of its runs, or null if its score is known to be too low.
 */
function bridgeAround(alignment: Alignment): BestStretch | null {
  const firstRun = alignment.firstRun,
    maxScore = boundScore(lists.runs, firstRun, lists.runCount, settings.promisingScore);
  const certain = maxScore == certainScore;
  let best: BestStretch | null = null;
  if (!certain && maxScore >= min(settings.minScore, settings.promisingScore))
    best = rescore(lists.runs, firstRun, lists.runCount);
  const reached = lists.runCount;
  if (certain || (best != null && best.score >= settings.promisingScore)) {
    alignment.isRenamedCopy = pair.renaming && mostlyRenamed(lists.runs, firstRun, lists.runCount);
    alignment.goesOn = bridgeOnward(alignment);
    alignment.goesBack = bridgeBackward(alignment);
  }
  return certain || lists.runCount > reached ? rescore(lists.runs, firstRun, lists.runCount) : best;
}

/** If a piece has the maximum number of runs, continues the alignment with a new piece. */
function extendPiece(alignment: Alignment, bits: u32, direction: i32): void {
  makeRoom();
  const firstRun = lists.runCount;
  alignment.firstRun = firstRun;
  if (direction > 0) alignment.goesOn = bridgeOnward(alignment);
  else alignment.goesBack = bridgeBackward(alignment);
  if (lists.runCount > firstRun) createPiece(alignment, bits, rescore(lists.runs, firstRun, lists.runCount));
}

/** If there is no room for another piece, chains the existing pieces and writes their matches. */
function makeRoom(): void {
  if (pieces.count >= pieceRoom || !hasRunRoom()) writeChains();
}

@inline function hasRunRoom(): bool {
  return lists.runCount + maxRunsOfExtension <= runRoom;
}

/**
 * Creates a piece from the runs of an alignment. If there are no runs, the piece only marks the position of the seed as
 * examined.
 *
 * @param best  best stretch of these runs, or null if its score is less than `minScore`
 */
function createPiece(alignment: Alignment, bits: u32, best: BestStretch | null): void {
  // Remember the range even if it does not match, so that the other seeds in it are not extended.
  const p = addPiece(),
    firstRun = alignment.firstRun;
  p.score = 0;
  p.bits = bits;
  p.used = false;
  spanRuns(lists.runs, p, firstRun, lists.runCount);
  if (lists.runCount == firstRun) {
    p.a0 = alignment.a0;
    p.a1 = alignment.a0 + 1;
    p.b0 = alignment.b0;
    p.b1 = alignment.b0 + 1;
  } else if (best == null || best.score < settings.minScore) {
    lists.runCount = firstRun;
    p.endRun = firstRun;
  } else {
    trim(lists.runs, p, best);
    p.score = best.score;
  }
}

/** Extends a seed backward and forward. Appends the runs to the list in ascending order. */
function extendAround(alignment: Alignment, posA: u32, posB: u32): void {
  usePart(pair.left, posA);
  usePart(pair.right, posB);
  alignment.a0 = alignment.a1 = posA;
  alignment.b0 = alignment.b1 = posB;
  lists.otherRunCount = 0;
  extendFrom(posA, posB, 1, leftRoomAfter(alignment), rightRoomAfter(alignment));
  alignment.a1 += extension.usedA;
  alignment.b1 += extension.usedB;
  const forward = lists.otherRunCount;
  extendFrom(posA, posB, -1, leftRoomBefore(alignment), rightRoomBefore(alignment));
  alignment.a0 -= extension.usedA;
  alignment.b0 -= extension.usedB;
  for (let i = lists.otherRunCount; i-- > forward;) appendRun(itemOf<Run>(lists.otherRuns, i));
  for (let i: u32 = 0; i < forward; i++) appendRun(itemOf<Run>(lists.otherRuns, i));
}

// The following functions return the number of tokens that an extension may add at one end of a side. Within one
// document, the left passage must end before the right passage begins.
function leftRoomAfter(alignment: Alignment): u32 {
  let end = min(alignment.leftLimit, pair.left.partTo);
  if (pair.sameDocument) end = min(end, alignment.b0);
  return min(budget.extensionRoom, end - alignment.a1);
}
function rightRoomAfter(alignment: Alignment): u32 {
  return min(budget.extensionRoom, pair.right.partTo - alignment.b1);
}
function leftRoomBefore(alignment: Alignment): u32 {
  return min(budget.extensionRoom, alignment.a0 - pair.left.partFrom);
}
function rightRoomBefore(alignment: Alignment): u32 {
  const start = pair.right.partFrom;
  return min(budget.extensionRoom, alignment.b0 - (pair.sameDocument ? max(alignment.a1, start) : start));
}

/**
 * If a document consists of independent texts, restricts the side to the text that contains the token at a position.
 */
function usePart(side: Side, position: u32): void {
  if (!side.isApart) return;
  side.partFrom = partStart(side.tokens, position);
  side.partTo = partEnd(side.tokens, side.tokenCount, position);
}

/** Continues an alignment across gaps after it. Returns true if there is more than a piece can hold. */
function bridgeOnward(alignment: Alignment): bool {
  gap.isRenamedCopy = alignment.isRenamedCopy;
  do {
    lists.otherRunCount = 0;
    bridge(alignment.a1, alignment.b1, 1, leftRoomAfter(alignment), rightRoomAfter(alignment));
    for (let i: u32 = 0; i < lists.otherRunCount; i++) appendRun(itemOf<Run>(lists.otherRuns, i));
    alignment.a1 += gap.bridgedA;
    alignment.b1 += gap.bridgedB;
    if (!endedAtLimit()) return false;
  } while (hasPieceRoom(alignment));
  return true;
}

/** Continues an alignment across gaps before it. Returns true if there is more than a piece can hold. */
function bridgeBackward(alignment: Alignment): bool {
  gap.isRenamedCopy = alignment.isRenamedCopy;
  const firstRun = alignment.firstRun;
  do {
    lists.otherRunCount = 0;
    bridge(alignment.a0, alignment.b0, -1, leftRoomBefore(alignment), rightRoomBefore(alignment));
    const from = changetype<usize>(itemOf<Run>(lists.runs, firstRun)),
      to = changetype<usize>(itemOf<Run>(lists.runs, firstRun + lists.otherRunCount));
    memory.copy(to, from, <usize>(lists.runCount - firstRun) * offsetof<Run>());
    for (let i: u32 = 0; i < lists.otherRunCount; i++) {
      copyRun(itemOf<Run>(lists.runs, firstRun + i), itemOf<Run>(lists.otherRuns, lists.otherRunCount - 1 - i));
    }
    lists.runCount = lists.runCount + lists.otherRunCount;
    alignment.a0 -= gap.bridgedA;
    alignment.b0 -= gap.bridgedB;
    if (!endedAtLimit()) return false;
  } while (hasPieceRoom(alignment));
  return true;
}

/** Returns true if the last call of `bridge` ended only because of its limits, so that it should be repeated. */
function endedAtLimit(): bool {
  const used = gap.bridgedA + gap.bridgedB;
  if (
    !used ||
    used > budget.roomBeyond ||
    !(gap.hasMore || max(gap.bridgedA, gap.bridgedB) + settings.gapTokens >= budget.extensionRoom)
  )
    return false;
  budget.roomBeyond -= used;
  return true;
}

/**
 * Returns true if more runs may be added to an alignment. The limit ensures that the runs of one piece always fit in a
 * chain.
 */
@inline function hasPieceRoom(alignment: Alignment): bool {
  return hasRunRoom() && lists.runCount - alignment.firstRun + maxRunsOfExtension <= chainRoom;
}

/**
 * Returns true if a piece aligns posA with posB, or does not contain posA. If it returns false, the piece aligns posA
 * with another token: repetitive text can be aligned in several ways, and the best alignment is not always found first.
 */
function onPath(p: Piece, posA: u32, posB: u32): bool {
  const first = p.firstRun,
    count = p.endRun - first;
  if (!count) return posB - posA == p.b0 - p.a0;
  const before = countUpTo<Run>(posA, changetype<usize>(itemOf<Run>(lists.runs, first)), count, offsetof<Run>('a'));
  if (!before) return true;
  const run = itemOf<Run>(lists.runs, first + before - 1);
  return posA >= run.a + run.length || posB - posA == run.b - run.a;
}
