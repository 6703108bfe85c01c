// Determines where passages should begin and end: at lines, at blocks of brackets, at paragraphs. It is independent of
// the language: its inputs are the tokens, the tokens of the six brackets, and the starts of lines.
import {
  caseLine,
  clauseLine,
  depthMask,
  lineBytes,
  lineNumberAt,
  lineTokenAt,
  markShift,
  relationMask,
  relationShift,
} from '../documents/placesLayout';
import { settings } from './settings';
import { separator } from '../documents/separators';
import { newRecord, recordBytes } from '../records';
import { countUpTo } from '../search';

@inline export function isOpener(token: u32): bool {
  return token == settings.openRound || token == settings.openSquare || token == settings.openCurly;
}

@inline export function isCloser(token: u32): bool {
  return token == settings.closeRound || token == settings.closeSquare || token == settings.closeCurly;
}

/** Returns true if a statement may begin after the token: { } or ; */
@inline export function endsStatement(token: u32): bool {
  return token == settings.openCurly || token == settings.closeCurly || token == settings.semicolon;
}

@inline export function firstToken(lines: usize, line: u32): u32 {
  return load<u32>(lines + <usize>line * lineBytes, lineTokenAt);
}

@inline function lineNumber(lines: usize, line: u32): u32 {
  return load<u32>(lines + <usize>line * lineBytes, lineNumberAt) & ((1 << markShift) - 1);
}

/** Returns the line of a token. */
export function lineOf(lines: usize, lineCount: u32, token: u32): u32 {
  return max<u32>(countUpTo(token, lines, lineCount, lineBytes, lineTokenAt), 1) - 1;
}

/** Returns the number of lines from the one of token `from` to that of the token before `to`. */
export function linesBetween(lines: usize, lineCount: u32, from: u32, to: u32): u32 {
  return lineNumber(lines, lineOf(lines, lineCount, to - 1)) - lineNumber(lines, lineOf(lines, lineCount, from)) + 1;
}

/** Returns the position after the last token of a line. Separators are on no line. */
@inline function lineEnd(tokens: usize, tokenCount: u32, lines: usize, lineCount: u32, line: u32): u32 {
  let end = line + 1 < lineCount ? firstToken(lines, line + 1) : tokenCount;
  while (load<u32>(tokens + ((<usize>(end - 1)) << 2)) == separator) end--;
  return end;
}

/** Returns the first token of the line after that of a token, or `tokenCount` after the last line. */
export function nextLineStart(lines: usize, lineCount: u32, tokenCount: u32, token: u32): u32 {
  const next = lineOf(lines, lineCount, token) + 1;
  return next < lineCount ? firstToken(lines, next) : tokenCount;
}

/**
 * Returns the best beginning for a passage that begins at a token: the token itself, or the next line if most of the
 * token's line precedes it.
 */
export function nearestLineStart(tokens: usize, tokenCount: u32, lines: usize, lineCount: u32, token: u32): u32 {
  const line = lineOf(lines, lineCount, token);
  const end = lineEnd(tokens, tokenCount, lines, lineCount, line);
  return (token - firstToken(lines, line)) * 2 > end - token ? end : token;
}

/**
 * Returns the best end for a passage that ends before a token: the token itself, or the end of the previous line if
 * most of the last line follows it.
 */
export function nearestLineEnd(tokens: usize, tokenCount: u32, lines: usize, lineCount: u32, token: u32): u32 {
  const line = lineOf(lines, lineCount, token - 1);
  const start = firstToken(lines, line);
  return (lineEnd(tokens, tokenCount, lines, lineCount, line) - token) * 2 > token - start ? start : token;
}

/** Returns the first token of a line from `token` on, before `end`: `token` itself if it begins a line. */
export function lineStartFrom(lines: usize, lineCount: u32, token: u32, end: u32): u32 {
  if (token >= end) return end;
  const line = lineOf(lines, lineCount, token);
  if (firstToken(lines, line) == token) return token;
  return line + 1 < lineCount ? min(end, firstToken(lines, line + 1)) : end;
}

@unmanaged class Bounds {
  /** Result of `takeBlock` or `paragraphAround`: tokens [blockStart, blockEnd). */
  blockStart: u32;
  blockEnd: u32;
  /** Result of `countBrackets`: numbers of unmatched closing and opening brackets of a passage. */
  unopened: i32;
  unclosed: i32;
  /** Result of `findCases`: first tokens of cases, or `noToken`. */
  firstCase: u32;
  lastCase: u32;
}

