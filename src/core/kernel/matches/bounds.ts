// Determines where passages should begin and end: at lines, blocks in brackets, or paragraphs. The code is independent
// of the language. It needs only the tokens, which of them are brackets, and where lines start.
import { caseLine, clauseLine, depthMask, Line, markShift, relationMask, relationShift } from '../documents/places';
import { settings } from './settings';
import { Block, Side, widestBlock } from './side';
import { separator } from '../documents/separators';
import { newRecord, recordBytes } from '../records';
import { countUpTo } from '../search';

@inline export function isOpener(token: u32): bool {
  return token == settings.openRound || token == settings.openSquare || token == settings.openCurly;
}

@inline export function isCloser(token: u32): bool {
  return token == settings.closeRound || token == settings.closeSquare || token == settings.closeCurly;
}

/** Returns true if a statement may begin after the token: after { } and ; */
@inline export function endsStatement(token: u32): bool {
  return token == settings.openCurly || token == settings.closeCurly || token == settings.semicolon;
}

@inline export function firstToken(side: Side, line: u32): u32 {
  return side.line(line).token;
}

@inline function lineNumber(side: Side, line: u32): u32 {
  return side.line(line).number & ((1 << markShift) - 1);
}

/** Returns the line of a token. */
export function lineOf(side: Side, token: u32): u32 {
  return max<u32>(countUpTo<Line>(token, side.lines, side.lineCount, offsetof<Line>('token')), 1) - 1;
}

/** Returns the number of lines of a passage. */
export function linesOf(side: Side): u32 {
  return lineNumber(side, lineOf(side, side.end - 1)) - lineNumber(side, lineOf(side, side.start)) + 1;
}

/** Returns the position after the last token of a line. A separator belongs to no line. */
@inline function lineEnd(side: Side, line: u32): u32 {
  let end = line + 1 < side.lineCount ? firstToken(side, line + 1) : side.tokenCount;
  while (side.token(end - 1) == separator) end--;
  return end;
}

/** Returns the first token of the line after that of a token, or `tokenCount` after the last line. */
export function nextLineStart(side: Side, token: u32): u32 {
  const next = lineOf(side, token) + 1;
  return next < side.lineCount ? firstToken(side, next) : side.tokenCount;
}

/**
 * Returns the best beginning for a passage that begins at a token. This is the token itself, or the next line if most
 * of the token's line precedes the token.
 */
export function nearestLineStart(side: Side, token: u32): u32 {
  const line = lineOf(side, token);
  const end = lineEnd(side, line);
  return (token - firstToken(side, line)) * 2 > end - token ? end : token;
}

/**
 * Returns the best end for a passage that ends before a token. This is the token itself, or the end of the previous
 * line if most of the last line follows it.
 */
export function nearestLineEnd(side: Side, token: u32): u32 {
  const line = lineOf(side, token - 1);
  const start = firstToken(side, line);
  return (lineEnd(side, line) - token) * 2 > token - start ? start : token;
}

/** Returns the first token in [token, end) that begins a line; `end` if there is none. */
export function lineStartFrom(side: Side, token: u32, end: u32): u32 {
  if (token >= end) return end;
  const line = lineOf(side, token);
  if (firstToken(side, line) == token) return token;
  return line + 1 < side.lineCount ? min(end, firstToken(side, line + 1)) : end;
}

@unmanaged class Bounds {
  /** Results of `countBrackets`: numbers of unmatched closing brackets and of unmatched opening brackets. */
  unopened: i32;
  unclosed: i32;
  /** Results of `findCases`: first tokens of the first and the last case, or `noToken`. */
  firstCase: u32;
  lastCase: u32;
}

export let bounds = changetype<Bounds>(0);

/** Size in bytes of the scratch memory that `placeBounds` initializes. */
export const boundsScratchBytes: usize = recordBytes<Bounds>();

export function placeBounds(scratch: usize): void {
  bounds = newRecord<Bounds>(scratch);
}

