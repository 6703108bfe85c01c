// Writes matches. An accepted alignment becomes a match record, either unchanged, cut down, or widened.
import { reserve } from './matchScratch';
import { settings } from './settings';
import { Match } from './matchRecord';
import { hasWholeCases, hasWholeStatements, isBalanced, linesOf } from './bounds';
import {
  accepts,
  acceptsCompleted,
  acceptsInAnyOrder,
  acceptsReworded,
  acceptsWidened,
  classifier,
  largeEnough,
  minOfCompleted,
  minOfUncut,
} from './classifier';
import { leftToken, pair, setPassages, weightOf } from './documentPair';
import { addHeadings } from './headings';
import { hasWholeIndents, isDecorated, isIndented } from './indentation';
import { Piece } from './pieces';
import { countNames, Names } from './renaming';
import { rescore, rescoreCounted, trim } from './rescore';
import { appendRuns, chainRoom, lists, spanRuns } from './runs';
import { cutToSection } from './sections';
import { Side } from './side';
import { balance, maxTrimmed, trimToLines, trimToStatements } from './trimming';
import { statementLevel, widen, widestLevel } from './widening';
import { addressAt, itemOf, newRecord, recordBytes } from '../records';

/** State of writing records, with the address of the records that have been written. */
@unmanaged class MatchRecords {
  records: usize;
  /** Maximum number of records, and number of records written. */
  room: u32;
  count: u32;
  /** Number of tokens in all passages that were judged for the current pair of documents. */
  tokensJudged: u64;
  /** True if a match was lost because there was no room for it. */
  areLost: bool;
  /** True if the next match may keep incomplete statements and cases at its ends. */
  keepsStatements: bool;
  /** True if the last `writeMatch` has cut off an incomplete statement or case. */
  hasCutStatements: bool;
}

export let written = changetype<MatchRecords>(0);

const scratchAt = reserve(recordBytes<MatchRecords>());

export function placeMatchRecords(scratch: usize): void {
  written = newRecord<MatchRecords>(scratch + scratchAt);
}

export function openRecords(out: usize, room: u32): void {
  written.records = out;
  written.room = room;
  written.count = 0;
  written.areLost = false;
  written.keepsStatements = false;
}

/** Removes the records from index `count` on. */
export function dropRecords(count: u32): void {
  written.count = count;
}

/**
 * Minimum number of lines that must remain when passages of identical text are cut. It equals the default of the option
 * `minLines`, but does not depend on the option: scans with another minimum must find the same matches.
 */
export const minLines: u32 = 5;

@inline export function recordAt(i: u32): Match {
  return itemOf<Match>(written.records, i);
}

@inline function copyMatch(to: Match, from: Match): void {
  memory.copy(changetype<usize>(to), changetype<usize>(from), offsetof<Match>());
}

/** Returns the address of a record's link (recordGrid.ts). The links are stored after the memory for all records. */
@inline export function linkOf(i: u32): usize {
  return addressAt<u32>(changetype<usize>(recordAt(written.room)), i);
}

/** Returns the record for the next match, or null if there is no room. */
function nextRecord(): Match | null {
  if (written.count < written.room) return recordAt(written.count);
  written.areLost = true;
  return null;
}

/**
 * Writes the current passages as a match if they have enough words in common, in any order. The number of these words
 * is the score. Returns true if a match was written.
 */
export function writeInAnyOrder(bits: u32): bool {
  const record = nextRecord();
  if (record == null || !acceptsInAnyOrder(record)) return false;
  record.score = <i32>record.equal * (weightOf(leftToken(pair.left.start)) << 1);
  writePassages(record, bits);
  return true;
}

/** Same as `writeInAnyOrder`, for paragraphs that were reworded. Removes the matches inside them. */
export function writeReworded(bits: u32): void {
  const record = nextRecord();
  if (record == null || !acceptsReworded(record)) return;
  record.score = <i32>record.equal * (weightOf(leftToken(pair.left.start)) << 1);
  dropInside(record);
  writePassages(record, bits);
}

/**
 * Number of previous records that are checked for duplicates. Duplicates occur because different alignments may be
 * widened to the same blocks. With a lower number, more matches would be written twice. With a higher number, each
 * match would take longer to check. The value 16 is not based on a measurement.
 */
const maxEarlierRecords: u32 = 16;

/**
 * Completes the record of the current passages; its counts and score are already set. If another record has the same
 * passages, keeps only the better one.
 */
