// Determines where passages should begin and end: at lines, bracketed blocks, or paragraphs. The code does not depend
// on the language. It needs only the tokens, which of them are brackets, and where lines start.
import { caseLine, clauseLine, depthMask, joinedMark, relationMask, relationShift } from '../documents/places';
import { itemMark, numberMask } from '../lex/lexed';
import { reserve } from './matchScratch';
import { lanesOf } from './renaming';
import { settings } from './settings';
import { Block, Side, widestBlock } from './side';
import { separator } from '../documents/separators';
import { newRecord, recordBytes } from '../records';

@inline export function isOpener(token: u32): bool {
  return (
    token == settings.openRound ||
    token == settings.openSquare ||
    token == settings.openCurly ||
    token == settings.openElement
  );
}

@inline export function isCloser(token: u32): bool {
  return (
    token == settings.closeRound ||
    token == settings.closeSquare ||
    token == settings.closeCurly ||
    token == settings.closeElement
  );
}

/** Returns true if the token ends a statement: { } or ; */
@inline export function endsStatement(token: u32): bool {
  return token == settings.openCurly || token == settings.closeCurly || token == settings.semicolon;
}

@inline export function firstToken(side: Side, line: u32): u32 {
  return side.line(line).token;
}

@inline function lineNumber(side: Side, line: u32): u32 {
  return side.line(line).number & numberMask;
}

@inline export function lineOf(side: Side, token: u32): u32 {
  return side.lineOf(token);
}

/** Returns the number of lines of the current passage. */
export function linesOf(side: Side): u32 {
  return linesBetween(side, side.start, side.end);
}

/** Returns the number of lines of the tokens [start, end). */
export function linesBetween(side: Side, start: u32, end: u32): u32 {
  return lineNumber(side, lineOf(side, end - 1)) - lineNumber(side, lineOf(side, start)) + 1;
}

/** Returns the position after the last token of a line, not counting a separator. */
@inline function lineEnd(side: Side, line: u32): u32 {
  let end = line + 1 < side.lineCount ? firstToken(side, line + 1) : side.tokenCount;
  while (side.token(end - 1) == separator) end--;
  return end;
}

/** Returns the first token of the next line after a token's line. Returns `tokenCount` if there is none. */
export function nextLineStart(side: Side, token: u32): u32 {
  const next = lineOf(side, token) + 1;
  return next < side.lineCount ? firstToken(side, next) : side.tokenCount;
}

/**
 * Returns the best beginning for a passage that begins at a token: the next line if most of the token's line precedes
 * the token, otherwise the token itself.
 */
export function nearestLineStart(side: Side, token: u32): u32 {
  const line = lineOf(side, token);
  const end = lineEnd(side, line);
  return (token - firstToken(side, line)) * 2 > end - token ? end : token;
}

/**
 * Returns the best end for a passage that ends before a token: the end of the previous line if most of the last line
 * follows the passage, otherwise the token itself.
 */
export function nearestLineEnd(side: Side, token: u32): u32 {
  const line = lineOf(side, token - 1);
  const start = firstToken(side, line);
  return (lineEnd(side, line) - token) * 2 > token - start ? start : token;
}

/** Returns the first token in [token, end) that is the first one on its line. Returns `end` if there is none. */
export function lineStartFrom(side: Side, token: u32, end: u32): u32 {
  if (token >= end) return end;
  const line = lineOf(side, token);
  if (firstToken(side, line) == token) return token;
  return line + 1 < side.lineCount ? min(end, firstToken(side, line + 1)) : end;
}

@unmanaged class Bounds {
  /**
   * Results of `countBrackets`: number of closing brackets without an opening one, and number of opening brackets
   * without a closing one.
   */
  unopened: i32;
  unclosed: i32;
  /** Results of `findCases`: first tokens of the first and of the last case or label, or `noToken`. */
  firstCase: u32;
  lastCase: u32;
  /** Depth of brackets that `findCases` has reached, and its minimum so far. */
  depth: i32;
  minDepth: i32;
  /** True if one of them is a case, so that labels are, too. */
  hasCase: bool;
}

