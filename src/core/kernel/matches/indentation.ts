// Finds blocks of indented lines, in languages such as Python and Ruby. The marks of lines (places.ts) contain the
// depth of each line's statement.
import {
  decoratorMark,
  depthMask,
  endLine,
  middleLine,
  noStatement,
  relationMask,
  relationShift,
} from '../documents/places';
import { firstToken, lineOf, roomOfBlock } from './bounds';
import { Side } from './side';

/** Line number that stands for no line. */
export const noLine: u32 = 0xffffffff;

@inline function markOf(side: Side, line: u32): u32 {
  return side.line(line).mark;
}

@inline function depthOf(side: Side, line: u32): u32 {
  return markOf(side, line) & depthMask;
}

@inline function relationOf(side: Side, line: u32): u32 {
  return (markOf(side, line) >> relationShift) & relationMask;
}

/** Returns true if the text of a token has indented blocks. Only then do its lines have depths. */
@inline export function isIndented(side: Side, token: u32): bool {
  return depthOf(side, lineOf(side, token)) != 0;
}

/**
 * Returns true if the indented blocks of a passage are complete: whenever it contains part of a block, it contains the
 * block's head and end.
 */
export function hasWholeIndents(side: Side): bool {
  const first = lineOf(side, side.start);
  if (!depthOf(side, first)) return true;
  const last = lineOf(side, side.end - 1);
  return nextOutside(side, first, last) > last && openHead(side, first, last) == noLine;
}

/**
 * Returns the first of the lines [first, last] that is outside of the block in which line `first` lies. Returns `last +
 * 1` if all are inside. A line that continues a statement before `first` is outside of any block.
 */
export function nextOutside(side: Side, first: u32, last: u32): u32 {
  let outer: u32 = 0;
  for (let line = first; line <= last; line++) {
    const depth = depthOf(side, line);
    if (depth == noStatement) continue;
    if (!outer) {
      if (relationOf(side, line)) return line;
      outer = depth;
    } else if (depth < outer) return line;
  }
  return last + 1;
}

/**
 * Returns the innermost of the lines [first, last] that is the head of a block which continues after `last`. Returns
 * `noLine` if there is none.
 */
export function openHead(side: Side, first: u32, last: u32): u32 {
  const next = statementFrom(side, last + 1);
  if (next == side.lineCount) return noLine;
  // A line with `end` belongs to the block that it closes.
  const inside = depthOf(side, next) + u32(relationOf(side, next) >= <u32>middleLine);
  for (let line = last + 1; line-- > first;) if (depthOf(side, line) < inside) return line;
  return noLine;
}

/** Returns the first line from `line` on that begins a statement. Returns `lineCount` if there is none. */
export function statementFrom(side: Side, line: u32): u32 {
  while (line < side.lineCount && depthOf(side, line) == noStatement) line++;
  return line;
}

/**
 * Returns the first line of a statement's decorators, which are above its line. Without decorators, returns the line
 * itself.
 */
export function decoratedFrom(side: Side, line: u32): u32 {
  const depth = depthOf(side, line);
  for (let at = line; at-- > 0;) {
    const mark = markOf(side, at);
    if ((mark & depthMask) == noStatement) continue;
    if (!(mark & decoratorMark) || (mark & depthMask) != depth) break;
    line = at;
  }
  return line;
}

/** Returns true if a token begins the declaration below its decorators, in a text with indented blocks. */
export function isDecorated(side: Side, token: u32): bool {
  if (!side.isMarked || token >= side.tokenCount || !isIndented(side, token)) return false;
  const line = lineOf(side, token);
  return firstToken(side, line) == token && decoratedFrom(side, line) != line;
}

/**
 * Maximum number of tokens in the decorators to which a passage is widened if only one side has them. Long ones, such
 * as tables of parameters, would make copies too different.
 */
const maxOfDecorators: u32 = 24;

/** Widens the current block of a side to complete indented blocks. Returns false if there are none nearby. */
export function encloseIndents(side: Side): bool {
  let first = lineOf(side, side.blockStart),
    last = lineOf(side, side.blockEnd - 1);
  let minDepth = <u32>noStatement;
  for (let line = first; line <= last; line++) minDepth = min(minDepth, depthOf(side, line));
  if (minDepth == noStatement) return true;
  const room = roomOfBlock(side);
  let start = side.blockStart,
    end = side.blockEnd;
  const head = statementFrom(side, first);
  if (depthOf(side, head) > minDepth || relationOf(side, head)) {
    // Go back to the head of the statement. A line with `else` is not a head.
    do {
      if (first == 0 || firstToken(side, first) + room < side.start) return false;
      first--;
    } while (depthOf(side, first) > minDepth || relationOf(side, first));
    start = firstToken(side, decoratedFrom(side, first));
  } else if (firstToken(side, head) == start) {
    const decorated = firstToken(side, decoratedFrom(side, head));
    if (start - decorated <= maxOfDecorators) start = decorated;
  }
  if (openHead(side, first, last) != noLine) {
    for (;;) {
      end = ++last < side.lineCount ? firstToken(side, last) : side.tokenCount;
      if (end > side.end + room) return false;
      if (last == side.lineCount) break;
      const depth = depthOf(side, last);
      if (depth > minDepth) continue;
      const relation = relationOf(side, last);
      if (depth < minDepth || !relation) break;
      if (relation == <u32>endLine) {
        end = last + 1 < side.lineCount ? firstToken(side, last + 1) : side.tokenCount;
        break;
      }
    }
  }
  side.blockStart = start;
  side.blockEnd = end;
  return start + room >= side.start && end <= side.end + room;
}
