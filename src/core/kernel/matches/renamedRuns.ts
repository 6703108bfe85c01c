// Runs of tokens that are equal except for consistently renamed names: unedited type-2 clones. They are found from the
// windows that are equal with abstracted names, and compared with the matches at the end.
//
// Such a run may be surrounded by code of the same form with other names, so that an alignment does not end where the
// copy does.
import { isCloser, isOpener, statementStart } from './bounds';
import { leftToken, pair, rightToken } from './documentPair';
import { diagonalAt, diagonalEndAt, diagonalRoundAt, diagonalStartAt } from './equalRuns';
import { slide } from './extend';
import { isName } from '../documents/fingerprint';
import { isTruncated, leftKey, openTable, rightKey, slotOf, slotValueAt, stamp } from './renaming';
import { golden32 } from '../documents/hashFactors';

/**
 * Number of diagonals (b − a) that are remembered: as in equalRuns.ts, each with the last stretch whose tokens are
 * equal with abstracted names.
 */
const diagonalBits: u32 = 13;
const diagonalSlots: u32 = 1 << diagonalBits;
const diagonalBytes: usize = 16;

let diagonals: usize = 0;
/** Number of the current pair of documents. */
let round: u32 = 0;
let leastLength: u32 = 0;

/**
 * Budget of tokens to follow and judge in a pair of documents, and additional budget per token of both. Beyond it, each
 * stretch is followed only near its seed. In a long text of one form, every seed lies on a stretch as long as the text.
 */
const followedBudget: u32 = 1 << 22;
const followedForToken: u64 = 8;
const spentReach: u32 = 1 << 7;
/** Cost of judging a section, as a multiple of its tokens. */
const tokensOfVerdict: u64 = 16;
/** Budget spent on the runs of the current pair. */
let spent: u64 = 0;

/** Number of tokens compared while following the runs of the current pair. */
export let renamedTokensFollowed: u64 = 0;

/** Bytes of scratch memory that `placeRenamedRuns` lays out and clears. */
export const renamedRunScratchBytes: usize = <usize>diagonalSlots * diagonalBytes;

export function placeRenamedRuns(scratch: usize): void {
  diagonals = scratch;
  memory.fill(diagonals, 0, renamedRunScratchBytes);
  round = 0;
}

/** Removes the runs of the previous pair of documents. @param least  minimum number of tokens in a run */
export function openRenamedRuns(least: u32): void {
  leastLength = least;
  renamedTokensFollowed = spent = 0;
  if (++round == 0) {
    memory.fill(diagonals, 0, renamedRunScratchBytes);
    round = 1;
  }
}

// The current stretch, on its diagonal: tokens [at, stretchEnd) remain to be examined, and the current run begins at
// `runStart`. Its renamed names are in the table of `entered`.
let diagonal: u32 = 0;
let at: u32 = 0;
let stretchEnd: u32 = 0;
let runStart: u32 = 0;
let entered: u32 = 0;

/**
 * Opens the stretch of two windows, from which `nextRenamedRun` takes runs. Returns false if it is too short or was
 * already examined.
 */
export function openStretch(posA: u32, posB: u32): bool {
  diagonal = posB - posA;
  const slot = diagonals + <usize>((diagonal * golden32) >> (32 - diagonalBits)) * diagonalBytes;
  if (
    load<u32>(slot, diagonalRoundAt) == round &&
    load<u32>(slot, diagonalAt) == diagonal &&
    posA >= load<u32>(slot, diagonalStartAt) &&
    posA < load<u32>(slot, diagonalEndAt)
  )
    return false;
  const x = pair.left + ((<usize>posA) << 2),
    y = pair.right + ((<usize>posB) << 2);
  const isSpent = spent > <u64>followedBudget + followedForToken * (<u64>pair.leftCount + <u64>pair.rightCount);
  const most = isSpent ? spentReach : u32.MAX_VALUE;
  const before = min(most, min(posA, posB)),
    behind = min(most, min(pair.leftCount - posA, pair.rightCount - posB));
  const start = posA - <u32>slide(x - 4, y - 4, -4, 0, 0, before, before, true);
  const end = posA + <u32>slide(x, y, 4, 0, 0, behind, behind, true);
  renamedTokensFollowed += <u64>(end - start);
  spent += <u64>(end - start);
  store<u32>(slot, round, diagonalRoundAt);
  store<u32>(slot, diagonal, diagonalAt);
  store<u32>(slot, start, diagonalStartAt);
  // If nothing matches, remember that for the window.
  store<u32>(slot, max(end, posA + 1), diagonalEndAt);
  if (end < start + leastLength) return false;
  runStart = at = start;
  stretchEnd = end;
  enter();
  return true;
}