export let bounds = changetype<Bounds>(0);

/** Bytes of scratch memory that `placeBounds` initializes. */
export const boundsScratchBytes: usize = recordBytes<Bounds>();

export function placeBounds(scratch: usize): void {
  bounds = newRecord<Bounds>(scratch);
}

export function setBlock(start: u32, end: u32): void {
  bounds.blockStart = start;
  bounds.blockEnd = end;
}

/**
 * A paragraph may add at either end as many tokens as the passage has, a block half as many more; for a short passage,
 * this number.
 */
const leastRoom: u32 = 40;

/** Number of nested blocks around a passage that are considered: see `blocksAround`. */
export const widestBlock: i32 = 2;
/** Result of `blocksAround` for each level: the token that opens the block, and its end. */
const blockOpenerAt: usize = 0;
const blockEndAt: usize = 4;
/** Bytes of the result. */
export const blocksBytes: usize = (<usize>widestBlock) << 3;
const noBlock: u32 = 0xffffffff;

/**
 * Finds the blocks around tokens [from, to), each from its opening token to after its closing one. Level 1 balances the
 * brackets of the passage; each further level adds one surrounding block.
 */
export function blocksAround(tokens: usize, tokenCount: u32, from: u32, to: u32, blocks: usize): void {
  for (let level: i32 = 0; level < widestBlock; level++) store<u64>(blocks + ((<usize>level) << 3), 0xffffffffffffffff);
  countBrackets(tokens + ((<usize>from) << 2), to - from);
  const room = roomOfBlock(from, to);
  findOpeners(tokens, from, from > room ? from - room - 1 : 0, blocks);
  if (load<u32>(blocks, blockOpenerAt) == noBlock) return;
  findClosers(tokens, to, min(tokenCount, to + room + 1), blocks);
}

/** Selects a block found by `blocksAround`, with the statement that opens it. Returns false if there is none nearby. */
export function takeBlock(
  tokens: usize,
  tokenCount: u32,
  lines: usize,
  lineCount: u32,
  from: u32,
  to: u32,
  blocks: usize,
  level: i32,
): bool {
  const block = blocks + ((<usize>(level - 1)) << 3);
  const opener = load<u32>(block, blockOpenerAt);
  bounds.blockEnd = load<u32>(block, blockEndAt);
  if (opener == noBlock || bounds.blockEnd == noBlock) return false;
  bounds.blockStart = statementAround(tokens, lines, lineCount, from, opener);
  encloseCases(tokens, tokenCount, lines, lineCount, from, to);
  return true;
}

/** Returns the beginning of the statement that a passage begins in, or of the one before an earlier opener. */
function statementAround(tokens: usize, lines: usize, lineCount: u32, from: u32, opener: u32): u32 {
  if (opener < from || isContinued(lines, lineCount, from)) return statementStart(tokens, lines, lineCount, opener);
  const start = firstToken(lines, lineOf(lines, lineCount, from));
  if (start == from || !isBalanced(tokens, start, from)) return from;
  return isContinued(lines, lineCount, start) ? statementStart(tokens, lines, lineCount, start) : start;
}

/** Returns true if each bracket of tokens [from, to) has its partner there. Reads up to three more tokens. */
export function isBalanced(tokens: usize, from: u32, to: u32): bool {
  countBrackets(tokens + ((<usize>from) << 2), to - from);
  return !bounds.unopened && !bounds.unclosed;
}

