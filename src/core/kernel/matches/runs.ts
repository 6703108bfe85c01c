// Lists of runs. A list of runs is an alignment (see documentPair.ts). `runs` has the runs of all pieces of a pair of
// documents. Extensions, and the function that joins pieces to a chain, write to `otherRuns`. `chain` is a copy of the
// joined runs; `copyStretch` copies a part of it back to `otherRuns`. While a seed is aligned, `chain` has the runs of
// its first alignment instead.
import { reserve } from './matchScratch';
import { Piece } from './pieces';
import { Side } from './side';
import { itemOf, newRecord, recordBytes } from '../records';

/**
 * A run: the tokens [a, a + length) of the left document correspond to the tokens [b, b + length) of the right
 * document.
 */
@unmanaged export class Run {
  a: u32;
  b: u32;
  length: u32;

  @inline startOf(side: Side): u32 {
    return load<u32>(changetype<usize>(this) + side.runAt);
  }
}

export const runRoom: u32 = 1 << 17;
/**
 * Maximum number of runs in a chain. `otherRuns` has room for twice as many, plus the runs that widening adds at the
 * ends.
 */
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

const scratchAt = reserve(recordBytes<RunLists>() + <usize>(runRoom * 2 + chainRoom) * offsetof<Run>());

export function placeRuns(scratch: usize): void {
  const address = scratch + scratchAt;
  lists = newRecord<RunLists>(address);
  lists.runs = address + recordBytes<RunLists>();
  lists.otherRuns = changetype<usize>(itemOf<Run>(lists.runs, runRoom));
  lists.chain = changetype<usize>(itemOf<Run>(lists.otherRuns, runRoom));
}

export function saveChain(): void {
  lists.chainCount = lists.otherRunCount;
  memory.copy(lists.chain, lists.otherRuns, <usize>lists.chainCount * offsetof<Run>());
}

/** Copies the runs from index `first` on to `chain`. Precondition: they are the runs of one piece. */
export function keepRuns(first: u32): void {
  lists.chainCount = lists.runCount - first;
  memory.copy(
    lists.chain,
    changetype<usize>(itemOf<Run>(lists.runs, first)),
    <usize>lists.chainCount * offsetof<Run>(),
  );
}

/** Replaces the runs from index `first` on by those that `keepRuns` has copied. */
export function restoreRuns(first: u32): void {
  memory.copy(
    changetype<usize>(itemOf<Run>(lists.runs, first)),
    lists.chain,
    <usize>lists.chainCount * offsetof<Run>(),
  );
  lists.runCount = first + lists.chainCount;
}

/**
 * Copies the part of `chain` that aligns the tokens [a0, a1) with [b0, b1) to otherRuns. Returns the number of aligned
 * tokens in this part.
 */
export function copyStretch(a0: u32, a1: u32, b0: u32, b1: u32): u32 {
  let aligned: u32 = 0;
  lists.otherRunCount = 0;
  for (let r: u32 = 0; r < lists.chainCount; r++) {
    const run = itemOf<Run>(lists.chain, r);
    const a = run.a,
      b = run.b,
      length = run.length;
    const skip = max(a < a0 ? a0 - a : 0, b < b0 ? b0 - b : 0);
    const end = min(length, min(a < a1 ? a1 - a : 0, b < b1 ? b1 - b : 0));
    if (skip >= end) continue;
    addOtherRun(a + skip, b + skip, end - skip);
    aligned += end - skip;
  }
  return aligned;
}

/** Appends a run to otherRuns. Precondition: there is room for it. */
@inline export function addOtherRun(a: u32, b: u32, length: u32): void {
  const to = itemOf<Run>(lists.otherRuns, lists.otherRunCount);
  to.a = a;
  to.b = b;
  to.length = length;
  lists.otherRunCount++;
}

/** Copies one run over another. memory.copy would be slower for so few bytes. */
@inline export function copyRun(to: Run, from: Run): void {
  store<u64>(changetype<usize>(to), load<u64>(changetype<usize>(from)));
  to.length = from.length;
}

/** Appends a run to `runs`. Does nothing if the run is empty or there is no room. */
@inline export function appendRun(from: Run): void {
  if (!from.length || lists.runCount >= runRoom) return;
  copyRun(itemOf<Run>(lists.runs, lists.runCount), from);
  lists.runCount++;
}

export function reverseRuns(from: u32, end: u32): void {
  for (let x = from, y = end; x + 1 < y; x++) {
    y--;
    const low = itemOf<Run>(lists.otherRuns, x),
      high = itemOf<Run>(lists.otherRuns, y);
    const a = low.a,
      b = low.b,
      length = low.length;
    copyRun(low, high);
    high.a = a;
    high.b = b;
    high.length = length;
  }
}

/** Appends the runs [first, end) of a list to otherRuns, which may be the same list. */
export function appendRuns(list: usize, first: u32, end: u32): void {
  for (let r = first; r < end && lists.otherRunCount < runRoom; r++) {
    copyRun(itemOf<Run>(lists.otherRuns, lists.otherRunCount++), itemOf<Run>(list, r));
  }
}

/**
 * Appends the runs of a piece after (a1, b1) to otherRuns. If a run begins before (a1, b1), appends only the rest of
 * it.
 */
export function appendRunsFrom(p: Piece, a1: u32, b1: u32): void {
  for (let r = p.firstRun, end = p.endRun; r < end && lists.otherRunCount < runRoom; r++) {
    const run = itemOf<Run>(lists.runs, r);
    const a = run.a,
      b = run.b,
      length = run.length;
    const skip = max(a < a1 ? a1 - a : 0, b < b1 ? b1 - b : 0);
    if (skip >= length) continue;
    addOtherRun(a + skip, b + skip, length - skip);
  }
}

/**
 * Reduces a piece to the aligned pairs whose token on the given side is in [cut, stop), and updates the range of the
 * piece.
 */
export function cutRuns(p: Piece, cut: u32, stop: u32, side: Side): void {
  let first = p.firstRun,
    end = p.endRun;
  while (first < end) {
    const run = itemOf<Run>(lists.otherRuns, first);
    const start = run.startOf(side),
      length = run.length;
    if (start + length <= cut) {
      first++;
      continue;
    }
    if (start < cut) dropHead(run, cut - start);
    break;
  }
  while (end > first) {
    const run = itemOf<Run>(lists.otherRuns, end - 1);
    const start = run.startOf(side),
      length = run.length;
    if (start >= stop) {
      end--;
      continue;
    }
    if (start + length > stop) run.length = stop - start;
    break;
  }
  spanRuns(lists.otherRuns, p, first, end);
}

@inline export function dropHead(run: Run, tokens: u32): void {
  run.a += tokens;
  run.b += tokens;
  run.length -= tokens;
}

/** Assigns the runs [first, end) of a list to a piece, and updates the range of the piece. */
export function spanRuns(list: usize, p: Piece, first: u32, end: u32): void {
  p.firstRun = first;
  p.endRun = end;
  if (first >= end) return;
  const head = itemOf<Run>(list, first);
  const tail = itemOf<Run>(list, end - 1);
  p.a0 = head.a;
  p.a1 = tail.a + tail.length;
  p.b0 = head.b;
  p.b1 = tail.b + tail.length;
}
