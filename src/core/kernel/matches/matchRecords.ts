// Writes matches: an alignment becomes a record (matchRecordLayout.ts) if it is accepted completely, cut down, or widened.
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

/** The records of the matches that have been written. */
@unmanaged class MatchRecords {
  records: usize;
  /** Maximum number of records, and their number. */
  room: u32;
  count: u32;
  /** Numbers of the current documents. */
  docA: u32;
  docB: u32;
  /** True if there was no room for a match. */
  areLost: bool;
  /** True to keep partial statements and cases at the ends of the next match. */
  keepsStatements: bool;
  /** True if such an end was cut off in the last `writeMatch`. */
  hasCutStatements: bool;
}

export let written = changetype<MatchRecords>(0);

/** Bytes of scratch memory that `placeMatchRecords` initializes. */
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
 * Number of lines that equal passages keep: the default of the option `minLines`. It does not depend on the option,
 * because a scan with another minimum must have the same matches.
 */
const minLines: u32 = 5;

@inline export function recordAt(i: u32): Match {
  return itemOf<Match>(written.records, i);
}

@inline function copyMatch(to: Match, from: Match): void {
  memory.copy(changetype<usize>(to), changetype<usize>(from), offsetof<Match>());
}

/** Returns the address of the link of a record in recordGrid.ts. The links are behind the room of the records. */
@inline export function linkOf(i: u32): usize {
  return changetype<usize>(recordAt(written.room)) + ((<usize>i) << 2);
}

/** Returns the record of the next match, if there is room. */
function nextRecord(): Match | null {
  if (written.count < written.room) return recordAt(written.count);
  written.areLost = true;
  return null;
}

/**
 * Writes the current passages as a match if they have the same content in any order. Their shared words are the score.
 */
export function writeInAnyOrder(bits: u32): bool {
  const record = nextRecord();
  if (record == null || !acceptsInAnyOrder(record)) return false;
  scoring.bestScore = <i32>record.equal * (weightOf(leftToken(pair.left.start)) << 1);
  writePassages(record, bits);
  return true;
}

/**
 * Number of previous records that are checked for duplicates, because different alignments widen to the same blocks.
 * With fewer, more matches are written twice; with more, each match takes longer to check. The value 16 is not based on
 * a measurement.
 */
const lookBackAtRecords: u32 = 16;

/**
 * Completes the record of the current passages, which already has its counts. Of two records with the same passages,
 * keeps the better one.
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
 * Writes the runs in otherRuns as one match if it is large enough, similar enough, and accepted by the classifier. An
 * alignment that is too loose is cut down to a denser stretch by increasing the cost of gaps. One that nearly fills a
 * block on both sides is widened to the complete block.
 */
export function writeMatch(p: Piece, bits: u32, chained: bool): bool {
  const record = nextRecord();
  if (record == null) return false;
  written.hasCutStatements = false;
  let first: u32 = 0;
  let end = lists.otherRunCount;
  // True if names were last counted for runs [first, end).
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
    // If the higher gap cost changed nothing, the result is the same as before.
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
 * Brings the current passages, an accepted alignment whose record has its counts, to whole blocks on both sides:
 * completes them if the result is similar enough, else cuts them if what is left is accepted. Indented blocks may be
 * less similar if nothing can be cut. Returns false if none of this is possible. Equal text is matched completely, so
 * passages that are equal throughout only lose what `balance` may cut off as well, and no line that they need.
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
 * Completes the current passages, aligned by runs [first, end), to the blocks around them if these have a similarity of
 * at least `least`.
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
 * Cuts the current passages to the longest part with whole blocks, if it has at least `least` tokens on both sides. The
 * runs of the piece stay as they are.
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

/** Returns a record for a match of units, if there is room. */
export function recordForUnits(): Match | null {
  return nextRecord();
}

/** Writes the current passages, two units whose alignment is in otherRuns, as a match. Its record has its counts. */
export function writeUnits(record: Match, bits: u32): void {
  rescore(lists.otherRuns, 0, lists.otherRunCount);
  writePassages(record, bits);
}

/**
 * Makes the matches empty that lie inside the current passages: they are part of the match in `record`, which is not
 * written yet.
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

/** Removes the empty matches from a number on. */
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
