// Writes matches. An alignment becomes a match record if it is accepted as it is, cut down, or widened.
import { settings } from './settings';
import { Match } from './matchRecord';
import { hasWholeStatements, isBalanced, linesOf } from './bounds';
import {
  accepts,
  acceptsCompleted,
  acceptsInAnyOrder,
  classifier,
  largeEnough,
  leastOfCompleted,
  leastOfUncut,
} from './classifier';
import { leftToken, pair, setPassages, weightOf } from './documentPair';
import { hasWholeIndents, isIndented } from './indentation';
import { Piece } from './pieces';
import { knowsColumns } from './renaming';
import { rescore, rescoreCounted, scoring, trim } from './rescore';
import { lists, repeatRuns, spanRuns } from './runs';
import { cutToSection } from './sections';
import { Side } from './side';
import { balance, mostTrimmed, trimToLines, trimToStatements } from './trimming';
import { widen, widestLevel } from './widening';
import { itemOf, newRecord, recordBytes } from '../records';

/** Address of the match records that have been written. */
@unmanaged class MatchRecords {
  records: usize;
  /** Maximum number of records, and number of records. */
  room: u32;
  count: u32;
  /** Numbers of the current documents. */
  docA: u32;
  docB: u32;
  /** True if a match was lost because there was no room. */
  areLost: bool;
  /** True if the next match keeps incomplete statements and cases at its ends. */
  keepsStatements: bool;
  /** True if the last `writeMatch` has cut off an incomplete statement or case. */
  hasCutStatements: bool;
}

export let written = changetype<MatchRecords>(0);

/** Size in bytes of the scratch memory that `placeMatchRecords` initializes. */
export const matchRecordsScratchBytes: usize = recordBytes<MatchRecords>();

export function placeMatchRecords(scratch: usize): void {
  written = newRecord<MatchRecords>(scratch);
}

export function openRecords(out: usize, room: u32): void {
  written.records = out;
  written.room = room;
  written.count = 0;
  written.areLost = false;
  written.keepsStatements = false;
}

/** Removes the records from `count` on. */
export function dropRecords(count: u32): void {
  written.count = count;
}

export function setPair(a: u32, b: u32): void {
  written.docA = a;
  written.docB = b;
}

/**
 * Minimum number of lines that equal passages keep when they are cut. It is the default of the option `minLines`. It
 * does not depend on the option, because scans with another minimum must find the same matches.
 */
const minLines: u32 = 5;

@inline export function recordAt(i: u32): Match {
  return itemOf<Match>(written.records, i);
}

@inline function copyMatch(to: Match, from: Match): void {
  memory.copy(changetype<usize>(to), changetype<usize>(from), offsetof<Match>());
}

/** Returns the address of a record's link in recordGrid.ts. Links follow the memory for records. */
@inline export function linkOf(i: u32): usize {
  return changetype<usize>(recordAt(written.room)) + ((<usize>i) << 2);
}

/** Returns the record for the next match, or null if there is no room. */
function nextRecord(): Match | null {
  if (written.count < written.room) return recordAt(written.count);
  written.areLost = true;
  return null;
}

/**
 * Writes the current passages as a match if they share enough words in any order. The number of shared words is the
 * score.
 */
export function writeInAnyOrder(bits: u32): bool {
  const record = nextRecord();
  if (record == null || !acceptsInAnyOrder(record)) return false;
  scoring.bestScore = <i32>record.equal * (weightOf(leftToken(pair.left.start)) << 1);
  writePassages(record, bits);
  return true;
}

/**
 * Number of previous records that are checked for duplicates, because different alignments may widen to the same
 * blocks. If it is lower, more matches are written twice. If it is higher, each match takes longer to check. The value
 * 16 is not based on a measurement.
 */
const lookBackAtRecords: u32 = 16;

/**
 * Completes the record of the current passages, in which the counts are already set. If another record has the same
 * passages, keeps the better one.
 */
