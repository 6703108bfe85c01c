// Trims an alignment at unbalanced brackets and at line breaks.
import { Piece } from './pieces';
import {
  beginsInTail,
  bounds,
  continuationOf,
  endsCase,
  endsStatement,
  findCases,
  firstToken,
  isCloser,
  isOpener,
  lineOf,
  nearestLineEnd,
  nearestLineStart,
  nextLineStart,
  noToken,
  statementStart,
} from './bounds';
import { classifier } from './classifier';
import { leftToken, pair, rightToken } from './documentPair';
import { decoratedFrom, isDecorated, isIndented, nextOutside, noLine, openHead } from './indentation';
import { cutRuns, dropHead, lists, Run, spanRuns } from './runs';
import { Side } from './side';
import { itemOf } from '../records';

/** Maximum number of identical tokens that may be cut off at one end to remove an incomplete statement or line. */
export const maxTrimmed: u32 = 24;
/** Maximum number of tokens that may be cut off at both ends together to remove incomplete lines. */
const maxOfLine: u32 = 40;

/**
 * Cuts off parts of the previous and the next function: a short head of the passage that closes brackets opened before
 * the passage, and a short tail that opens brackets closed after it.
 */
export function balance(p: Piece): void {
  const a0 = p.a0,
    a1 = p.a1;
  const room = max<u32>(12, ((a1 - a0) * 3) / 10);
  let depth: i32 = 0;
  let cut = a0;
  const head = min(a1, a0 + room);
  for (let i = a0, end = min(head, endOfEqualHead(p, pair.left)); i < end; i++) {
    const token = leftToken(i);
    if (isOpener(token)) depth++;
    else if (isCloser(token) && --depth < 0) {
      depth = 0;
      cut = i + 1;
    }
  }
  let stop = a1;
  depth = 0;
  const tail = max(cut, max(startOfEqualTail(p, pair.left), a1 > room ? a1 - room : 0));
  for (let i = a1; i-- > tail;) {
    const token = leftToken(i);
    if (isCloser(token)) depth++;
    else if (isOpener(token) && --depth < 0) {
      depth = 0;
      // Go back to the beginning of the statement that contains this bracket.
      let at = i;
      while (at > cut) {
        const before = leftToken(at - 1);
        if (endsStatement(before)) break;
        at--;
      }
      if (at < tail) break;
      stop = at;
    }
  }
  if (cut != a0 || stop != a1) cutRuns(p, cut, stop, pair.left);
  if (pair.left.isMarked) balanceIndents(p, pair.left);
  if (pair.right.isMarked) balanceIndents(p, pair.right);
}

/**
 * Does the same as `balance` for indented blocks on one side. Cuts off the end of a block whose head is before the
 * passage, and the head of a block that ends after the passage.
 */
function balanceIndents(p: Piece, side: Side): void {
  if (p.firstRun >= p.endRun) return;
  const from = p.startOf(side),
    to = p.endOf(side);
  if (!isIndented(side, from)) return;
  const room = max<u32>(12, ((to - from) * 3) / 10);
  let first = lineOf(side, from);
  const last = lineOf(side, to - 1),
    head = min(from + room, endOfEqualHead(p, side));
  let cut = from;
  for (;;) {
    let line = nextOutside(side, first, last);
    // A passage cannot begin with a line that only continues the block before it.
    if (line == first || (line <= last && nextOutside(side, line, line) == line)) line++;
    if (line > last || firstToken(side, line) > head) break;
    first = line;
    cut = firstToken(side, line);
  }
  const tail = max(cut, max(startOfEqualTail(p, side), to > room ? to - room : 0));
  let stop = to;
  while (stop > cut) {
    const open = openHead(side, first, lineOf(side, stop - 1));
    if (open == noLine) break;
    const start = firstToken(side, max(first, decoratedFrom(side, open)));
    if (start < tail || start >= stop) break;
    stop = start;
  }
  if (stop > cut && (cut != from || stop != to)) cutRuns(p, cut, stop, side);
}

/**
 * Returns the farthest position on a side to which the beginning of a piece may be cut. The part cut off has at most
 * `maxTokens` identical tokens.
 */
function endOfEqualHead(p: Piece, side: Side, maxTokens: u32 = maxTrimmed): u32 {
  let equal: u32 = 0;
  for (let r = p.firstRun, end = p.endRun; r < end; r++) {
    const run = itemOf<Run>(lists.otherRuns, r);
    const a = run.a,
      b = run.b,
      length = run.length;
    for (let i: u32 = 0; i < length; i++) {
      if (leftToken(a + i) == rightToken(b + i) && ++equal > maxTokens) return run.startOf(side) + i;
    }
  }
  return p.endOf(side);
}

/**
 * Returns the farthest position on a side to which the end of a piece may be cut. The part cut off has at most
 * `maxTokens` identical tokens.
 */