export let bounds = changetype<Bounds>(0);

const scratchAt = reserve(recordBytes<Bounds>());

export function placeBounds(scratch: usize): void {
  bounds = newRecord<Bounds>(scratch + scratchAt);
}

/**
 * Minimum number of tokens by which a passage may be widened at either end. The usual limit depends on the length of
 * the passage: its length for a paragraph, and one and a half times its length for a block.
 */
const minRoom: u32 = 40;

/**
 * Finds the blocks around the passage of a side, each from its opening bracket to its closing one. Level 0 is the
 * smallest block that contains the passage and has balanced brackets. Each further level is the next larger block
 * around it.
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
 * Sets the current block of a side to a block around the passage, including the statement that opens it. Returns false
 * if there is none nearby.
 */
export function setBlock(side: Side, level: i32): bool {
  if (side.blocksFrom != side.start || side.blocksTo != side.end) blocksAround(side);
  const block = side.block(level);
  if (block.opener == noToken || block.end == noToken) return false;
  side.blockStart = statementAround(side, block.opener);
  side.blockEnd = block.end;
  if (side.blockStart < block.opener) closeHead(side, block.opener);
  return encloseCases(side);
}

/**
 * Same as `setBlock` at level 0, but extends the block to the end of the statement in which it ends, if that is nearby.
 */
export function setStatements(side: Side): bool {
  if (!setBlock(side, 0)) return false;
  if (!endsInStatement(side, side.blockEnd)) return true;
  const end = endOfStatement(side, side.blockEnd);
  if (end != noToken) side.blockEnd = end;
  return encloseCases(side);
}

/** Returns the end of the statement that a token continues, or `noToken` if it is not nearby. */
function endOfStatement(side: Side, token: u32): u32 {
  const limit = min(side.tokenCount, side.end + roomOfBlock(side));
  let depth: i32 = 0,
    line = lineOf(side, token);
  for (let i = token; i < limit; i++) {
    if (line + 1 < side.lineCount && firstToken(side, line + 1) == i) {
      line++;
      if (!depth && i > token && !continuesStatement(side, line)) return i;
    }
    const next = side.token(i);
    if (next == separator) return i;
    if (next == settings.semicolon && !depth) return i + 1;
    if (isOpener(next)) depth++;
    else if (isCloser(next) && --depth < 0) return i;
  }
  return limit == side.tokenCount && !depth ? limit : noToken;
}

/**
 * Extends the current block to the end of the brackets that the head of its statement leaves open, if they end nearby.
 * So a call whose last argument is a function includes its closing bracket.
 */
function closeHead(side: Side, opener: u32): void {
  countBrackets(side.at(side.blockStart), opener - side.blockStart);
  let depth = bounds.unclosed;
  if (!depth) return;
  const end = min(side.tokenCount, side.end + roomOfBlock(side));
  for (let i = side.blockEnd; i < end; i++) {
    const token = side.token(i);
    if (token == separator) return;
    if (isOpener(token)) depth++;
    else if (isCloser(token) && --depth == 0) {
      side.blockEnd = i + 1 < side.tokenCount && side.token(i + 1) == settings.semicolon ? i + 2 : i + 1;
      return;
    }
  }
}

/**
 * Returns the beginning of the statement in which a passage begins, or of the statement that contains `opener` if that
 * one begins earlier.
 */
function statementAround(side: Side, opener: u32): u32 {
  const from = side.start;
  if (opener < from || isContinued(side, from)) return unjoined(side, statementStart(side, opener));
  const start = firstToken(side, lineOf(side, from));
  if (start < from && !isBalanced(side, start, from)) return from;
  return unjoined(side, isContinued(side, start) ? statementStart(side, start) : start);
}

/**
 * If a line continues a statement with an operator, returns the beginning of that statement, if it is nearby and not
 * within brackets that the lines before open. `start` is the first token of the line.
 */