function writePassages(record: Match, bits: u32): void {
  record.docA = written.docA;
  record.docB = written.docB;
  record.a0 = pair.left.start;
  record.a1 = pair.left.end;
  record.b0 = pair.right.start;
  record.b1 = pair.right.end;
  record.bits = bits;
  record.score = scoring.bestScore;
  for (
    let i = written.count, end = written.count > lookBackAtRecords ? written.count - lookBackAtRecords : 0;
    i-- > end;
  ) {
    const other = recordAt(i);
    if (!other.isOf(record.docA, record.docB)) break;
    if (!other.hasRange(record.a0, record.a1, record.b0, record.b1)) continue;
    const least = min(bits, other.bits),
      longest = max(record.longest, other.longest);
    if (scoring.bestScore > other.score) copyMatch(other, record);
    other.bits = least;
    other.longest = longest;
    return;
  }
  written.count++;
}

/**
 * Writes the runs in otherRuns as one match if they are long enough, similar enough, and accepted by the classifier. If
 * an alignment has too many gaps, increases the cost of gaps to cut it down to a denser stretch. If it nearly fills a
 * block on both sides, widens it to the complete block.
 */
export function writeMatch(p: Piece, bits: u32, chained: bool): bool {
  const record = nextRecord();
  if (record == null) return false;
  written.hasCutStatements = false;
  let first: u32 = 0;
  let end = lists.otherRunCount;
  // True if the names in the runs [first, end) were counted last.
  let counted = false;
  let triedFirst: u32 = 0,
    triedEnd: u32 = 0,
    triedA: u64 = 0,
    triedB: u64 = 0;
  for (let factor = 1; factor <= 4; factor <<= 1) {
    if (chained || factor > 1) {
      scoring.gapFactor = factor;
      if (counted && knowsColumns()) rescoreCounted(lists.otherRuns, first, end);
      else rescore(lists.otherRuns, first, end);
      scoring.gapFactor = 1;
      if (scoring.bestScore < settings.leastScore) return false;
      trim(lists.otherRuns, p);
    } else {
      p.firstRun = 0;
      p.endRun = lists.otherRunCount;
      scoring.bestScore = p.score;
    }
    if (pair.renaming) {
      balance(p);
      trimToLines(p);
      if (!written.keepsStatements && trimToStatements(p)) written.hasCutStatements = true;
    }
    first = p.firstRun;
    end = p.endRun;
    if (first >= end) return false;
    // If the higher cost of gaps has changed nothing, the result is the same as before.
    if (first == triedFirst && end == triedEnd && p.rangeA == triedA && p.rangeB == triedB) {
      counted = true;
      continue;
    }
    triedFirst = first;
    triedEnd = end;
    triedA = p.rangeA;
    triedB = p.rangeB;
    const alignment = lists.otherRunCount;
    for (let level = classifier.isGiven ? 0 : widestLevel(); level >= 0; level--) {
      let found = false;
      setPassages(p.a0, p.a1, p.b0, p.b1);
      if (level == 0) found = accepts(first, end, record);
      else if (widen(first, end, level))
        found = accepts(alignment, lists.otherRunCount, record) || (!pair.renaming && acceptsInAnyOrder(record));
      lists.otherRunCount = alignment;
      if (!found) continue;
      if (level == 0 && pair.renaming && !classifier.isGiven && !fitToBlocks(p, record)) continue;
      writePassages(record, bits);
      return true;
    }
    counted = largeEnough();
  }
  return false;
}

/**
 * Changes the current passages so that they consist of whole blocks on both sides. They must be accepted, and their
 * record must have its counts. Completes them to blocks if the result is similar enough. Otherwise cuts them if the
 * rest is accepted. If nothing can be cut, indented blocks may be less similar. Returns false if none of this is
 * possible. Equal text must be matched completely, so passages that are equal throughout lose no more than `balance`
 * may cut off, and keep the minimum number of lines.
 */
