// Finds runs of tokens that are equal except for consistently renamed names (unedited type-2 clones). They are found
// from windows that are equal if names count only by kind. In the end, each run that no match contains becomes a match.
//
// An alignment alone would miss some of them: if code of the same form with other names follows a copy, the alignment
// does not end where the copy ends.
import { isCloser, isOpener, statementStart } from './bounds';
import { leftToken, pair, rightToken } from './documentPair';
import { Diagonal } from './equalRuns';
import { slide } from './extend';
import { isName, namesAbstracted } from '../documents/fingerprint';
import { reserve } from './matchScratch';
import { KeyTable, leftKey, openTable, rightKey } from './renaming';
import { golden32 } from '../documents/hashFactors';
import { itemOf, newRecord, recordBytes } from '../records';

/**
 * Number of bits of a slot number in the table of diagonals (b − a), as in equalRuns.ts. For each diagonal, the table
 * remembers the last stretch whose tokens are equal if names count only by kind.
 */
const diagonalBits: u32 = 13;
const diagonalSlots: u32 = 1 << diagonalBits;
const diagonalsBytes: usize = <usize>diagonalSlots * offsetof<Diagonal>();

/** State of the search for renamed runs in the current pair of documents. */
@unmanaged export class RenamedRuns {
  /** Amount of work done for the current pair, which `followedBudget` limits. */
  spent: u64;
  /** Number of tokens that were compared to follow the runs of the current pair. */
  tokensFollowed: u64;
  /** Address of `diagonalSlots` records of the type `Diagonal`. */
  diagonals: usize;
  /** Number of the current pair of documents. */
  round: u32;
  minLength: u32;
  /**
   * The current stretch and its diagonal. Its tokens [at, stretchEnd) have not been examined yet. The current run
   * begins at `runStart`. Its names are in the table, if the table still has the stamp `entered`.
   */
  diagonal: u32;
  at: u32;
  stretchEnd: u32;
  runStart: u32;
  table: KeyTable;
  entered: u32;
  /** The part of the last run that has not been divided into sections yet: tokens [sectionFrom, runEnd). */
  sectionFrom: u32;
  runEnd: u32;
  /** The last section: its start on each side, and its length. */
  sectionA: u32;
  sectionB: u32;
  sectionLength: u32;
}

let renamedRuns = changetype<RenamedRuns>(0);

/**
 * Budget for extending renamed runs in a pair of documents: a fixed number of tokens, plus a number for each token of
 * the two documents. When it is used up, a run is extended by at most `spentReach` tokens on each side of its seed.
 * Without a budget, a long uniform text would take quadratic time, because every seed extends over the entire text.
 */
const followedBudget: u32 = 1 << 22;
const followedForToken: u64 = 8;
const spentReach: u32 = 1 << 7;
/** Cost of judging a section, for each of its tokens. The unit is the cost of following one token. */
const tokensOfVerdict: u64 = 16;

const scratchAt = reserve(recordBytes<RenamedRuns>() + diagonalsBytes);

export function placeRenamedRuns(scratch: usize): void {
  const address = scratch + scratchAt;
  renamedRuns = newRecord<RenamedRuns>(address);
  renamedRuns.diagonals = address + recordBytes<RenamedRuns>();
  memory.fill(renamedRuns.diagonals, 0, diagonalsBytes);
}

/**
 * Returns the state for a search in the current pair of documents, without a stretch.
 *
 * @param minLength  minimum number of tokens in a run
 */
export function openRenamedRuns(minLength: u32): RenamedRuns {
  renamedRuns.minLength = minLength;
  renamedRuns.tokensFollowed = renamedRuns.spent = 0;
  if (++renamedRuns.round == 0) {
    memory.fill(renamedRuns.diagonals, 0, diagonalsBytes);
    renamedRuns.round = 1;
  }
  return renamedRuns;
}

/**
 * Opens the stretch through two windows, so that `nextRenamedRun` can find its runs. Returns false if the stretch is
 * too short or was examined before.
 */
export function openStretch(renamedRuns: RenamedRuns, posA: u32, posB: u32): bool {
  renamedRuns.diagonal = posB - posA;
  const slot = itemOf<Diagonal>(renamedRuns.diagonals, (renamedRuns.diagonal * golden32) >> (32 - diagonalBits));
  if (slot.round == renamedRuns.round && slot.diagonal == renamedRuns.diagonal && posA >= slot.start && posA < slot.end)
    return false;
  const x = pair.left.at(posA),
    y = pair.right.at(posB);
  const isSpent =
    renamedRuns.spent >
    <u64>followedBudget + followedForToken * (<u64>pair.left.tokenCount + <u64>pair.right.tokenCount);
  const maxReach = isSpent ? spentReach : u32.MAX_VALUE;
  const before = min(maxReach, min(posA, posB)),
    behind = min(maxReach, min(pair.left.tokenCount - posA, pair.right.tokenCount - posB));
  const start = posA - <u32>slide(x - 4, y - 4, -4, 0, 0, before, before, namesAbstracted);
  const end = posA + <u32>slide(x, y, 4, 0, 0, behind, behind, namesAbstracted);
  renamedRuns.tokensFollowed += <u64>(end - start);
  renamedRuns.spent += <u64>(end - start);
  slot.round = renamedRuns.round;
  slot.diagonal = renamedRuns.diagonal;
  slot.start = start;
  // Even if nothing matches, remember that this window was examined.
  slot.end = max(end, posA + 1);
  if (end < start + renamedRuns.minLength) return false;
  renamedRuns.runStart = renamedRuns.at = start;
  renamedRuns.stretchEnd = end;
  enter(renamedRuns);
  return true;
}