function unjoined(side: Side, start: u32): u32 {
  let line = lineOf(side, start),
    first = start;
  let depth: i32 = 0;
  for (let n = 0; n < headLines && depth >= 0; n++) {
    if (!depth && !continuesStatement(side, line)) return first;
    if (!line) break;
    const behind = first;
    first = firstToken(side, --line);
    depth += closersAmong(side, first, behind);
  }
  return start;
}

/** Returns the number of closing brackets in the tokens [from, to) less that of opening ones. */
function closersAmong(side: Side, from: u32, to: u32): i32 {
  countBrackets(side.at(from), to - from);
  return bounds.unopened - bounds.unclosed;
}

/** Returns true if the brackets in the tokens [from, to) are balanced. May read up to three tokens after them. */
export function isBalanced(side: Side, from: u32, to: u32): bool {
  countBrackets(side.at(from), to - from);
  return !bounds.unopened && !bounds.unclosed;
}

// Counts brackets without a partner, four tokens at a time, without branches, because brackets are unpredictable.
// Tokens after the end are read, but not counted.
function countBrackets(tokens: usize, count: u32): void {
  let depths = i32x4.splat(0),
    minDepths = i32x4.splat(0);
  for (let i: u32 = 0; i < count; i += 4, tokens += 16) {
    const words = v128.load(tokens);
    const counted = i32x4.lt_s(i32x4(0, 1, 2, 3), i32x4.splat(count - i));
    const steps = v128.and(i32x4.sub(closers(words), openers(words)), counted);
    // Compute the prefix sums over the lanes, and add the depth before them.
    const ofTwo = i32x4.add(
      steps,
      i8x16.shuffle(i32x4.splat(0), steps, 0, 1, 2, 3, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27),
    );
    const ofAll = i32x4.add(
      ofTwo,
      i8x16.shuffle(i32x4.splat(0), ofTwo, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23),
    );
    depths = i32x4.add(ofAll, i32x4.splat(i32x4.extract_lane(depths, 3)));
    minDepths = i32x4.min_s(minDepths, depths);
  }
  const lowest = min(
    min(i32x4.extract_lane(minDepths, 0), i32x4.extract_lane(minDepths, 1)),
    min(i32x4.extract_lane(minDepths, 2), i32x4.extract_lane(minDepths, 3)),
  );
  bounds.unopened = -lowest;
  bounds.unclosed = i32x4.extract_lane(depths, 3) - lowest;
}

/** Returns a mask with all bits set in each lane that has an opening bracket. */
@inline function openers(words: v128): v128 {
  return v128.or(
    v128.or(i32x4.eq(words, i32x4.splat(settings.openRound)), i32x4.eq(words, i32x4.splat(settings.openSquare))),
    v128.or(i32x4.eq(words, i32x4.splat(settings.openCurly)), i32x4.eq(words, i32x4.splat(settings.openElement))),
  );
}

@inline function closers(words: v128): v128 {
  return v128.or(
    v128.or(i32x4.eq(words, i32x4.splat(settings.closeRound)), i32x4.eq(words, i32x4.splat(settings.closeSquare))),
    v128.or(i32x4.eq(words, i32x4.splat(settings.closeCurly)), i32x4.eq(words, i32x4.splat(settings.closeElement))),
  );
}

/**
 * For each level, finds the missing bracket by searching from one end of the passage, four tokens at a time, up to
 * `maxTokens` tokens. With direction −1, searches before the passage for opening brackets; with direction 1, after it
 * for closing ones.
 */
