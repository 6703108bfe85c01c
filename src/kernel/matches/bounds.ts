// Where passages should begin and end: at lines, at the blocks that brackets make, at paragraphs. Nothing here knows a
// language; what is asked of a text are its tokens, the words of the six brackets, and where its lines begin.
import { lineBytes, lineNumberAt, lineTokenAt } from '../documents/placesLayout';
import {
  closeCurlyAt,
  closeRoundAt,
  closeSquareAt,
  openCurlyAt,
  openRoundAt,
  openSquareAt,
  semicolonAt,
} from './settingsLayout';
import { separator } from '../documents/separators';

let openRound: u32 = 0;
let openSquare: u32 = 0;
let openCurly: u32 = 0;
let closeRound: u32 = 0;
let closeSquare: u32 = 0;
let closeCurly: u32 = 0;
let semicolon: u32 = 0;

/** @param words  of the tokens ( [ { ) ] } ; */
export function setBrackets(words: usize): void {
  openRound = load<u32>(words, openRoundAt);
  openSquare = load<u32>(words, openSquareAt);
  openCurly = load<u32>(words, openCurlyAt);
  closeRound = load<u32>(words, closeRoundAt);
  closeSquare = load<u32>(words, closeSquareAt);
  closeCurly = load<u32>(words, closeCurlyAt);
  semicolon = load<u32>(words, semicolonAt);
}

@inline export function isOpener(token: u32): bool {
  return token == openRound || token == openSquare || token == openCurly;
}

@inline export function isCloser(token: u32): bool {
  return token == closeRound || token == closeSquare || token == closeCurly;
}

/** Whether a statement may begin behind the token: { } or ; */
@inline export function endsStatement(token: u32): bool {
  return token == openCurly || token == closeCurly || token == semicolon;
}

@inline function firstToken(lines: usize, line: u32): u32 {
  return load<u32>(lines + <usize>line * lineBytes, lineTokenAt);
}

@inline function lineNumber(lines: usize, line: u32): u32 {
  return load<u32>(lines + <usize>line * lineBytes, lineNumberAt);
}

/** The line that a token is on. */
function lineOf(lines: usize, lineCount: u32, token: u32): u32 {
  let low: u32 = 0,
    high = lineCount;
  while (low + 1 < high) {
    const middle = (low + high) >> 1;
    if (firstToken(lines, middle) <= token) low = middle;
    else high = middle;
  }
  return low;
}

/** Behind the last token of a line. What parts its text from the next one is on no line. */
@inline function lineEnd(tokens: usize, tokenCount: u32, lines: usize, lineCount: u32, line: u32): u32 {
  let end = line + 1 < lineCount ? firstToken(lines, line + 1) : tokenCount;
  while (load<u32>(tokens + ((<usize>(end - 1)) << 2)) == separator) end--;
  return end;
}

/** The first token of the line behind that of a token; `tokenCount` behind the last line. */
export function nextLineStart(lines: usize, lineCount: u32, tokenCount: u32, token: u32): u32 {
  const next = lineOf(lines, lineCount, token) + 1;
  return next < lineCount ? firstToken(lines, next) : tokenCount;
}

/** Where a passage that begins at a token had better begin: there, or at the next line if most of its line lies before. */
export function nearestLineStart(tokens: usize, tokenCount: u32, lines: usize, lineCount: u32, token: u32): u32 {
  const line = lineOf(lines, lineCount, token);
  const end = lineEnd(tokens, tokenCount, lines, lineCount, line);
  return (token - firstToken(lines, line)) * 2 > end - token ? end : token;
}

/** Where a passage that ends before a token had better end: there, or before its last line if most of that lies behind. */
export function nearestLineEnd(tokens: usize, tokenCount: u32, lines: usize, lineCount: u32, token: u32): u32 {
  const line = lineOf(lines, lineCount, token - 1);
  const start = firstToken(lines, line);
  return (lineEnd(tokens, tokenCount, lines, lineCount, line) - token) * 2 > token - start ? start : token;
}

/** What `takeBlock` or `paragraphAround` found: tokens [blockStart, blockEnd). */
export let blockStart: u32 = 0;
export let blockEnd: u32 = 0;

/** A paragraph may add as many tokens at either end as the passage has, a block half as many more, either so many to a short one. */
const leastRoom: u32 = 40;

/** Blocks around a passage that are looked for, one around the other: see `blocksAround`. */
export const widestBlock: i32 = 2;
/** What `blocksAround` writes of each level: the token that opens the block, and where it ends. */
const blockOpenerAt: usize = 0;
const blockEndAt: usize = 4;
/** Bytes of it. */
export const blocksBytes: usize = (<usize>widestBlock) << 3;
const noBlock: u32 = 0xffffffff;

/**
 * The blocks around tokens [from, to), from the token that opens each to behind the one that closes it. Level 1 is the
 * passage with all brackets closed that it opens, and opened that it closes; each level more takes in one block around that.
 */