function writePassages(record: Match, bits: u32): void {
  if (!pair.renaming && !classifier.isGiven) record.equal += addHeadings(record);
  record.docA = pair.docA;
  record.docB = pair.docB;
  record.a0 = pair.left.start;
  record.a1 = pair.left.end;
  record.b0 = pair.right.start;
  record.b1 = pair.right.end;
  record.bits = bits;
  for (
    let i = written.count, end = written.count > maxEarlierRecords ? written.count - maxEarlierRecords : 0;
    i-- > end;
  ) {
    const other = recordAt(i);
    if (!other.isOf(record.docA, record.docB)) break;
    if (!other.hasRange(record.a0, record.a1, record.b0, record.b1)) continue;
    const minBits = min(bits, other.bits),
      longest = max(record.longest, other.longest);
    if (record.score > other.score) copyMatch(other, record);
    other.bits = minBits;
    other.longest = longest;
    return;
  }
  written.count++;
}

/** Values of `chained`. */
export const ofChain: bool = true;
export const ofPiece: bool = false;

/**
 * Writes the runs in otherRuns as one match if they are long enough, similar enough, and accepted by the classifier. If
 * they have too many gaps, increases the cost of gaps, which cuts them down to a denser stretch. If they nearly fill a
 * block on both sides, widens the match to the complete blocks.
 *
 * @param chained  false if the runs are those of the piece `p`, which was scored and trimmed
 */
export function writeMatch(p: Piece, bits: u32, chained: bool): bool {
  const record = nextRecord();
  if (record == null) return false;
  written.hasCutStatements = false;
  let first: u32 = 0;
  let end = lists.otherRunCount;
  // The names of the runs [first, end), or null if they must be counted.
  let names: Names | null = null;
  let triedFirst: u32 = 0,
    triedEnd: u32 = 0,
    triedA: u64 = 0,
    triedB: u64 = 0;
  for (let factor = 1; factor <= 4; factor <<= 1) {
    if (chained || factor > 1) {
      if (names == null || !names.isComplete) names = countNames(lists.otherRuns, first, end);
      const best = rescoreCounted(lists.otherRuns, first, end, names, factor);
      if (best.score < settings.minScore) return false;
      trim(lists.otherRuns, p, best);
      record.score = best.score;
    } else {
      p.firstRun = 0;
      p.endRun = lists.otherRunCount;
      record.score = p.score;
    }
    if (pair.renaming) {
      balance(p);
      trimToLines(p);
      if (!written.keepsStatements && trimToStatements(p)) written.hasCutStatements = true;
    }
    first = p.firstRun;
    end = p.endRun;
    if (first >= end) return false;
    // If a higher cost of gaps has not changed the runs, the result is known.
    if (first == triedFirst && end == triedEnd && p.rangeA == triedA && p.rangeB == triedB) {
      // A single run has no gaps, so no cost of gaps will change it.
      if (first + 1 == end) return false;
      continue;
    }
    triedFirst = first;
    triedEnd = end;
    triedA = p.rangeA;
    triedB = p.rangeB;
    const alignment = lists.otherRunCount;
    let found = false;
    for (let level = classifier.isGiven ? 0 : widestLevel(); level >= 0; level--) {
      found = false;
      written.tokensJudged += <u64>(p.a1 - p.a0);
      setPassages(p.a0, p.a1, p.b0, p.b1);
      if (level == 0) found = accepts(first, end, record);
      else if (widen(first, end, level))
        found = acceptsWidened(alignment, lists.otherRunCount, record) || (!pair.renaming && acceptsInAnyOrder(record));
      if (found && level > 0 && pair.renaming && lists.otherRunCount <= chainRoom)
        completeStatements(alignment, lists.otherRunCount, record);
      lists.otherRunCount = alignment;
      if (!found) continue;
      if (level == 0 && pair.renaming && !classifier.isGiven && !fitToBlocks(p, record)) continue;
      writePassages(record, bits);
      return true;
    }
    // Passages that were accepted, but not fitted to blocks, have counted the names of other runs.
    names = !found && largeEnough() ? classifier.names : null;
  }
  return false;
}

/**
 * Changes the current passages so that they consist of whole blocks and cases on both sides. Precondition: they were
 * accepted, and their record has its counts. First tries to extend them to whole blocks, which must be similar enough.
 * Otherwise cuts them, if the rest is accepted. If nothing can be cut, tries again to extend them to indented blocks,
 * with a lower minimum similarity. Returns false if none of this is possible. Identical text must be matched
 * completely, so passages that consist of identical tokens lose no more than `balance` may cut off, and nothing if
 * `trimToStatements` has cut off parts of statements or cases. They keep the minimum number of lines.
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
    completeStatements(first, end, record);
    return true;
  }
  if (complete(first, end, record, minOfCompleted)) return true;
  if (isEqual) {
    const longest = record.longest,
      score = record.score,
      room = written.hasCutStatements ? 0 : min(maxTrimmed, length >> 2);
    const isCut = cut(p, record, max(classifier.minTokens, length - room), true);
    if (isCut && min(linesOf(pair.left), linesOf(pair.right)) >= minLines) return true;
    setPassages(a0, a1, b0, b1);
    record.equal = length;
    record.longest = longest;
    record.score = score;
    return true;
  }
  if (cut(p, record, classifier.minTokens, false)) return true;
  if (!pair.left.isMarked || !isIndented(pair.left, a0)) return false;
  setPassages(a0, a1, b0, b1);
  return complete(first, end, record, minOfUncut);
}

/** Returns true if the current passage of a side consists of complete statements and declarations with decorators. */
function hasWholeDeclarations(side: Side): bool {
  return hasWholeStatements(side) && !isDecorated(side, side.start) && !isDecorated(side, side.end);
}

