// Finds the best alignment of two units from end to end. It uses dynamic programming with the same cost for each gap,
// regardless of its length (Gotoh 1982, without a cost of extension). Extensions from a seed, on the other hand, are
// greedy, and stop where a copy was edited a lot. Eight columns of the table are processed at a time, because all
// values except the best score to the left depend only on the row above.
import { kindMask } from '../lex/lexed';
import { leftToken, pair, rightToken, weightOf } from './documentPair';
import { isName } from '../documents/fingerprint';
import { separator } from '../documents/separators';
import { reserve } from './matchScratch';
import { addOtherRun, lists, reverseRuns } from './runs';
import { addressAt, bytesOf, newRecord, recordBytes, setItem } from '../records';

/**
 * Maximum number of tokens on each side, and maximum product of both numbers: each cell of the table takes a byte.
 * Scores have 16 bits.
 */
export const maxAligned: u32 = 1024;
export const maxCells: u32 = 1 << 19;
/** Cost of a gap. It equals the gain of one equal bracket, so that single brackets are not aligned by chance. */
const gapOpening: i16 = 4;
/** Number of diagonals to try beyond the ones that the longest common subsequence can reach. */
const spareDiagonals: u32 = 8;

// Bits of a cell. They show whether its pair of tokens continues the previous pair, and how its best score was reached.
const isContinued: u32 = 1;
const fromPair: u32 = 2;
const fromAbove: u32 = 4;

const columns: u32 = maxAligned + 16;

@unmanaged class UnitAlignment {
  /** Address of the bits of each cell; see `fromPair`. */
  cells: usize;
  /** Address of a copy of the right unit's tokens, followed by separators. */
  rightTokens: usize;
  /**
   * Addresses of the best scores of two rows, each beginning one column before the first. For `pairScores`, a cell's
   * alignment must end with a pair of tokens; for the next field, it may end with a gap.
   */
  pairScores: usize;
  bestScores: usize;
  otherPairScores: usize;
  otherBestScores: usize;
}

export let aligning = changetype<UnitAlignment>(0);

const scratchAt = reserve(
  recordBytes<UnitAlignment>() +
    <usize>maxCells +
    bytesOf<u64>(maxAligned) +
    bytesOf<u32>(columns) +
    4 * bytesOf<u16>(columns),
);

export function placeUnitAlignment(scratch: usize): void {
  const address = scratch + scratchAt;
  aligning = newRecord<UnitAlignment>(address);
  aligning.rightTokens = address + recordBytes<UnitAlignment>();
  aligning.pairScores = addressAt<u32>(aligning.rightTokens, columns);
  aligning.bestScores = addressAt<u16>(aligning.pairScores, columns);
  aligning.otherPairScores = addressAt<u16>(aligning.bestScores, columns);
  aligning.otherBestScores = addressAt<u16>(aligning.otherPairScores, columns);
  aligning.cells = addressAt<u16>(aligning.otherBestScores, columns);
}

const impossible: i16 = -0x4000;

/**
 * Aligns the left tokens [a0, a1) with the right tokens [b0, b1), and appends the runs to otherRuns. Skips diagonals on
 * which an alignment would omit many more tokens than the longest common subsequence does (Ukkonen 1985).
 *
 * @param common  length of the longest common subsequence with abstracted names
 */
export function alignUnits(a0: u32, a1: u32, b0: u32, b1: u32, common: u32): void {
  const width = b1 - b0,
    stride = <usize>((width + 7) & ~7);
  const below = a1 - a0 - common + spareDiagonals,
    beyond = width - common + spareDiagonals;
  prepareRows(b0, width);
  let firstAbove: u32 = 0;
  for (let i: u32 = 0; i < a1 - a0; i++) {
    const row = aligning.cells + <usize>i * stride;
    const first = (i > below ? i - below : 0) & ~7,
      end = min(<u32>stride, (i + beyond + 8) & ~7);
    if (first) store<u8>(row + first - 1, fromAbove);
    if (first && first == firstAbove) {
      setItem<i16>(aligning.pairScores, first, impossible);
      setItem<i16>(aligning.bestScores, first, 0);
    }
    firstAbove = first;
    writeRow(leftToken(a0 + i), row, <usize>first, <usize>end);
    const pairs = aligning.pairScores,
      bests = aligning.bestScores;
    aligning.pairScores = aligning.otherPairScores;
    aligning.bestScores = aligning.otherBestScores;
    aligning.otherPairScores = pairs;
    aligning.otherBestScores = bests;
  }
  traceBack(a0, a1, b0, width, stride);
}