function fitToBlocks(p: Piece, record: Match): bool {
  const a0 = pair.left.start,
    a1 = pair.left.end,
    b0 = pair.right.start,
    b1 = pair.right.end;
  const length = a1 - a0;
  const isEqual = record.equal << 1 == length + b1 - b0;
  const first = p.firstRun,
    end = p.endRun;
  if (hasWholeBlocks(pair.left) && hasWholeBlocks(pair.right)) {
    if (
      isEqual ||
      (hasWholeStatements(pair.left) && hasWholeStatements(pair.right)) ||
      complete(first, end, record, leastOfCompleted)
    )
      return true;
    setPassages(a0, a1, b0, b1);
    return true;
  }
  if (isEqual) {
    const longest = record.longest,
      score = scoring.bestScore;
    const isCut = cut(p, record, max(classifier.leastTokens, length - min(mostTrimmed, length >> 2)));
    if (isCut && min(linesOf(pair.left), linesOf(pair.right)) >= minLines) return true;
    setPassages(a0, a1, b0, b1);
    record.equal = length;
    record.longest = longest;
    scoring.bestScore = score;
    return true;
  }
  if (complete(first, end, record, leastOfCompleted) || cut(p, record, classifier.leastTokens)) return true;
  if (!pair.left.isMarked || !isIndented(pair.left, a0)) return false;
  setPassages(a0, a1, b0, b1);
  return complete(first, end, record, leastOfUncut);
}

/** Returns true if the current passage of a side consists of whole blocks. */
function hasWholeBlocks(side: Side): bool {
  return isBalanced(side, side.start, side.end) && (!side.isMarked || hasWholeIndents(side));
}

/**
 * Completes the current passages, which the runs [first, end) align, to the blocks around them. Returns false if the
 * similarity of these is less than `least`.
 */
function complete(first: u32, end: u32, record: Match, least: f64): bool {
  const alignment = lists.otherRunCount;
  if (!widen(first, end, 1)) return false;
  const found = acceptsCompleted(alignment, lists.otherRunCount, record, least);
  if (found) rescore(lists.otherRuns, alignment, lists.otherRunCount);
  lists.otherRunCount = alignment;
  return found;
}

/**
 * Cuts the current passages to their longest part that consists of whole blocks. Returns false if fewer than `least`
 * tokens are left on a side. The runs of the piece are not changed.
 */
function cut(p: Piece, record: Match, least: u32): bool {
  const alignment = lists.otherRunCount,
    first = p.firstRun,
    end = p.endRun;
  repeatRuns(first, end);
  spanRuns(lists.otherRuns, p, alignment, lists.otherRunCount);
  let found = cutToSection(p, least);
  if (found) {
    const partFirst = p.firstRun,
      partEnd = p.endRun;
    setPassages(p.a0, p.a1, p.b0, p.b1);
    found = accepts(partFirst, partEnd, record);
    if (found) rescore(lists.otherRuns, partFirst, partEnd);
  }
  lists.otherRunCount = alignment;
  spanRuns(lists.otherRuns, p, first, end);
  return found;
}

/** Returns the record for a match of units, or null if there is no room. */
export function recordForUnits(): Match | null {
  return nextRecord();
}

/**
 * Writes the current passages as a match. They are two units whose alignment is in otherRuns, and `record` has the
 * counts.
 */
export function writeUnits(record: Match, bits: u32): void {
  rescore(lists.otherRuns, 0, lists.otherRunCount);
  writePassages(record, bits);
}

/**
 * Makes all matches inside the current passages empty, because the match in `record`, which is not written yet,
 * contains them.
 */
export function dropInside(record: Match): void {
  for (let i = written.count; i-- > 0;) {
    const other = recordAt(i);
    if (!other.isOf(written.docA, written.docB)) break;
    if (
      other.a0 < pair.left.start ||
      other.a1 > pair.left.end ||
      other.b0 < pair.right.start ||
      other.b1 > pair.right.end
    )
      continue;
    if (other.a0 == other.a1) continue;
    other.a1 = other.a0;
    record.longest = max(record.longest, other.longest);
  }
}

/** Removes all empty matches from number `from` on. */
export function dropEmptyRecords(from: u32): void {
  let kept = from;
  for (let i = from; i < written.count; i++) {
    const record = recordAt(i);
    if (record.a0 == record.a1) continue;
    if (kept < i) copyMatch(recordAt(kept), record);
    kept++;
  }
  written.count = kept;
}