export function blocksAround(tokens: usize, tokenCount: u32, from: u32, to: u32, blocks: usize): void {
  for (let level: i32 = 0; level < widestBlock; level++) store<u64>(blocks + ((<usize>level) << 3), 0xffffffffffffffff);
  countBrackets(tokens + ((<usize>from) << 2), to - from);
  const room = roomOfBlock(from, to);
  findOpeners(tokens, from, from > room ? from - room - 1 : 0, blocks);
  if (load<u32>(blocks, blockOpenerAt) == noBlock) return;
  findClosers(tokens, to, min(tokenCount, to + room + 1), blocks);
}

/** Takes a block that `blocksAround` has found, with the statement that opens it. False if there is none near. */
export function takeBlock(tokens: usize, lines: usize, lineCount: u32, from: u32, blocks: usize, level: i32): bool {
  const block = blocks + ((<usize>(level - 1)) << 3);
  const opener = load<u32>(block, blockOpenerAt);
  blockEnd = load<u32>(block, blockEndAt);
  if (opener == noBlock || blockEnd == noBlock) return false;
  blockStart = opener < from ? statementStart(tokens, lines, lineCount, opener) : from;
  return true;
}

// What `countBrackets` found: brackets that a passage closes and has not opened, and that it opens and does not close.
let unopened: i32 = 0;
let unclosed: i32 = 0;

// Four tokens at a time without branches: which token is a bracket cannot be foreseen. Tokens behind the end are read, and
// not counted.
function countBrackets(tokens: usize, count: u32): void {
  let depths = i32x4.splat(0),
    least = i32x4.splat(0);
  for (let i: u32 = 0; i < count; i += 4, tokens += 16) {
    const words = v128.load(tokens);
    const counted = i32x4.lt_s(i32x4(0, 1, 2, 3), i32x4.splat(count - i));
    const steps = v128.and(i32x4.sub(closers(words), openers(words)), counted);
    // Sums over the lanes before and with each, behind the depth so far.
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
  unopened = -lowest;
  unclosed = i32x4.extract_lane(depths, 3) - lowest;
}

/** Lanes of all ones where a token opens. */
@inline function openers(words: v128): v128 {
  return v128.or(
    v128.or(i32x4.eq(words, i32x4.splat(openRound)), i32x4.eq(words, i32x4.splat(openSquare))),
    i32x4.eq(words, i32x4.splat(openCurly)),
  );
}

@inline function closers(words: v128): v128 {
  return v128.or(
    v128.or(i32x4.eq(words, i32x4.splat(closeRound)), i32x4.eq(words, i32x4.splat(closeSquare))),
    i32x4.eq(words, i32x4.splat(closeCurly)),
  );
}

/** Writes of each level where the last of its missing openers is, going back from `from` to `least`: the brackets of four tokens at a time. */
function findOpeners(tokens: usize, from: u32, least: u32, blocks: usize): void {
  if (!unopened) store<u32>(blocks, from, blockOpenerAt);
  let depth: i32 = 0,
    found: i32 = 0;
  for (let left = <i32>(from - least), at = tokens + ((<usize>from) << 2) - 16; left > 0; left -= 4, at -= 16) {
    const words = v128.load(at);
    const opening = i32x4.bitmask(openers(words));
    // Of the last four those behind `least` count.
    let brackets = (opening | i32x4.bitmask(closers(words))) & (15 << max(0, 4 - left));
    // So many openers cannot be without a closer.
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
        const level = ++found - unopened;
        if (level < 0) continue;
        store<u32>(blocks + ((<usize>level) << 3), least + left - 4 + lane, blockOpenerAt);
        if (level + 1 == widestBlock) return;
      }
    }
  }
}

/** The same of closers going on from `to` to before `most`: each block ends behind its closer. */
function findClosers(tokens: usize, to: u32, most: u32, blocks: usize): void {
  if (!unclosed) store<u32>(blocks, to, blockEndAt);
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
        const level = ++found - unclosed;
        if (level < 0) continue;
        store<u32>(blocks + ((<usize>level) << 3), most - left + lane + 1, blockEndAt);
        if (level + 1 == widestBlock) return;
      }
    }
  }
}

/** How far beyond tokens [from, to), from which an open statement may have been cut, the block around them may reach. */
function roomOfBlock(from: u32, to: u32): u32 {
  return max(leastRoom, ((to - from) * 3) >> 1);
}

/** How far beyond tokens [from, to) the paragraph around them may reach. */
export function roomAround(from: u32, to: u32): u32 {
  return max(leastRoom, to - from);
}

/**
 * The paragraphs that tokens [from, to) are in: lines without a blank one between them. False if they reach farther than
 * `room`.
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
  blockStart = firstToken(lines, first);
  blockEnd = lineEnd(tokens, tokenCount, lines, lineCount, last);
  return from - blockStart <= room && blockEnd - to <= room;
}

/** Lines that the head of a block may take: names of parameters, one on a line. */
const headLines = 12;

/** The first token of the lines that lead to an opener: back to where all brackets between are closed. */
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
    // An opener on a line of its own belongs to the line before it.
    if ((depth <= 0 && start < opener) || line == 0) break;
  }
  return start;
}
