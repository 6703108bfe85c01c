// Runs of tokens that are equal except for consistently renamed names: unedited type-2 clones. They are found from the
// windows that are equal with abstracted names, and compared with the matches at the end.
//
// Such a run may be surrounded by code of the same form with other names, so that an alignment does not end where the
// copy does.
import { isCloser, isOpener, statementStart } from './bounds';
import { leftToken, pair, rightToken } from './documentPair';
import { Diagonal } from './equalRuns';
import { slide } from './extend';
import { isName } from '../documents/fingerprint';
import { isTruncated, leftKey, names, openTable, rightKey, slotOf } from './renaming';
import { golden32 } from '../documents/hashFactors';
import { itemOf, newRecord, recordBytes } from '../records';

/**
 * Number of diagonals (b − a) that are remembered: as in equalRuns.ts, each with the last stretch whose tokens are
 * equal with abstracted names.
 */
const diagonalBits: u32 = 13;
const diagonalSlots: u32 = 1 << diagonalBits;
const diagonalsBytes: usize = <usize>diagonalSlots * offsetof<Diagonal>();

/** The search for renamed runs in the current pair of documents. */
@unmanaged class RenamedRuns {
  /** Budget spent on the runs of the current pair. */
  spent: u64;
  /** Number of tokens compared while following the runs of the current pair. */
  tokensFollowed: u64;
  /** `diagonalSlots` diagonals: see `Diagonal`. */
  diagonals: usize;
  /** Number of the current pair of documents. */
  round: u32;
  /** Minimum number of tokens in a run. */
  minLength: u32;
  /**
   * The current stretch, on its diagonal: tokens [at, stretchEnd) remain to be examined, and the current run begins at
   * `runStart`. Its renamed names are in the table with the stamp `entered`.
   */
  diagonal: u32;
  at: u32;
  stretchEnd: u32;
  runStart: u32;
  entered: u32;
  /** The run that was found last: tokens [sectionFrom, runEnd) remain to be divided into sections. */
  sectionFrom: u32;
  runEnd: u32;
  /** The section that was found last. */
  sectionA: u32;
  sectionB: u32;
  sectionLength: u32;
}

export let renamedRuns = changetype<RenamedRuns>(0);

/**
 * Budget of tokens to follow and judge in a pair of documents, and additional budget per token of both. Beyond it, each
 * stretch is followed only near its seed. In a long text of one form, every seed lies on a stretch as long as the text.
 */
const followedBudget: u32 = 1 << 22;
const followedForToken: u64 = 8;
const spentReach: u32 = 1 << 7;
/** Cost of judging a section, as a multiple of its tokens. */
const tokensOfVerdict: u64 = 16;

/** Bytes of scratch memory that `placeRenamedRuns` lays out and clears. */
export const renamedRunScratchBytes: usize = recordBytes<RenamedRuns>() + diagonalsBytes;

export function placeRenamedRuns(scratch: usize): void {
  renamedRuns = newRecord<RenamedRuns>(scratch);
  renamedRuns.diagonals = scratch + recordBytes<RenamedRuns>();
  memory.fill(renamedRuns.diagonals, 0, diagonalsBytes);
}

/** Removes the runs of the previous pair of documents. @param least  minimum number of tokens in a run */
export function openRenamedRuns(least: u32): void {
  renamedRuns.minLength = least;
  renamedRuns.tokensFollowed = renamedRuns.spent = 0;
  if (++renamedRuns.round == 0) {
    memory.fill(renamedRuns.diagonals, 0, diagonalsBytes);
    renamedRuns.round = 1;
  }
}

/**
 * Opens the stretch of two windows, from which `nextRenamedRun` takes runs. Returns false if it is too short or was
 * already examined.
 */
export function openStretch(posA: u32, posB: u32): bool {
  renamedRuns.diagonal = posB - posA;
  const slot = itemOf<Diagonal>(renamedRuns.diagonals, (renamedRuns.diagonal * golden32) >> (32 - diagonalBits));
  if (slot.round == renamedRuns.round && slot.diagonal == renamedRuns.diagonal && posA >= slot.start && posA < slot.end)
    return false;
  const x = pair.left.at(posA),
    y = pair.right.at(posB);
  const isSpent =
    renamedRuns.spent >
    <u64>followedBudget + followedForToken * (<u64>pair.left.tokenCount + <u64>pair.right.tokenCount);
  const most = isSpent ? spentReach : u32.MAX_VALUE;
  const before = min(most, min(posA, posB)),
    behind = min(most, min(pair.left.tokenCount - posA, pair.right.tokenCount - posB));
  const start = posA - <u32>slide(x - 4, y - 4, -4, 0, 0, before, before, true);
  const end = posA + <u32>slide(x, y, 4, 0, 0, behind, behind, true);
  renamedRuns.tokensFollowed += <u64>(end - start);
  renamedRuns.spent += <u64>(end - start);
  slot.round = renamedRuns.round;
  slot.diagonal = renamedRuns.diagonal;
  slot.start = start;
  // If nothing matches, remember that for the window.
  slot.end = max(end, posA + 1);
  if (end < start + renamedRuns.minLength) return false;
  renamedRuns.runStart = renamedRuns.at = start;
  renamedRuns.stretchEnd = end;
  enter();
  return true;
}