function prepareRows(b0: u32, width: u32): void {
  for (let j: u32 = 0; j < width; j++) setItem<u32>(aligning.rightTokens, j, rightToken(b0 + j));
  for (let j = width; j < width + 8; j++) setItem<u32>(aligning.rightTokens, j, separator);
  for (let j: usize = 0; j < <usize>width + 16; j += 8) {
    v128.store(aligning.pairScores + (j << 1), i16x8.splat(impossible));
    v128.store(aligning.otherPairScores + (j << 1), i16x8.splat(impossible));
    v128.store(aligning.bestScores + (j << 1), i16x8.splat(0));
    v128.store(aligning.otherBestScores + (j << 1), i16x8.splat(0));
  }
}

/** Computes the columns [first, end) of the row for one left token. */
function writeRow(token: u32, row: usize, first: usize, end: usize): void {
  const none = i16x8.splat(impossible);
  const words = i32x4.splat(token);
  // A separator matches no token.
  const isText = i32x4.splat(token == separator ? 0 : -1);
  const isRenamed = i32x4.splat(pair.renaming && isName(token) ? -1 : 0);
  const kind = i32x4.splat(token & kindMask);
  const gain = i16x8.splat(<i16>(weightOf(token) << 2)),
    gainOfRenamed = i16x8.splat(<i16>weightOf(token));
  const rightTokens = aligning.rightTokens,
    pairScores = aligning.pairScores,
    bestScores = aligning.bestScores,
    otherPairScores = aligning.otherPairScores,
    otherBestScores = aligning.otherBestScores;
  let beside: i16 = 0;
  for (let j = first; j < end; j += 8) {
    const low = v128.load(rightTokens + (j << 2)),
      high = v128.load(rightTokens + (j << 2), 16);
    const equal = i16x8.narrow_i32x4_s(v128.and(i32x4.eq(low, words), isText), v128.and(i32x4.eq(high, words), isText));
    const renamed = i16x8.narrow_i32x4_s(
      v128.and(i32x4.eq(v128.and(low, i32x4.splat(kindMask)), kind), isRenamed),
      v128.and(i32x4.eq(v128.and(high, i32x4.splat(kindMask)), kind), isRenamed),
    );
    const opened = i16x8.sub(v128.load(bestScores + (j << 1)), i16x8.splat(gapOpening));
    const continued = v128.load(pairScores + (j << 1));
    const above = v128.load(bestScores + (j << 1), 2);
    const paired = v128.bitselect(
      i16x8.add(i16x8.max_s(continued, opened), v128.bitselect(gain, gainOfRenamed, equal)),
      none,
      v128.or(equal, renamed),
    );
    // Compute the running maximum: the best score of a column is the maximum over all columns up to it.
    let best = i16x8.max_s(above, paired);
    best = i16x8.max_s(best, i8x16.shuffle(none, best, 0, 1, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29));
    best = i16x8.max_s(best, i8x16.shuffle(none, best, 0, 1, 0, 1, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27));
    best = i16x8.max_s(best, i8x16.shuffle(none, best, 0, 1, 0, 1, 0, 1, 0, 1, 16, 17, 18, 19, 20, 21, 22, 23));
    best = i16x8.max_s(best, i16x8.splat(beside));
    const left = i8x16.shuffle(i16x8.splat(beside), best, 0, 1, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29);
    const isBeside = i16x8.eq(left, best),
      isAbove = i16x8.eq(above, best);
    const bits = v128.or(
      v128.and(i16x8.ge_s(continued, opened), i16x8.splat(<i16>isContinued)),
      v128.andnot(v128.bitselect(i16x8.splat(<i16>fromAbove), i16x8.splat(<i16>fromPair), isAbove), isBeside),
    );
    v128.store64_lane(row + j, i8x16.narrow_i16x8_u(bits, bits), 0);
    v128.store(otherPairScores + (j << 1), paired, 2);
    v128.store(otherBestScores + (j << 1), best, 2);
    beside = i16x8.extract_lane_s(best, 7);
  }
}

function traceBack(a0: u32, a1: u32, b0: u32, width: u32, stride: usize): void {
  const first = lists.otherRunCount;
  let i = a1 - a0,
    j = width;
  let length: u32 = 0;
  while (i && j) {
    const bits = <u32>load<u8>(aligning.cells + <usize>(i - 1) * stride + <usize>(j - 1));
    if (length || bits & fromPair) {
      i--;
      j--;
      length++;
      if (bits & isContinued) continue;
      addOtherRun(a0 + i, b0 + j, length);
      length = 0;
    } else if (bits & fromAbove) i--;
    else j--;
  }
  if (length) addOtherRun(a0 + i, b0 + j, length);
  reverseRuns(first, lists.otherRunCount);
}
