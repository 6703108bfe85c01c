// Where an alignment is cut: at brackets that it does not hold in pairs, and at the ends of lines.
import { endsStatement, isCloser, isOpener, nearestLineEnd, nearestLineStart } from './bounds';
import { leftCount, leftLineCount, leftLines, leftToken, rightCount, rightLineCount, rightLines } from './documentPair';
import { cutRuns, dropHead, otherRuns, runBytes, spanRuns } from './runs';

/**
 * Cuts off a short head that closes what was opened before the passage, and a short tail that opens what the passage
 * does not close: the end of the function before it and the beginning of the one behind it.
 */
export function balance(p: usize): void {
  const a0 = load<u32>(p), a1 = load<u32>(p, 4);
  const room = max<u32>(12, (a1 - a0) * 3 / 10);
  let depth: i32 = 0;
  let cut = a0;
  for (let i = a0, end = min(a1, a0 + room); i < end; i++) {
    const token = leftToken(i);
    if (isOpener(token)) depth++;
    else if (isCloser(token) && --depth < 0) {
      depth = 0;
      cut = i + 1;
    }
  }
  let stop = a1;
  depth = 0;
  for (let i = a1, end = max(cut, a1 > room ? a1 - room : 0); i-- > end; ) {
    const token = leftToken(i);
    if (isCloser(token)) depth++;
    else if (isOpener(token) && --depth < 0) {
      depth = 0;
      // Back to where the statement of this opener begins.
      let at = i;
      while (at > cut) {
        const before = leftToken(at - 1);
        if (endsStatement(before)) break;
        at--;
      }
      if (a1 - at <= room) stop = at;
      else break;
    }
  }
  if (cut != a0 || stop != a1) cutRuns(p, cut, stop);
}

/** Cuts off what is the smaller part of a line at either end, on either side. */
export function trimToLines(p: usize): void {
  let first = load<u32>(p, 20), end = load<u32>(p, 24);
  // In a text of few long lines a line is no measure.
  let room = min(load<u32>(p, 4) - load<u32>(p), load<u32>(p, 12) - load<u32>(p, 8)) * 3 / 10;
  while (first < end) {
    const run = otherRuns + <usize>first * runBytes;
    const a = load<u32>(run), b = load<u32>(run, 4);
    const skip = max(nearestLineStart(leftLines, leftLineCount, leftCount, a) - a, nearestLineStart(rightLines, rightLineCount, rightCount, b) - b);
    if (skip == 0 || skip > room) break;
    room -= skip;
    if (skip >= load<u32>(run, 8)) first++;
    else dropHead(run, skip);
  }
  while (first < end) {
    const run = otherRuns + <usize>(end - 1) * runBytes;
    const length = load<u32>(run, 8);
    const a = load<u32>(run) + length, b = load<u32>(run, 4) + length;
    const skip = max(a - nearestLineEnd(leftLines, leftLineCount, leftCount, a), b - nearestLineEnd(rightLines, rightLineCount, rightCount, b));
    if (skip == 0 || skip > room) break;
    room -= skip;
    if (skip >= length) end--;
    else store<u32>(run, length - skip, 8);
  }
  spanRuns(otherRuns, p, first, end);
}
