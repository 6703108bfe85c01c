// Lists of runs of the current alignments (see documentPair.ts). `runs` contains those of all pieces of a pair of
// documents. `otherRuns` receives extensions and joined chains. `chain` is a copy of a joined chain while its stretches
// are examined.
import { pieceA0At, pieceA1At, pieceB0At, pieceB1At, pieceEndRunAt, pieceFirstRunAt } from './pieces';
import { newRecord, recordBytes } from '../records';

/** Fields of a run: tokens [a, a + length) of the left document correspond to [b, b + length) of the right one. */
export const runAAt: usize = 0;
export const runBAt: usize = 4;
export const runLengthAt: usize = 8;
export const runBytes: usize = 12;
export const runRoom: u32 = 1 << 17;
/** Runs of a chain: otherRuns has room for two copies of them, and for the runs that widening adds at the ends. */
export const chainRoom: u32 = (runRoom >> 1) - (1 << 13);

@unmanaged class RunLists {
  runs: usize;
  runCount: u32;
  otherRuns: usize;
  otherRunCount: u32;
  chain: usize;
  chainCount: u32;
}

export let lists = changetype<RunLists>(0);

/** Bytes of scratch memory that `placeRuns` lays out. */
export const runScratchBytes: usize = recordBytes<RunLists>() + <usize>(runRoom * 2 + chainRoom) * runBytes;

export function placeRuns(scratch: usize): void {
  lists = newRecord<RunLists>(scratch);
  lists.runs = scratch + recordBytes<RunLists>();
  lists.otherRuns = lists.runs + <usize>runRoom * runBytes;
  lists.chain = lists.otherRuns + <usize>runRoom * runBytes;
}

/** Copies the runs in otherRuns to the current chain. */
export function keepChain(): void {
  lists.chainCount = lists.otherRunCount;
  memory.copy(lists.chain, lists.otherRuns, <usize>lists.chainCount * runBytes);
}

/**
 * Copies the part of the chain that aligns tokens [a0, a1) with [b0, b1) to otherRuns. Returns its number of tokens on
 * each side.
 */
export function takeStretch(a0: u32, a1: u32, b0: u32, b1: u32): u32 {
  let aligned: u32 = 0;
  lists.otherRunCount = 0;
  for (let r: u32 = 0; r < lists.chainCount; r++) {
    const run = lists.chain + <usize>r * runBytes;
    const a = load<u32>(run, runAAt),
      b = load<u32>(run, runBAt),
      length = load<u32>(run, runLengthAt);
    const skip = max(a < a0 ? a0 - a : 0, b < b0 ? b0 - b : 0);
    const end = min(length, min(a < a1 ? a1 - a : 0, b < b1 ? b1 - b : 0));
    if (skip >= end) continue;
    addOtherRun(a + skip, b + skip, end - skip);
    aligned += end - skip;
  }
  return aligned;
}

/** Appends a run to otherRuns, which must have room. */
@inline export function addOtherRun(a: u32, b: u32, length: u32): void {
  const to = lists.otherRuns + <usize>lists.otherRunCount * runBytes;
  store<u32>(to, a, runAAt);
  store<u32>(to, b, runBAt);
  store<u32>(to, length, runLengthAt);
  lists.otherRunCount++;
}

/** Overwrites a run. For so few bytes, memory.copy is slower. */
@inline export function putRun(to: usize, from: usize): void {
  store<u64>(to, load<u64>(from));
  store<u32>(to, load<u32>(from, runLengthAt), runLengthAt);
}

/** Appends a run to `runs` unless it is empty or there is no room. */
@inline export function copyRun(from: usize): void {
  if (!load<u32>(from, runLengthAt) || lists.runCount >= runRoom) return;
  putRun(lists.runs + <usize>lists.runCount * runBytes, from);
  lists.runCount++;
}

/** Reverses runs [from, end) of otherRuns. */
export function reverseRuns(from: u32, end: u32): void {
  for (let x = from, y = end; x + 1 < y; x++) {
    y--;
    const low = lists.otherRuns + <usize>x * runBytes,
      high = lists.otherRuns + <usize>y * runBytes;
    for (let field: usize = 0; field < runBytes; field += 4) {
      const kept = load<u32>(low + field);
      store<u32>(low + field, load<u32>(high + field));
      store<u32>(high + field, kept);
    }
  }
}