/** Adds the names of the current run to a table of their own. */
function enter(): void {
  openTable((stretchEnd - runStart) << 1);
  entered = stamp;
  for (let i = runStart; i < at; i++) {
    const x = leftToken(i);
    if (!isName(x)) continue;
    store<u32>(slotOf(leftKey(x)), i + 1, slotValueAt);
    store<u32>(slotOf(rightKey(rightToken(i + diagonal))), i + 1, slotValueAt);
  }
}

/** The run that was found last: tokens [sectionFrom, runEnd) remain to be divided into sections. */
let sectionFrom: u32 = 0;
let runEnd: u32 = 0;

/**
 * Finds the next maximal run of sufficient length. If a name corresponds to another name than before, the next run
 * begins after its last position in this one.
 */
export function nextRenamedRun(): bool {
  // Processing the last run may have reused the table.
  if (entered != stamp) enter();
  while (at < stretchEnd) {
    const next = nextStart();
    const start = runStart,
      end = at;
    runStart = next;
    if (next > end) {
      // No room for more names: the run ends here, and the rest begins a new one.
      runStart = end;
      enter();
    } else {
      at++;
    }
    if (next > start && takeRun(start, end)) return true;
  }
  const start = runStart;
  runStart = stretchEnd;
  return takeRun(start, stretchEnd);
}

/**
 * Returns the beginning of the run that includes the current token, whose name is added; the position after it if the
 * table is full.
 */
function nextStart(): u32 {
  const x = leftToken(at);
  if (!isName(x)) return runStart;
  const y = rightToken(at + diagonal);
  const ofX = slotOf(leftKey(x)),
    ofY = slotOf(rightKey(y));
  if (isTruncated(ofX) || isTruncated(ofY)) return at + 1;
  const lastX = load<u32>(ofX, slotValueAt),
    lastY = load<u32>(ofY, slotValueAt);
  let start = runStart;
  if (lastX > start && rightToken(lastX - 1 + diagonal) != y) start = lastX;
  if (lastY > start && leftToken(lastY - 1) != x) start = lastY;
  store<u32>(ofX, at + 1, slotValueAt);
  store<u32>(ofY, at + 1, slotValueAt);
  return start;
}

function takeRun(start: u32, end: u32): bool {
  sectionFrom = start;
  runEnd = end;
  return end >= start + leastLength;
}

/** The section that was found last. */
export let sectionA: u32 = 0;
export let sectionB: u32 = 0;
export let sectionLength: u32 = 0;

/**
 * Finds the next section of the run: the tokens between unmatched brackets, without the beginning of the statement of
 * the bracket. Partial statements at the ends of a run are code of the same form as any other. In one document, a
 * section ends before its right side begins.
 */
export function nextSection(): bool {
  while (sectionFrom + leastLength <= runEnd) {
    const from = sectionFrom;
    const most = pair.sameDocument ? min(runEnd, from + diagonal) : runEnd;
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
    if (depth > 0) to = max(from, statementStart(pair.left, pair.leftLines, pair.leftLineCount, opener));
    sectionFrom = depth < 0 ? i + 1 : depth > 0 && (most == runEnd || to == from) ? opener + 1 : to;
    if (to < from + leastLength) continue;
    sectionA = from;
    sectionB = from + diagonal;
    sectionLength = to - from;
    spent += tokensOfVerdict * <u64>sectionLength;
    return true;
  }
  return false;
}