/**
 * When a passage is widened, a paragraph may add as many tokens at either end as the passage has, and a block half as
 * many more. For a short passage, the limit is this number of tokens.
 */
const leastRoom: u32 = 40;

/**
 * Finds the blocks around the passage of a side. A block extends from its opening bracket to after its closing one.
 * Level 0 balances the brackets of the passage itself; each further level adds one surrounding block.
 */
export function blocksAround(side: Side): void {
  for (let level: i32 = 0; level < widestBlock; level++) side.block(level).opener = side.block(level).end = noToken;
  side.blocksFrom = side.start;
  side.blocksTo = side.end;
  countBrackets(side.at(side.start), side.length);
  const room = roomOfBlock(side) + 1;
  findPartners(side, -1, min(side.start, room), bounds.unopened);
  if (side.block(0).opener != noToken) findPartners(side, 1, min(side.tokenCount - side.end, room), bounds.unclosed);
}

/**
 * Makes a block around the passage, with the statement that opens it, the current block. Returns false if there is none
 * nearby.
 */
export function takeBlock(side: Side, level: i32): bool {
  if (side.blocksFrom != side.start || side.blocksTo != side.end) blocksAround(side);
  const block = side.block(level);
  if (block.opener == noToken || block.end == noToken) return false;
  side.blockStart = statementAround(side, block.opener);
  side.blockEnd = block.end;
  encloseCases(side);
  return true;
}

/**
 * Returns the beginning of the statement around the beginning of a passage, or of the statement of `opener` if that is
 * earlier.
 */
function statementAround(side: Side, opener: u32): u32 {
  const from = side.start;
  if (opener < from || isContinued(side, from)) return statementStart(side, opener);
  const start = firstToken(side, lineOf(side, from));
  if (start == from || !isBalanced(side, start, from)) return from;
  return isContinued(side, start) ? statementStart(side, start) : start;
}

/** Returns true if the brackets in the tokens [from, to) are balanced. Reads up to three more tokens. */
export function isBalanced(side: Side, from: u32, to: u32): bool {
  countBrackets(side.at(from), to - from);
  return !bounds.unopened && !bounds.unclosed;
}

// Counts unmatched brackets, four tokens at a time. There are no branches, because brackets are unpredictable. Tokens
// after the end are read, but not counted.
function countBrackets(tokens: usize, count: u32): void {
  let depths = i32x4.splat(0),
    least = i32x4.splat(0);
  for (let i: u32 = 0; i < count; i += 4, tokens += 16) {
    const words = v128.load(tokens);
    const counted = i32x4.lt_s(i32x4(0, 1, 2, 3), i32x4.splat(count - i));
    const steps = v128.and(i32x4.sub(closers(words), openers(words)), counted);
    // Prefix sums over the lanes are added to the depth so far.
    const ofTwo = i32x4.add(
      steps,
      i8x16.shuffle(i32x4.splat(0), steps, 0, 1, 2, 3, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27),
    );
    const ofAll = i32x4.add(
      ofTwo,
      i8x16.shuffle(i32x4.splat(0), ofTwo, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23),
    );
    depths = i32x4.add(ofAll, i32x4.splat(i32x4.extract_lane(depths, 3)));
    least = i32x4.min_s(least, depths);
  }
  const lowest = min(
    min(i32x4.extract_lane(least, 0), i32x4.extract_lane(least, 1)),
    min(i32x4.extract_lane(least, 2), i32x4.extract_lane(least, 3)),
  );
  bounds.unopened = -lowest;
  bounds.unclosed = i32x4.extract_lane(depths, 3) - lowest;
}

/** Returns all ones in each lane that has an opening bracket. */
@inline function openers(words: v128): v128 {
  return v128.or(
    v128.or(i32x4.eq(words, i32x4.splat(settings.openRound)), i32x4.eq(words, i32x4.splat(settings.openSquare))),
    i32x4.eq(words, i32x4.splat(settings.openCurly)),
  );
}