/** Appends the runs of a piece to otherRuns. */
export function appendRuns(p: usize): void {
  for (
    let r = load<u32>(p, pieceFirstRunAt), end = load<u32>(p, pieceEndRunAt);
    r < end && lists.otherRunCount < runRoom;
    r++
  ) {
    putRun(lists.otherRuns + <usize>lists.otherRunCount * runBytes, lists.runs + <usize>r * runBytes);
    lists.otherRunCount++;
  }
}

/** Appends a copy of runs [first, end) of otherRuns. */
export function repeatRuns(first: u32, end: u32): void {
  for (let r = first; r < end && lists.otherRunCount < runRoom; r++) {
    putRun(lists.otherRuns + <usize>lists.otherRunCount * runBytes, lists.otherRuns + <usize>r * runBytes);
    lists.otherRunCount++;
  }
}

/** Appends the runs of a piece after (a1, b1) to otherRuns, clipped. */
export function appendRunsFrom(p: usize, a1: u32, b1: u32): void {
  for (
    let r = load<u32>(p, pieceFirstRunAt), end = load<u32>(p, pieceEndRunAt);
    r < end && lists.otherRunCount < runRoom;
    r++
  ) {
    const run = lists.runs + <usize>r * runBytes;
    const a = load<u32>(run, runAAt),
      b = load<u32>(run, runBAt),
      length = load<u32>(run, runLengthAt);
    const skip = max(a < a1 ? a1 - a : 0, b < b1 ? b1 - b : 0);
    if (skip >= length) continue;
    const to = lists.otherRuns + <usize>lists.otherRunCount * runBytes;
    lists.otherRunCount++;
    store<u32>(to, a + skip, runAAt);
    store<u32>(to, b + skip, runBAt);
    store<u32>(to, length - skip, runLengthAt);
  }
}

/**
 * Cuts the runs of a piece to those that align tokens [cut, stop) of a side, and updates its range.
 *
 * @param sideAt  `runAAt` for the left side, `runBAt` for the right one
 */
export function cutRuns(p: usize, cut: u32, stop: u32, sideAt: usize): void {
  let first = load<u32>(p, pieceFirstRunAt),
    end = load<u32>(p, pieceEndRunAt);
  while (first < end) {
    const run = lists.otherRuns + <usize>first * runBytes;
    const start = load<u32>(run + sideAt),
      length = load<u32>(run, runLengthAt);
    if (start + length <= cut) {
      first++;
      continue;
    }
    if (start < cut) dropHead(run, cut - start);
    break;
  }
  while (end > first) {
    const run = lists.otherRuns + <usize>(end - 1) * runBytes;
    const start = load<u32>(run + sideAt),
      length = load<u32>(run, runLengthAt);
    if (start >= stop) {
      end--;
      continue;
    }
    if (start + length > stop) store<u32>(run, stop - start, runLengthAt);
    break;
  }
  spanRuns(lists.otherRuns, p, first, end);
}

@inline export function dropHead(run: usize, tokens: u32): void {
  store<u32>(run, load<u32>(run, runAAt) + tokens, runAAt);
  store<u32>(run, load<u32>(run, runBAt) + tokens, runBAt);
  store<u32>(run, load<u32>(run, runLengthAt) - tokens, runLengthAt);
}

/** Assigns runs [first, end) of a list to a piece, and updates its range. */
export function spanRuns(list: usize, p: usize, first: u32, end: u32): void {
  store<u32>(p, first, pieceFirstRunAt);
  store<u32>(p, end, pieceEndRunAt);
  if (first >= end) return;
  const head = list + <usize>first * runBytes;
  const tail = list + <usize>(end - 1) * runBytes;
  store<u32>(p, load<u32>(head, runAAt), pieceA0At);
  store<u32>(p, load<u32>(tail, runAAt) + load<u32>(tail, runLengthAt), pieceA1At);
  store<u32>(p, load<u32>(head, runBAt), pieceB0At);
  store<u32>(p, load<u32>(tail, runBAt) + load<u32>(tail, runLengthAt), pieceB1At);
}