// Four tokens at a time without branches, because brackets are unpredictable. Tokens after the end are read, but not
// counted.
function countBrackets(tokens: usize, count: u32): void {
  let depths = i32x4.splat(0),
    least = i32x4.splat(0);
  for (let i: u32 = 0; i < count; i += 4, tokens += 16) {
    const words = v128.load(tokens);
    const counted = i32x4.lt_s(i32x4(0, 1, 2, 3), i32x4.splat(count - i));
    const steps = v128.and(i32x4.sub(closers(words), openers(words)), counted);
    // Prefix sums over the lanes, added to the depth so far.
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

/** Returns lanes of all ones for opening tokens. */
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

/** Finds the last missing opener of each level, searching backward from `from` to `least`, four tokens at a time. */
function findOpeners(tokens: usize, from: u32, least: u32, blocks: usize): void {
  if (!bounds.unopened) store<u32>(blocks, from, blockOpenerAt);
  let depth: i32 = 0,
    found: i32 = 0;
  for (let left = <i32>(from - least), at = tokens + ((<usize>from) << 2) - 16; left > 0; left -= 4, at -= 16) {
    const words = v128.load(at);
    const opening = i32x4.bitmask(openers(words));
    // Count only those of the last four tokens that are after `least`.
    let brackets = (opening | i32x4.bitmask(closers(words))) & (15 << max(0, 4 - left));
    // Not enough openers to be unmatched.
    const opened = popcnt(brackets & opening);
    if (opened <= depth) {
      depth += popcnt(brackets) - 2 * opened;
      continue;
    }
    while (brackets) {
      const lane: i32 = 31 - clz<i32>(brackets);
      brackets ^= 1 << lane;
      if (!((opening >> lane) & 1)) depth++;
      else if (--depth < 0) {
        depth = 0;
        const level = ++found - bounds.unopened;
        if (level < 0) continue;
        store<u32>(blocks + ((<usize>level) << 3), least + left - 4 + lane, blockOpenerAt);
        if (level + 1 == widestBlock) return;
      }
    }
  }
}

/** Finds closers in the same way, forward from `to` to before `most`. Each block ends after its closer. */
function findClosers(tokens: usize, to: u32, most: u32, blocks: usize): void {
  if (!bounds.unclosed) store<u32>(blocks, to, blockEndAt);
  let depth: i32 = 0,
    found: i32 = 0;
  for (let left = <i32>(most - to), at = tokens + ((<usize>to) << 2); left > 0; left -= 4, at += 16) {
    const words = v128.load(at);
    const closing = i32x4.bitmask(closers(words));
    let brackets = (closing | i32x4.bitmask(openers(words))) & (15 >> max(0, 4 - left));
    const closed = popcnt(brackets & closing);
    if (closed <= depth) {
      depth += popcnt(brackets) - 2 * closed;
      continue;
    }
    for (; brackets; brackets &= brackets - 1) {
      const lane = ctz<i32>(brackets);
      if (!((closing >> lane) & 1)) depth++;
      else if (--depth < 0) {
        depth = 0;
        const level = ++found - bounds.unclosed;
        if (level < 0) continue;
        store<u32>(blocks + ((<usize>level) << 3), most - left + lane + 1, blockEndAt);
        if (level + 1 == widestBlock) return;
      }
    }
  }
}

/**
 * Returns the maximum distance that the block around tokens [from, to) may extend beyond them. An open statement may
 * have been cut off.
 */
export function roomOfBlock(from: u32, to: u32): u32 {
  return max(leastRoom, ((to - from) * 3) >> 1);
}

/** Returns the maximum distance that the paragraph around tokens [from, to) may extend beyond them. */
export function roomAround(from: u32, to: u32): u32 {
  return max(leastRoom, to - from);
}

/**
 * Finds the paragraphs of tokens [from, to): lines without a blank line between them. Returns false if they extend
 * further than `room`.
 */
export function paragraphAround(
  tokens: usize,
  tokenCount: u32,
  lines: usize,
  lineCount: u32,
  from: u32,
  to: u32,
  room: u32,
): bool {
  let first = lineOf(lines, lineCount, from);
  while (first > 0 && lineNumber(lines, first - 1) + 1 == lineNumber(lines, first)) first--;
  let last = lineOf(lines, lineCount, to - 1);
  while (last + 1 < lineCount && lineNumber(lines, last) + 1 == lineNumber(lines, last + 1)) last++;
  bounds.blockStart = firstToken(lines, first);
  bounds.blockEnd = lineEnd(tokens, tokenCount, lines, lineCount, last);
  return from - bounds.blockStart <= room && bounds.blockEnd - to <= room;
}

/** Maximum number of lines of a block's head, such as parameters on separate lines. */
const headLines = 12;

/**
 * Returns the first token of the lines that lead to a token, an opener or the first one of a line: back to where all
 * brackets in between are closed, and with the decorators before it.
 */
export function statementStart(tokens: usize, lines: usize, lineCount: u32, opener: u32): u32 {
  const last = lineOf(lines, lineCount, opener);
  let depth: i32 = 0;
  let start = opener;
  for (let line = last, n = 0; n < headLines; line--, n++) {
    const behind = start;
    start = firstToken(lines, line);
    for (let i = behind; i-- > start;) {
      const token = load<u32>(tokens + ((<usize>i) << 2));
      if (isCloser(token)) depth++;
      else if (isOpener(token)) depth--;
    }
    // An opener on a line of its own belongs to the previous line.
    if ((depth <= 0 && start < opener && relationOfBracketed(lines, line) != clauseLine) || line == 0) break;
  }
  return start;
}

/** Returns the relation of a line in a text of bracketed blocks to the line before it; 0 in other texts. */
@inline function relationOfBracketed(lines: usize, line: u32): u32 {
  const mark = load<u32>(lines + <usize>line * lineBytes, lineNumberAt) >> markShift;
  return mark & depthMask ? 0 : (mark >> relationShift) & relationMask;
}

/** Returns true if a token begins a line that continues a statement: `{`, or a declaration below its decorators. */
export function isContinued(lines: usize, lineCount: u32, token: u32): bool {
  const line = lineOf(lines, lineCount, token);
  return relationOfBracketed(lines, line) == clauseLine && firstToken(lines, line) == token;
}

/** Returns true if a token begins a line that begins a case. */
function isCase(lines: usize, lineCount: u32, token: u32): bool {
  const line = lineOf(lines, lineCount, token);
  return relationOfBracketed(lines, line) == caseLine && firstToken(lines, line) == token;
}

/** No token. */
export const noToken: u32 = 0xffffffff;

/** Finds the first and the last case of tokens [from, to) that is in no block inside of them. */
export function findCases(tokens: usize, lines: usize, lineCount: u32, from: u32, to: u32): void {
  bounds.firstCase = bounds.lastCase = noToken;
  let line = lineOf(lines, lineCount, from);
  if (firstToken(lines, line) < from) line++;
  const end = lineOf(lines, lineCount, to - 1) + 1;
  while (line < end && relationOfBracketed(lines, line) != caseLine) line++;
  if (line == end) return;
  let depth: i32 = 0,
    least: i32 = 0;
  for (let i = from; line < end; line++) {
    if (relationOfBracketed(lines, line) != caseLine) continue;
    for (const first = firstToken(lines, line); i < first; i++) {
      const token = load<u32>(tokens + ((<usize>i) << 2));
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
  // The cases are in a block that ends in the passage if a later bracket closes it.
  for (let i = bounds.lastCase; i < to; i++) {
    const token = load<u32>(tokens + ((<usize>i) << 2));
    if (isOpener(token)) depth++;
    else if (isCloser(token) && --depth < least) {
      bounds.firstCase = bounds.lastCase = noToken;
      return;
    }
  }
}

/** Returns true if a case may end before a token. */
export function endsCase(tokens: usize, tokenCount: u32, lines: usize, lineCount: u32, token: u32): bool {
  if (token >= tokenCount) return true;
  const next = load<u32>(tokens + ((<usize>token) << 2));
  return isCloser(next) || next == separator || isCase(lines, lineCount, token);
}

/** Returns true if tokens [from, to) begin and end with whole statements: with decorators, heads, and whole cases. */
export function hasWholeStatements(
  tokens: usize,
  tokenCount: u32,
  lines: usize,
  lineCount: u32,
  from: u32,
  to: u32,
): bool {
  if (isContinued(lines, lineCount, from) || (to < tokenCount && isContinued(lines, lineCount, to))) return false;
  findCases(tokens, lines, lineCount, from, to);
  return (
    bounds.firstCase == noToken || (bounds.firstCase == from && endsCase(tokens, tokenCount, lines, lineCount, to))
  );
}

/** Extends the current block to whole cases, if they end nearby. */
function encloseCases(tokens: usize, tokenCount: u32, lines: usize, lineCount: u32, from: u32, to: u32): void {
  findCases(tokens, lines, lineCount, bounds.blockStart, bounds.blockEnd);
  if (bounds.firstCase == noToken) return;
  const room = roomOfBlock(from, to);
  let depth: i32 = 0;
  for (let i = bounds.blockStart; bounds.firstCase != bounds.blockStart && i + room > from; i--) {
    if (!depth && isCase(lines, lineCount, i)) {
      bounds.blockStart = i;
      break;
    }
    if (!i) break;
    const token = load<u32>(tokens + ((<usize>(i - 1)) << 2));
    if (isCloser(token)) depth++;
    else if (token == separator || (isOpener(token) && --depth < 0)) break;
  }
  depth = 0;
  for (let i = bounds.blockEnd; i < min(tokenCount, to + room + 1); i++) {
    if (!depth && endsCase(tokens, tokenCount, lines, lineCount, i)) {
      bounds.blockEnd = i;
      break;
    }
    const token = load<u32>(tokens + ((<usize>i) << 2));
    if (isOpener(token)) depth++;
    else if (token == separator || (isCloser(token) && --depth < 0)) break;
  }
}