@inline function findPartners(side: Side, direction: i32, maxTokens: u32, missing: i32): void {
  const edge = direction < 0 ? side.start : side.end;
  if (!missing) setEdge(side.block(0), direction, edge);
  let depth: i32 = 0,
    found: i32 = 0;
  for (
    let left = <i32>maxTokens, at = side.at(edge) - (direction < 0 ? 16 : 0);
    left > 0;
    left -= 4, at += direction << 4
  ) {
    let words = v128.load(at);
    // Reverse the tokens, so that the one nearest to the passage comes first.
    if (direction < 0) words = i8x16.shuffle(words, words, 12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3);
    const opening = i32x4.bitmask(openers(words)),
      closing = i32x4.bitmask(closers(words));
    const partners = direction < 0 ? opening : closing;
    let brackets = (opening | closing) & (15 >> max(0, 4 - left));
    // All these brackets have their partners outside of the passage.
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
        setEdge(side.block(level), direction, edge + direction * (<i32>maxTokens - left + lane + 1));
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
 * Returns the maximum number of tokens by which the block around a passage may extend beyond either end of it. The
 * limit is generous, because a statement at the end of the passage may be cut off.
 */
export function roomOfBlock(side: Side): u32 {
  return max(minRoom, (side.length * 3) >> 1);
}

/** Returns the maximum number of tokens by which the paragraph around a passage may extend beyond either end of it. */
export function roomAround(side: Side): u32 {
  return max(minRoom, side.length);
}

/**
 * Finds the paragraph around a passage, which is bounded by blank lines. Returns false if it extends beyond the passage
 * by more than `room` tokens.
 */
export function paragraphAround(side: Side, room: u32): bool {
  let first = lineOf(side, side.start);
  while (first > 0 && isBelow(side, first)) first--;
  let last = lineOf(side, side.end - 1);
  while (last + 1 < side.lineCount && isBelow(side, last + 1)) last++;
  return setBlockOfLines(side, first, last, room);
}

/** Same as `paragraphAround`, for a list item, a row of a table, or a paragraph outside of lists. */
export function itemAround(side: Side, room: u32): bool {
  let first = lineOf(side, side.start);
  while (first > 0 && continuesItem(side, first)) first--;
  let last = lineOf(side, side.end - 1);
  while (last + 1 < side.lineCount && continuesItem(side, last + 1)) last++;
  return setBlockOfLines(side, first, last, room);
}

/** Returns true if there is no blank line between a line and the one before it. */
@inline function isBelow(side: Side, line: u32): bool {
  return lineNumber(side, line - 1) + 1 == lineNumber(side, line);
}

@inline function continuesItem(side: Side, line: u32): bool {
  return isBelow(side, line) && side.line(line).mark != itemMark;
}

/** Sets the block to the given lines. Returns false if it extends beyond the passage by more than `room` tokens. */
function setBlockOfLines(side: Side, first: u32, last: u32, room: u32): bool {
  side.blockStart = firstToken(side, first);
  side.blockEnd = lineEnd(side, last);
  return side.start - side.blockStart <= room && side.blockEnd - side.end <= room;
}

/** Maximum number of lines in the head of a block. There may be one line per parameter. */
const headLines = 12;

/**
 * Returns the first token of the statement that contains `opener`, which is an opening bracket or the first token of a
 * line. Includes decorators. Goes back to a line before which no bracket of the statement is open.
 */
export function statementStart(side: Side, opener: u32): u32 {
  const last = lineOf(side, opener);
  // An element of a list or of JSX may begin a line.
  const token = side.token(opener);
  const latest = opener + u32(token == settings.openElement || token == settings.openCurly);
  let depth: i32 = 0;
  let start = opener;
  for (let line = last, n = 0; n < headLines; line--, n++) {
    const behind = start;
    start = firstToken(side, line);
    depth += closersAmong(side, start, behind);
    // The head of a bracket that is alone on its line is on the line before.
    if ((depth <= 0 && start < latest && relationOfBracketed(side, line) != clauseLine) || line == 0) break;
  }
  return start;
}

/** Returns true if a line is in a text with bracketed blocks. */
@inline function isBracketed(side: Side, line: u32): bool {
  return !(side.line(line).mark & depthMask);
}

/** In a text with bracketed blocks, returns the relation of a line to the line before it. In other texts, returns 0. */
@inline function relationOfBracketed(side: Side, line: u32): u32 {
  return isBracketed(side, line) ? (side.line(line).mark >> relationShift) & relationMask : 0;
}

/** Returns true if a token begins a line that continues a statement: a {, or a declaration below its decorators. */
function isContinued(side: Side, token: u32): bool {
  const line = lineOf(side, token);
  return relationOfBracketed(side, line) == clauseLine && firstToken(side, line) == token;
}

/** Returns true if a line continues a statement with an operator, in a text with bracketed blocks. */
function isJoined(side: Side, line: u32): bool {
  return isBracketed(side, line) && (side.line(line).mark & joinedMark) != 0;
}

/** Returns true if a line continues the statement before it, in a text with bracketed blocks. */
function continuesStatement(side: Side, line: u32): bool {
  return isJoined(side, line) || relationOfBracketed(side, line) == clauseLine;
}

/** Returns true if a passage begins in a statement whose beginning is on the same line, or on lines before. */
function beginsInStatement(side: Side, start: u32): bool {
  const line = lineOf(side, start),
    first = firstToken(side, line);
  if (first == start) return isJoined(side, line);
  const before = side.token(start - 1);
  return !endsStatement(before) && before != settings.colon && isBalanced(side, first, start);
}

/** Returns true if the statement in which a passage ends continues with an operator, or on the same line. */
function endsInStatement(side: Side, end: u32): bool {
  if (end >= side.tokenCount) return false;
  const line = lineOf(side, end);
  if (firstToken(side, line) == end) return isJoined(side, line);
  const before = side.token(end - 1),
    next = side.token(end);
  if (endsStatement(before) || endsStatement(next) || isCloser(next) || next == separator) return false;
  return before != settings.colon || !isBracketed(side, line);
}

/**
 * Returns the token that continues the statement in which a passage ends, or `noToken` if the passage does not end in
 * one: the first token of a line that continues it, or the bracket that opens the block of its head and ends its line:
 * `function f(a) ¦ {`. After the end of a block, as in `} ¦ else {`, the passage ends with that block.
 */
export function continuationOf(side: Side, end: u32): u32 {
  if (end == side.tokenCount) return noToken;
  if (isContinued(side, end)) return end;
  const line = lineOf(side, end);
  if (!isBracketed(side, line) || firstToken(side, line) == end) return noToken;
  const opener = lineEnd(side, line) - 1;
  if (opener < end || !isOpener(side.token(opener)) || side.token(end - 1) == settings.closeCurly) return noToken;
  return opener;
}

/**
 * Returns true if a passage begins at the end of a statement that began on an earlier line: `} ¦ as const;`. That line
 * must not open a block, which would belong to the passage.
 */
export function beginsInTail(side: Side, start: u32): bool {
  const line = lineOf(side, start);
  const first = firstToken(side, line);
  if (!isBracketed(side, line) || first == start || isOpener(side.token(lineEnd(side, line) - 1))) return false;
  countBrackets(side.at(first), start - first);
  return bounds.unopened != 0;
}

/** Returns true if a token is the first one on a line that begins a case or has a label. */
function isCase(side: Side, token: u32): bool {
  const line = lineOf(side, token);
  return relationOfBracketed(side, line) >= <u32>caseLine && firstToken(side, line) == token;
}

/** Position that stands for no token. */
export const noToken: u32 = 0xffffffff;

/** Finds the first and the last case or label in the tokens [from, to). Ignores those of blocks inside these tokens. */
export function findCases(side: Side, from: u32, to: u32): void {
  forgetCases();
  let line = lineOf(side, from);
  if (firstToken(side, line) < from) line++;
  const end = lineOf(side, to - 1) + 1;
  while (line < end && relationOfBracketed(side, line) < <u32>caseLine) line++;
  if (line == end) return;
  bounds.depth = bounds.minDepth = 0;
  for (let i = from; line < end; line++) {
    const relation = relationOfBracketed(side, line);
    if (relation < <u32>caseLine) continue;
    const first = firstToken(side, line);
    if (i < first) passBrackets(side, i, first);
    i = max(i, first);
    if (bounds.depth > bounds.minDepth) continue;
    if (bounds.firstCase == noToken) bounds.firstCase = i;
    bounds.lastCase = i;
    if (relation == <u32>caseLine) bounds.hasCase = true;
  }
  // If the passage has a closing bracket without a partner after the last case, the block that contains the cases ends
  // inside the passage.
  if (bounds.lastCase < to) passBrackets(side, bounds.lastCase, to);
}

/**
 * Follows the depth of brackets through the tokens [from, to), four tokens at a time. If it falls below its minimum,
 * forgets the cases. May read up to three tokens after the end.
 */
function passBrackets(side: Side, from: u32, to: u32): void {
  let depth = bounds.depth,
    minDepth = bounds.minDepth;
  for (let i = from, at = side.at(from); i < to; i += 4, at += 16) {
    const words = v128.load(at);
    const opening = i32x4.bitmask(openers(words)),
      closing = i32x4.bitmask(closers(words));
    for (let left = (opening | closing) & lanesOf(to - i); left; left &= left - 1) {
      if (opening & left & -left) depth++;
      else if (--depth < minDepth) {
        minDepth = depth;
        forgetCases();
      }
    }
  }
  bounds.depth = depth;
  bounds.minDepth = minDepth;
}

function forgetCases(): void {
  bounds.firstCase = bounds.lastCase = noToken;
  bounds.hasCase = false;
}

/** Returns true if a case may end directly before a token. */
export function endsCase(side: Side, token: u32): bool {
  if (token >= side.tokenCount) return true;
  const next = side.token(token);
  return isCloser(next) || next == separator || isCase(side, token);
}

/**
 * Returns true if a passage consists of complete statements, with their heads and decorators, and of complete cases.
 */
export function hasWholeStatements(side: Side): bool {
  if (isContinued(side, side.start) || continuationOf(side, side.end) != noToken) return false;
  if (beginsInStatement(side, side.start) || endsInStatement(side, side.end)) return false;
  return hasNoPartOfCase(side);
}

/**
 * Returns true if a passage has no part of a case, or only labels. Part of a labeled section does not refuse a passage.
 * `hasWholeStatements` counts labels, too, because such a passage is extended if possible.
 */
export function hasWholeCases(side: Side): bool {
  return hasNoPartOfCase(side) || !bounds.hasCase;
}

function hasNoPartOfCase(side: Side): bool {
  findCases(side, side.start, side.end);
  return bounds.firstCase == noToken || (bounds.firstCase == side.start && endsCase(side, side.end));
}

/**
 * Widens the current block so that its cases are complete. Returns false if it has a `case`, and its cases do not begin
 * or end nearby.
 */
function encloseCases(side: Side): bool {
  findCases(side, side.blockStart, side.blockEnd);
  if (bounds.firstCase == noToken) return true;
  const start = firstCaseBefore(side, side.blockStart),
    end = endOfCases(side, side.blockEnd);
  if (start != noToken) side.blockStart = start;
  if (end != noToken) side.blockEnd = end;
  return !bounds.hasCase || (start != noToken && end != noToken);
}

/** Returns the beginning of the case that contains a token, or `noToken` if it is not nearby. */
function firstCaseBefore(side: Side, token: u32): u32 {
  const room = roomOfBlock(side);
  let depth: i32 = 0;
  while (depth || !isCase(side, token)) {
    if (!token || token + room <= side.start) return noToken;
    const before = side.token(--token);
    if (isCloser(before)) depth++;
    else if (before == separator || (isOpener(before) && --depth < 0)) return noToken;
  }
  return token;
}

/** Returns the end of the case that contains the token before a position, or `noToken` if it is not nearby. */
function endOfCases(side: Side, position: u32): u32 {
  const limit = min(side.tokenCount, side.end + roomOfBlock(side));
  let depth: i32 = 0;
  while (depth || !endsCase(side, position)) {
    if (position >= limit) return noToken;
    const token = side.token(position++);
    if (isOpener(token)) depth++;
    else if (token == separator || (isCloser(token) && --depth < 0)) return noToken;
  }
  return position;
}