function startOfEqualTail(p: Piece, side: Side, maxTokens: u32 = maxTrimmed): u32 {
  let equal: u32 = 0;
  for (let first = p.firstRun, r = p.endRun; r-- > first;) {
    const run = itemOf<Run>(lists.otherRuns, r);
    const a = run.a,
      b = run.b;
    for (let i = run.length; i-- > 0;) {
      if (leftToken(a + i) == rightToken(b + i) && ++equal > maxTokens) return run.startOf(side) + i + 1;
    }
  }
  return p.startOf(side);
}

/** Cuts off an incomplete line at each end of each side, if less than half of the line is in the passage. */
export function trimToLines(p: Piece): void {
  let first = p.firstRun,
    end = p.endRun;
  // Limit the number of tokens. In a text with a few long lines, cutting at lines would remove too much.
  let room = min<u32>(maxOfLine, (min(p.a1 - p.a0, p.b1 - p.b0) * 3) / 10);
  while (first < end) {
    const run = itemOf<Run>(lists.otherRuns, first);
    const a = run.a,
      b = run.b;
    const skip = max(nearestLineStart(pair.left, a) - a, nearestLineStart(pair.right, b) - b);
    if (skip == 0 || skip > room) break;
    room -= skip;
    if (skip >= run.length) first++;
    else dropHead(run, skip);
  }
  while (first < end) {
    const run = itemOf<Run>(lists.otherRuns, end - 1);
    const length = run.length;
    const a = run.a + length,
      b = run.b + length;
    const skip = max(a - nearestLineEnd(pair.left, a), b - nearestLineEnd(pair.right, b));
    if (skip == 0 || skip > room) break;
    room -= skip;
    if (skip >= length) end--;
    else run.length = length - skip;
  }
  spanRuns(lists.otherRuns, p, first, end);
}

/**
 * Cuts off an incomplete statement or case at either end of a side. The incomplete part at the end may be decorators
 * whose declaration comes after the passage, or a head without its block; that at the beginning, the end of a
 * statement. Returns true if something was cut off. The cuts of both sides shorten the same run, so they share one
 * limit, which applies to decorators and heads only if a run of equal tokens would lose more.
 */
export function trimToStatements(p: Piece): bool {
  const length = p.a1 - p.a0;
  const isLeftCut = trimSide(p, pair.left, maxTrimmed);
  const cutOff = length - (p.a1 - p.a0);
  return trimSide(p, pair.right, cutOff < maxTrimmed ? maxTrimmed - cutOff : 0) || isLeftCut;
}

/**
 * Does the same as `trimToStatements` for one side. Cuts off at most `maxTokens` identical tokens at either end, or
 * more for a head without its block and for decorators if no run of equal tokens that must be found loses more.
 */
function trimSide(p: Piece, side: Side, maxTokens: u32): bool {
  if (p.firstRun >= p.endRun) return false;
  const from = p.startOf(side),
    to = p.endOf(side);
  let cut = from,
    stop = to;
  const continuation = continuationOf(side, to);
  if (continuation != noToken) stop = statementStart(side, continuation);
  else if (isDecorated(side, to)) stop = firstToken(side, decoratedFrom(side, lineOf(side, to)));
  if (stop <= from) return false;
  const head = stop;
  if (beginsInTail(side, from)) cut = nextLineStart(side, from);
  findCases(side, from, stop);
  if (bounds.firstCase != noToken) {
    cut = bounds.firstCase;
    if (!endsCase(side, stop)) stop = bounds.lastCase;
  }
  if (cut == from && stop == to) return false;
  const room = max<u32>(12, ((to - from) * 3) / 10);
  if (cut > min(from + room, endOfEqualHead(p, side, maxTokens))) cut = from;
  if (stop + room < to || stop < startOfEqualTail(p, side, maxTokens)) {
    stop = head + ((to - from) >> 1) < to || cutsEqualRun(p, side, head, maxTokens) ? to : head;
  }
  if (cut - from + to - stop > maxTokens) cut = from;
  if (cut >= stop || (cut == from && stop == to)) return false;
  cutRuns(p, cut, stop, side);
  return true;
}

/**
 * Returns true if a run of the minimum number of equal tokens loses more than `maxTokens` tokens when a piece is cut on
 * a side before token `to`.
 */
function cutsEqualRun(p: Piece, side: Side, to: u32, maxTokens: u32): bool {
  for (let r = p.firstRun, end = p.endRun; r < end; r++) {
    const run = itemOf<Run>(lists.otherRuns, r);
    const a = run.a,
      b = run.b,
      length = run.length,
      offset = run.startOf(side);
    if (offset + length <= to + maxTokens) continue;
    for (let i: u32 = 0, first: u32 = 0; i <= length; i++) {
      if (i < length && leftToken(a + i) == rightToken(b + i)) continue;
      if (i >= first + classifier.minTokens && offset + i > max(to, offset + first) + maxTokens) return true;
      first = i + 1;
    }
  }
  return false;
}