@inline function closers(words: v128): v128 {
  return v128.or(
    v128.or(i32x4.eq(words, i32x4.splat(settings.closeRound)), i32x4.eq(words, i32x4.splat(settings.closeSquare))),
    i32x4.eq(words, i32x4.splat(settings.closeCurly)),
  );
}

/**
 * Finds the missing partner of each level by walking away from one end of the passage, four tokens at a time, at most
 * `most` tokens. Direction −1 searches before the passage for opening brackets, and direction 1 searches after it for
 * closing brackets.
 */
@inline function findPartners(side: Side, direction: i32, most: u32, missing: i32): void {
  const edge = direction < 0 ? side.start : side.end;
  if (!missing) setEdge(side.block(0), direction, edge);
  let depth: i32 = 0,
    found: i32 = 0;
  for (let left = <i32>most, at = side.at(edge) - (direction < 0 ? 16 : 0); left > 0; left -= 4, at += direction << 4) {
    let words = v128.load(at);
    // Reverse the tokens, so that the nearest one comes first.
    if (direction < 0) words = i8x16.shuffle(words, words, 12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3);
    const opening = i32x4.bitmask(openers(words)),
      closing = i32x4.bitmask(closers(words));
    const partners = direction < 0 ? opening : closing;
    let brackets = (opening | closing) & (15 >> max(0, 4 - left));
    // There are too few partners in these four tokens to be unmatched ones.
    const matched = popcnt(brackets & partners);
    if (matched <= depth) {
      depth += popcnt(brackets) - 2 * matched;
      continue;
    }
    for (; brackets; brackets &= brackets - 1) {
      const lane = ctz(brackets);
      if (!((partners >> lane) & 1)) depth++;
      else if (--depth < 0) {
        depth = 0;
        const level = ++found - missing;
        if (level < 0) continue;
        setEdge(side.block(level), direction, edge + direction * (<i32>most - left + lane + 1));
        if (level + 1 == widestBlock) return;
      }
    }
  }
}

@inline function setEdge(block: Block, direction: i32, token: u32): void {
  if (direction < 0) block.opener = token;
  else block.end = token;
}

/**
 * Returns how many tokens the block around a passage may extend beyond either end of it. An open statement may have
 * been cut off there.
 */
export function roomOfBlock(side: Side): u32 {
  return max(leastRoom, (side.length * 3) >> 1);
}

/** Returns how many tokens the paragraph around a passage may extend beyond either end of it. */
export function roomAround(side: Side): u32 {
  return max(leastRoom, side.length);
}

/**
 * Finds the paragraph around a passage: lines without a blank line between them. Returns false if it extends further
 * than `room`.
 */
export function paragraphAround(side: Side, room: u32): bool {
  let first = lineOf(side, side.start);
  while (first > 0 && lineNumber(side, first - 1) + 1 == lineNumber(side, first)) first--;
  let last = lineOf(side, side.end - 1);
  while (last + 1 < side.lineCount && lineNumber(side, last) + 1 == lineNumber(side, last + 1)) last++;
  side.blockStart = firstToken(side, first);
  side.blockEnd = lineEnd(side, last);
  return side.start - side.blockStart <= room && side.blockEnd - side.end <= room;
}

/** Maximum number of lines of a block's head. For example, each parameter may be on its own line. */
const headLines = 12;

/**
 * Returns the first token of the statement that leads to an opening bracket or to the first token of a line. Goes back
 * to a line before which all brackets are closed, and includes decorators.
 */
export function statementStart(side: Side, opener: u32): u32 {
  const last = lineOf(side, opener);
  let depth: i32 = 0;
  let start = opener;
  for (let line = last, n = 0; n < headLines; line--, n++) {
    const behind = start;
    start = firstToken(side, line);
    for (let i = behind; i-- > start;) {
      const token = side.token(i);
      if (isCloser(token)) depth++;
      else if (isOpener(token)) depth--;
    }
    // An opening bracket on a line of its own belongs to the statement on the previous line.
    if ((depth <= 0 && start < opener && relationOfBracketed(side, line) != clauseLine) || line == 0) break;
  }
  return start;
}

