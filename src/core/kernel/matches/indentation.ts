// Blocks of indented lines, in languages like Python and Ruby. The marks of lines (placesLayout.ts) contain their depth.
import {
  decoratorMark,
  depthMask,
  endLine,
  lineBytes,
  lineNumberAt,
  markShift,
  middleLine,
  noStatement,
  relationMask,
  relationShift,
} from '../documents/placesLayout';
import { bounds, firstToken, lineOf, roomOfBlock, setBlock } from './bounds';

/** No line. */
export const noLine: u32 = 0xffffffff;

@inline function markOf(lines: usize, line: u32): u32 {
  return load<u32>(lines + <usize>line * lineBytes, lineNumberAt) >> markShift;
}

@inline function depthOf(lines: usize, line: u32): u32 {
  return markOf(lines, line) & depthMask;
}

@inline function relationOf(lines: usize, line: u32): u32 {
  return (markOf(lines, line) >> relationShift) & relationMask;
}

/** Returns true if the line of a token has a depth: the blocks of its text are indented. */
@inline export function isIndented(lines: usize, lineCount: u32, token: u32): bool {
  return depthOf(lines, lineOf(lines, lineCount, token)) != 0;
}

/** Returns true if tokens [from, to) contain the head of each block that they contain part of, and its end. */
export function hasWholeIndents(lines: usize, lineCount: u32, from: u32, to: u32): bool {
  const first = lineOf(lines, lineCount, from);
  if (!depthOf(lines, first)) return true;
  const last = lineOf(lines, lineCount, to - 1);
  return nextOutside(lines, first, last) > last && openHead(lines, lineCount, first, last) == noLine;
}

/**
 * Returns the first of lines [first, last] that is outside the block that they begin in; `last + 1` if there is none. A
 * line that continues a statement before the lines is outside any block.
 */
export function nextOutside(lines: usize, first: u32, last: u32): u32 {
  let outer: u32 = 0;
  for (let line = first; line <= last; line++) {
    const depth = depthOf(lines, line);
    if (depth == noStatement) continue;
    if (!outer) {
      if (relationOf(lines, line)) return line;
      outer = depth;
    } else if (depth < outer) return line;
  }
  return last + 1;
}

/** Returns the innermost of lines [first, last] whose block continues behind them; `noLine` if there is none. */
export function openHead(lines: usize, lineCount: u32, first: u32, last: u32): u32 {
  const next = statementFrom(lines, lineCount, last + 1);
  if (next == lineCount) return noLine;
  // `end` is part of the block before it.
  const inside = depthOf(lines, next) + u32(relationOf(lines, next) >= <u32>middleLine);
  for (let line = last + 1; line-- > first;) if (depthOf(lines, line) < inside) return line;
  return noLine;
}

/** Returns the first line from `line` on that begins a statement; `end` if there is none before it. */
export function statementFrom(lines: usize, end: u32, line: u32): u32 {
  while (line < end && depthOf(lines, line) == noStatement) line++;
  return line;
}

/** Returns the first line of the decorators before a line; the line itself if it has none. */
export function decoratedFrom(lines: usize, line: u32): u32 {
  const depth = depthOf(lines, line);
  for (let at = line; at-- > 0;) {
    const mark = markOf(lines, at);
    if ((mark & depthMask) == noStatement) continue;
    if (!(mark & decoratorMark) || (mark & depthMask) != depth) break;
    line = at;
  }
  return line;
}

/**
 * Extends the current block, tokens [blockStart, blockEnd) around tokens [from, to), to whole indented blocks. Returns
 * false if there are none nearby.
 */
export function encloseIndents(lines: usize, lineCount: u32, tokenCount: u32, from: u32, to: u32): bool {
  let first = lineOf(lines, lineCount, bounds.blockStart),
    last = lineOf(lines, lineCount, bounds.blockEnd - 1);
  let least = <u32>noStatement;
  for (let line = first; line <= last; line++) least = min(least, depthOf(lines, line));
  if (least == noStatement) return true;
  const room = roomOfBlock(from, to);
  let start = bounds.blockStart,
    end = bounds.blockEnd;
  const head = statementFrom(lines, lineCount, first);
  if (depthOf(lines, head) > least || relationOf(lines, head)) {
    // An `else` is no head.
    do {
      if (first == 0 || firstToken(lines, first) + room < from) return false;
      first--;
    } while (depthOf(lines, first) > least || relationOf(lines, first));
    start = firstToken(lines, decoratedFrom(lines, first));
  }
  if (openHead(lines, lineCount, first, last) != noLine) {
    for (;;) {
      end = ++last < lineCount ? firstToken(lines, last) : tokenCount;
      if (end > to + room) return false;
      if (last == lineCount) break;
      const depth = depthOf(lines, last);
      if (depth > least) continue;
      const relation = relationOf(lines, last);
      if (depth < least || !relation) break;
      if (relation == <u32>endLine) {
        end = last + 1 < lineCount ? firstToken(lines, last + 1) : tokenCount;
        break;
      }
    }
  }
  setBlock(start, end);
  return start + room >= from && end <= to + room;
}
