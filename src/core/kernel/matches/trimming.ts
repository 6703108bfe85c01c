// Trims an alignment at unbalanced brackets and at line ends.
import { pieceA0At, pieceA1At, pieceB0At, pieceB1At, pieceEndRunAt, pieceFirstRunAt } from './pieces';
import { endsStatement, isCloser, isOpener, nearestLineEnd, nearestLineStart } from './bounds';
import { leftToken, pair, rightToken } from './documentPair';
import { cutRuns, dropHead, lists, runAAt, runBAt, runBytes, runLengthAt, spanRuns } from './runs';

/** Maximum number of equal tokens to cut off for an incomplete statement or line. */
export const mostTrimmed: u32 = 24;
/** Maximum for lines, at both ends together. */
const mostOfLine: u32 = 40;

/**
 * Cuts off a short head that closes brackets opened before the passage, and a short tail that opens brackets not closed
 * in the passage: the end of the previous function and the beginning of the next one.
 */
export function balance(p: usize): void {
  const a0 = load<u32>(p, pieceA0At),
    a1 = load<u32>(p, pieceA1At);
  const room = max<u32>(12, ((a1 - a0) * 3) / 10);
  let depth: i32 = 0;
  let cut = a0;
  const head = min(a1, a0 + room);
  for (let i = a0, end = min(head, endOfEqualHead(p, mostTrimmed)); i < end; i++) {
    const token = leftToken(i);
    if (isOpener(token)) depth++;
    else if (isCloser(token) && --depth < 0) {
      depth = 0;
      cut = i + 1;
    }
  }
  let stop = a1;
  depth = 0;
  const tail = max(cut, max(startOfEqualTail(p, mostTrimmed), a1 > room ? a1 - room : 0));
  for (let i = a1; i-- > tail;) {
    const token = leftToken(i);
    if (isCloser(token)) depth++;
    else if (isOpener(token) && --depth < 0) {
      depth = 0;
      // Go back to the beginning of this opener's statement.
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
  if (cut != a0 || stop != a1) cutRuns(p, cut, stop, runAAt);
}

/**
 * Returns the position in the head of a piece after which more than the given number of tokens are equal as written:
 * the limit for trimming.
 */
function endOfEqualHead(p: usize, most: u32): u32 {
  let equal: u32 = 0;
  for (let r = load<u32>(p, pieceFirstRunAt), end = load<u32>(p, pieceEndRunAt); r < end; r++) {
    const run = lists.otherRuns + <usize>r * runBytes;
    const a = load<u32>(run, runAAt),
      b = load<u32>(run, runBAt),
      length = load<u32>(run, runLengthAt);
    for (let i: u32 = 0; i < length; i++) {
      if (leftToken(a + i) == rightToken(b + i) && ++equal > most) return a + i;
    }
  }
  return load<u32>(p, pieceA1At);
}

/** Returns the corresponding position in its tail. */
function startOfEqualTail(p: usize, most: u32): u32 {
  let equal: u32 = 0;
  for (let first = load<u32>(p, pieceFirstRunAt), r = load<u32>(p, pieceEndRunAt); r-- > first;) {
    const run = lists.otherRuns + <usize>r * runBytes;
    const a = load<u32>(run, runAAt),
      b = load<u32>(run, runBAt);
    for (let i = load<u32>(run, runLengthAt); i-- > 0;) {
      if (leftToken(a + i) == rightToken(b + i) && ++equal > most) return a + i + 1;
    }
  }
  return load<u32>(p, pieceA0At);
}

/** Cuts off the smaller part of a line at either end, on either side. */
export function trimToLines(p: usize): void {
  let first = load<u32>(p, pieceFirstRunAt),
    end = load<u32>(p, pieceEndRunAt);
  // In a text with few long lines, lines are not a useful unit.
  let room = min<u32>(
    mostOfLine,
    (min(load<u32>(p, pieceA1At) - load<u32>(p, pieceA0At), load<u32>(p, pieceB1At) - load<u32>(p, pieceB0At)) * 3) /
      10,
  );
  while (first < end) {
    const run = lists.otherRuns + <usize>first * runBytes;
    const a = load<u32>(run, runAAt),
      b = load<u32>(run, runBAt);
    const skip = max(
      nearestLineStart(pair.left, pair.leftCount, pair.leftLines, pair.leftLineCount, a) - a,
      nearestLineStart(pair.right, pair.rightCount, pair.rightLines, pair.rightLineCount, b) - b,
    );
    if (skip == 0 || skip > room) break;
    room -= skip;
    if (skip >= load<u32>(run, runLengthAt)) first++;
    else dropHead(run, skip);
  }
  while (first < end) {
    const run = lists.otherRuns + <usize>(end - 1) * runBytes;
    const length = load<u32>(run, runLengthAt);
    const a = load<u32>(run, runAAt) + length,
      b = load<u32>(run, runBAt) + length;
    const skip = max(
      a - nearestLineEnd(pair.left, pair.leftCount, pair.leftLines, pair.leftLineCount, a),
      b - nearestLineEnd(pair.right, pair.rightCount, pair.rightLines, pair.rightLineCount, b),
    );
    if (skip == 0 || skip > room) break;
    room -= skip;
    if (skip >= length) end--;
    else store<u32>(run, length - skip, runLengthAt);
  }
  spanRuns(lists.otherRuns, p, first, end);
}