/** Returns the relation of a line to the line before it in a text of bracketed blocks. Returns 0 in other texts. */
@inline function relationOfBracketed(side: Side, line: u32): u32 {
  const mark = side.line(line).mark;
  return mark & depthMask ? 0 : (mark >> relationShift) & relationMask;
}

/** Returns true if a token begins a line that continues a statement: a {, or a declaration below its decorators. */
export function isContinued(side: Side, token: u32): bool {
  const line = lineOf(side, token);
  return relationOfBracketed(side, line) == clauseLine && firstToken(side, line) == token;
}

/** Returns true if a token is the first one of a line that begins a case. */
function isCase(side: Side, token: u32): bool {
  const line = lineOf(side, token);
  return relationOfBracketed(side, line) == caseLine && firstToken(side, line) == token;
}

/** Position that stands for no token. */
export const noToken: u32 = 0xffffffff;

/** Finds the first and the last case in the tokens [from, to). Cases in blocks within these tokens do not count. */
export function findCases(side: Side, from: u32, to: u32): void {
  bounds.firstCase = bounds.lastCase = noToken;
  let line = lineOf(side, from);
  if (firstToken(side, line) < from) line++;
  const end = lineOf(side, to - 1) + 1;
  while (line < end && relationOfBracketed(side, line) != caseLine) line++;
  if (line == end) return;
  let depth: i32 = 0,
    least: i32 = 0;
  for (let i = from; line < end; line++) {
    if (relationOfBracketed(side, line) != caseLine) continue;
    for (const first = firstToken(side, line); i < first; i++) {
      const token = side.token(i);
      if (isOpener(token)) depth++;
      else if (isCloser(token) && --depth < least) {
        least = depth;
        bounds.firstCase = bounds.lastCase = noToken;
      }
    }
    if (depth > least) continue;
    if (bounds.firstCase == noToken) bounds.firstCase = i;
    bounds.lastCase = i;
  }
  // If a later bracket in the passage closes the block of the cases, that block ends in the passage.
  for (let i = bounds.lastCase; i < to; i++) {
    const token = side.token(i);
    if (isOpener(token)) depth++;
    else if (isCloser(token) && --depth < least) {
      bounds.firstCase = bounds.lastCase = noToken;
      return;
    }
  }
}

/** Returns true if a case may end before this token. */
export function endsCase(side: Side, token: u32): bool {
  if (token >= side.tokenCount) return true;
  const next = side.token(token);
  return isCloser(next) || next == separator || isCase(side, token);
}

/** Returns true if a passage consists of complete statements, including decorators and heads, and of complete cases. */
export function hasWholeStatements(side: Side): bool {
  if (isContinued(side, side.start) || (side.end < side.tokenCount && isContinued(side, side.end))) return false;
  findCases(side, side.start, side.end);
  return bounds.firstCase == noToken || (bounds.firstCase == side.start && endsCase(side, side.end));
}

/** Extends the current block to complete cases, if these end nearby. */
function encloseCases(side: Side): void {
  findCases(side, side.blockStart, side.blockEnd);
  if (bounds.firstCase == noToken) return;
  const room = roomOfBlock(side);
  let depth: i32 = 0;
  for (let i = side.blockStart; bounds.firstCase != side.blockStart && i + room > side.start; i--) {
    if (!depth && isCase(side, i)) {
      side.blockStart = i;
      break;
    }
    if (!i) break;
    const token = side.token(i - 1);
    if (isCloser(token)) depth++;
    else if (token == separator || (isOpener(token) && --depth < 0)) break;
  }
  depth = 0;
  for (let i = side.blockEnd; i < min(side.tokenCount, side.end + room + 1); i++) {
    if (!depth && endsCase(side, i)) {
      side.blockEnd = i;
      break;
    }
    const token = side.token(i);
    if (isOpener(token)) depth++;
    else if (token == separator || (isCloser(token) && --depth < 0)) break;
  }
}