/** Clears the table, and adds the names of the current run to it. */
function enter(renamedRuns: RenamedRuns): void {
  const table = openTable((renamedRuns.stretchEnd - renamedRuns.runStart) << 1);
  renamedRuns.table = table;
  renamedRuns.entered = table.stamp;
  for (let i = renamedRuns.runStart; i < renamedRuns.at; i++) {
    const x = leftToken(i);
    if (!isName(x)) continue;
    table.slotOf(leftKey(x)).value = i + 1;
    table.slotOf(rightKey(rightToken(i + renamedRuns.diagonal))).value = i + 1;
  }
}

/**
 * Finds the next maximal run that is long enough. A run ends where a name corresponds to a different name than before.
 * The next run begins after the position where the names corresponded differently.
 */
export function nextRenamedRun(renamedRuns: RenamedRuns): bool {
  // The table may have been reused since the previous run.
  if (renamedRuns.entered != renamedRuns.table.stamp) enter(renamedRuns);
  while (renamedRuns.at < renamedRuns.stretchEnd) {
    const next = nextStart(renamedRuns);
    const start = renamedRuns.runStart,
      end = renamedRuns.at;
    renamedRuns.runStart = next;
    if (next > end) {
      // The table is full, so end the run here and begin a new one.
      renamedRuns.runStart = end;
      enter(renamedRuns);
    } else {
      renamedRuns.at++;
    }
    if (next > start && setRun(renamedRuns, start, end)) return true;
  }
  const start = renamedRuns.runStart;
  renamedRuns.runStart = renamedRuns.stretchEnd;
  return setRun(renamedRuns, start, renamedRuns.stretchEnd);
}

/**
 * Adds the name at the current token to the table. Returns the start of the run that includes this token, which is
 * later if the name contradicts earlier ones. If the table is full, returns the position after the token.
 */
function nextStart(renamedRuns: RenamedRuns): u32 {
  const x = leftToken(renamedRuns.at);
  if (!isName(x)) return renamedRuns.runStart;
  const y = rightToken(renamedRuns.at + renamedRuns.diagonal);
  const table = renamedRuns.table;
  const ofX = table.slotOf(leftKey(x)),
    ofY = table.slotOf(rightKey(y));
  if (ofX == table.crowd || ofY == table.crowd) return renamedRuns.at + 1;
  const lastX = ofX.value,
    lastY = ofY.value;
  let start = renamedRuns.runStart;
  if (lastX > start && rightToken(lastX - 1 + renamedRuns.diagonal) != y) start = lastX;
  if (lastY > start && leftToken(lastY - 1) != x) start = lastY;
  ofX.value = renamedRuns.at + 1;
  ofY.value = renamedRuns.at + 1;
  return start;
}

function setRun(renamedRuns: RenamedRuns, start: u32, end: u32): bool {
  renamedRuns.sectionFrom = start;
  renamedRuns.runEnd = end;
  return end >= start + renamedRuns.minLength;
}

/**
 * Finds the next section of the run. A section lies between two brackets without a partner in the run, and excludes the
 * beginning of the second bracket's statement. The incomplete statements at the ends of a run are excluded, because
 * unrelated code of the same form contains them as well. Within one document, a section must end before its right side
 * begins.
 */
export function nextSection(renamedRuns: RenamedRuns): bool {
  while (renamedRuns.sectionFrom + renamedRuns.minLength <= renamedRuns.runEnd) {
    const from = renamedRuns.sectionFrom;
    const sectionLimit = pair.sameDocument ? min(renamedRuns.runEnd, from + renamedRuns.diagonal) : renamedRuns.runEnd;
    let depth: i32 = 0,
      opener = from,
      i = from;
    for (; i < sectionLimit; i++) {
      const token = leftToken(i);
      if (isOpener(token)) {
        if (!depth++) opener = i;
      } else if (isCloser(token) && --depth < 0) break;
    }
    let to = i;
    if (depth > 0) to = max(from, statementStart(pair.left, opener));
    renamedRuns.sectionFrom =
      depth < 0 ? i + 1 : depth > 0 && (sectionLimit == renamedRuns.runEnd || to == from) ? opener + 1 : to;
    if (to < from + renamedRuns.minLength) continue;
    renamedRuns.sectionA = from;
    renamedRuns.sectionB = from + renamedRuns.diagonal;
    renamedRuns.sectionLength = to - from;
    renamedRuns.spent += tokensOfVerdict * <u64>renamedRuns.sectionLength;
    return true;
  }
  return false;
}