/** Returns true if the current passage of a side consists of complete blocks and cases. */
function hasWholeBlocks(side: Side): bool {
  return isBalanced(side, side.start, side.end) && (!side.isMarked || hasWholeIndents(side)) && hasWholeCases(side);
}

/**
 * If the current passages, which the runs [first, end) align, contain part of a statement or case, extends them to the
 * blocks around them. If these blocks are not similar enough, adds only the rests of statements if they are short.
 */
function completeStatements(first: u32, end: u32, record: Match): void {
  if (hasWholeDeclarations(pair.left) && hasWholeDeclarations(pair.right)) return;
  if (complete(first, end, record, minOfCompleted)) return;
  completeAt(statementLevel, first, end, record, maxTrimmed << 1, 0);
}

/**
 * Extends the current passages, which the runs [first, end) align, to the blocks around them, and to the end of the
 * statements in which these end if they are similar enough, too. If the similarity of the blocks is less than
 * `minSimilarity`, changes nothing and returns false.
 */
function complete(first: u32, end: u32, record: Match, minSimilarity: f64): bool {
  return (
    completeAt(statementLevel, first, end, record, noLimit, minSimilarity) ||
    completeAt(1, first, end, record, noLimit, minSimilarity)
  );
}

const noLimit: u32 = 0xffffffff;

/**
 * Does the same as `complete` with the blocks at one level. Also returns false if they have more than `maxAdded`
 * additional tokens.
 */
function completeAt(level: i32, first: u32, end: u32, record: Match, maxAdded: u32, minSimilarity: f64): bool {
  const a0 = pair.left.start,
    a1 = pair.left.end,
    b0 = pair.right.start,
    b1 = pair.right.end,
    alignment = lists.otherRunCount,
    length = pair.left.length + pair.right.length;
  // Does not change the passages if there are no such blocks.
  if (!widen(first, end, level)) return false;
  written.tokensJudged += <u64>pair.left.length;
  const found =
    pair.left.length + pair.right.length - length <= maxAdded &&
    acceptsCompleted(alignment, lists.otherRunCount, record, minSimilarity);
  if (found) record.score = rescore(lists.otherRuns, alignment, lists.otherRunCount).score;
  else setPassages(a0, a1, b0, b1);
  lists.otherRunCount = alignment;
  return found;
}

/**
 * Cuts the current passages to their longest part that consists of complete blocks, and of complete cases unless
 * `keepsCases` is true. Then completes its statements. Returns false if fewer than `minTokens` tokens would be left on
 * a side. Does not change the runs of the piece.
 */
function cut(p: Piece, record: Match, minTokens: u32, keepsCases: bool): bool {
  const alignment = lists.otherRunCount,
    first = p.firstRun,
    end = p.endRun;
  appendRuns(lists.otherRuns, first, end);
  spanRuns(lists.otherRuns, p, alignment, lists.otherRunCount);
  let found = cutToSection(p, minTokens, keepsCases);
  if (found) {
    const partFirst = p.firstRun,
      partEnd = p.endRun;
    setPassages(p.a0, p.a1, p.b0, p.b1);
    found = accepts(partFirst, partEnd, record);
    if (found) {
      record.score = rescore(lists.otherRuns, partFirst, partEnd).score;
      completeStatements(partFirst, partEnd, record);
    }
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
 * Writes the current passages as a match of two units. Their alignment is in otherRuns. Precondition: `record` has the
 * counts.
 */
export function writeUnits(record: Match, bits: u32): void {
  record.score = rescore(lists.otherRuns, 0, lists.otherRunCount).score;
  writePassages(record, bits);
}

/**
 * Empties all matches that lie inside the current passages. They are contained in the match in `record`, which is about
 * to be written.
 */
export function dropInside(record: Match): void {
  for (let i = written.count; i-- > 0;) {
    const other = recordAt(i);
    if (!other.isOf(pair.docA, pair.docB)) break;
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

/** Removes all empty matches from index `from` on. */
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