/** Adds the names of the current run to a table of their own. */
function enter(): void {
  openTable((renamedRuns.stretchEnd - renamedRuns.runStart) << 1);
  renamedRuns.entered = names.stamp;
  for (let i = renamedRuns.runStart; i < renamedRuns.at; i++) {
    const x = leftToken(i);
    if (!isName(x)) continue;
    slotOf(leftKey(x)).value = i + 1;
    slotOf(rightKey(rightToken(i + renamedRuns.diagonal))).value = i + 1;
  }
}

/**
 * Finds the next maximal run of sufficient length. If a name corresponds to another name than before, the next run
 * begins after its last position in this one.
 */
export function nextRenamedRun(): bool {
  // Processing the last run may have reused the table.
  if (renamedRuns.entered != names.stamp) enter();
  while (renamedRuns.at < renamedRuns.stretchEnd) {
    const next = nextStart();
    const start = renamedRuns.runStart,
      end = renamedRuns.at;
    renamedRuns.runStart = next;
    if (next > end) {
      // No room for more names: the run ends here, and the rest begins a new one.
      renamedRuns.runStart = end;
      enter();
    } else {
      renamedRuns.at++;
    }
    if (next > start && takeRun(start, end)) return true;
  }
  const start = renamedRuns.runStart;
  renamedRuns.runStart = renamedRuns.stretchEnd;
  return takeRun(start, renamedRuns.stretchEnd);
}

/**
 * Returns the beginning of the run that includes the current token, whose name is added; the position after it if the
 * table is full.
 */
function nextStart(): u32 {
  const x = leftToken(renamedRuns.at);
  if (!isName(x)) return renamedRuns.runStart;
  const y = rightToken(renamedRuns.at + renamedRuns.diagonal);
  const ofX = slotOf(leftKey(x)),
    ofY = slotOf(rightKey(y));
  if (isTruncated(ofX) || isTruncated(ofY)) return renamedRuns.at + 1;
  const lastX = ofX.value,
    lastY = ofY.value;
  let start = renamedRuns.runStart;
  if (lastX > start && rightToken(lastX - 1 + renamedRuns.diagonal) != y) start = lastX;
  if (lastY > start && leftToken(lastY - 1) != x) start = lastY;
  ofX.value = renamedRuns.at + 1;
  ofY.value = renamedRuns.at + 1;
  return start;
}

function takeRun(start: u32, end: u32): bool {
  renamedRuns.sectionFrom = start;
  renamedRuns.runEnd = end;
  return end >= start + renamedRuns.minLength;
}

/**
 * Finds the next section of the run: the tokens between unmatched brackets, without the beginning of the statement of
 * the bracket. Partial statements at the ends of a run are code of the same form as any other. In one document, a
 * section ends before its right side begins.
 */
export function nextSection(): bool {
  while (renamedRuns.sectionFrom + renamedRuns.minLength <= renamedRuns.runEnd) {
    const from = renamedRuns.sectionFrom;
    const most = pair.sameDocument ? min(renamedRuns.runEnd, from + renamedRuns.diagonal) : renamedRuns.runEnd;
    let depth: i32 = 0,
      opener = from,
      i = from;
    for (; i < most; i++) {
      const token = leftToken(i);
      if (isOpener(token)) {
        if (!depth++) opener = i;
      } else if (isCloser(token) && --depth < 0) break;
    }
    let to = i;
    if (depth > 0) to = max(from, statementStart(pair.left, opener));
    renamedRuns.sectionFrom =
      depth < 0 ? i + 1 : depth > 0 && (most == renamedRuns.runEnd || to == from) ? opener + 1 : to;
    if (to < from + renamedRuns.minLength) continue;
    renamedRuns.sectionA = from;
    renamedRuns.sectionB = from + renamedRuns.diagonal;
    renamedRuns.sectionLength = to - from;
    renamedRuns.spent += tokensOfVerdict * <u64>renamedRuns.sectionLength;
    return true;
  }
  return false;
}
