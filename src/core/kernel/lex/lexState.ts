/**
 * State of the lexer, and its output of tokens. The state is in globals of the instance, so each thread has its own.
 * The shared memory contains only sources, lexicons, and results. Positions are addresses.
 */
import {
  capitalA,
  carriageReturn,
  caseBit,
  closeCurly,
  closeRound,
  closeSquare,
  lineFeed,
  openCurly,
  openRound,
  openSquare,
} from './ascii';
import {
  kindBits,
  kindMask,
  punctuationKind,
  stringKind,
  codeBeforeAt,
  commentLengthsAt,
  commentLineCountAt,
  commentLinesAt,
  commentStartsAt,
  commentTokenCountAt,
  commentTokensAt,
  lexedLineBytes,
  lexedNumberAt,
  lexedOffsetAt,
  lexedTokenAt,
  resultLineAt,
  resultLinesAt,
  resultOffsetAt,
  resultTokensAt,
  separatorBits,
} from './lexedLayout';
import { commentsFlag, foldFlag, flagsAt, wordMaskAt, wordsAt } from './lexiconLayout';

/** Start and end of the whole text, regardless of the current segment. */
export let source: usize = 0;
export let sourceEnd: usize = 0;
export let lexicon: usize = 0;
/** True if words are case-insensitive. */
export let folds: bool = false;
/** True if the words of comments are emitted among the tokens of the code. */
export let keepsComments: bool = false;
/** True if the words of comments are emitted as a separate text. */
export let splitsComments: bool = false;

let tokens: usize = 0;
let starts: usize = 0;
let lengths: usize = 0;
let lines: usize = 0;
/** Number of tokens so far, tokens before this segment, and number of line records so far. */
export let count: u32 = 0;
export let segmentBase: u32 = 0;
export let lineCount: u32 = 0;
/** The current line, and its start. */
export let line: u32 = 0;
export let lineStart: usize = 0;
/** True if a token has started on the current line. */
export let marked: bool = false;

/** True if a character of a script without spaces was emitted. */
export let blankless: bool = false;

export function noteBlankless(): void {
  blankless = true;
}

export function open(text: usize, length: u32, compiled: usize): void {
  blankless = false;
  source = text;
  sourceEnd = text + length;
  lexicon = compiled;
  const flags = load<u32>(compiled, flagsAt);
  folds = (flags & foldFlag) != 0;
  keepsComments = (flags & commentsFlag) != 0;
}

export function openResults(
  tokenWords: usize,
  tokenStarts: usize,
  tokenLengths: usize,
  lineRecords: usize,
  result: usize,
  tokenBase: u32,
): void {
  tokens = tokenWords;
  starts = tokenStarts;
  lengths = tokenLengths;
  lines = lineRecords;
  count = segmentBase = tokenBase;
  lineCount = load<u32>(result, resultLinesAt);
  line = load<u32>(result, resultLineAt);
  lineStart = source + load<u32>(result, resultOffsetAt);
}

/** Determines whether the current line already has a token from an earlier segment. */
export function resumeLine(): void {
  marked = lineCount > 0 && load<u32>(lines + (lineCount - 1) * lexedLineBytes, lexedNumberAt) == line;
}

export function storeResults(result: usize): void {
  store<u32>(result, count, resultTokensAt);
  store<u32>(result, lineCount, resultLinesAt);
  store<u32>(result, line, resultLineAt);
  store<u32>(result, <u32>(lineStart - source), resultOffsetAt);
}

// The text of the comments: addresses of its tokens and line records, and their numbers, as for the code above. While
// the words of a comment are emitted, the two are swapped.
let otherTokens: usize = 0;
let otherStarts: usize = 0;
let otherLengths: usize = 0;
let otherLines: usize = 0;
let otherCount: u32 = 0;
let otherLineCount: u32 = 0;
/** Number of code tokens before the last comment. */
let codeBefore: u32 = 0;

/**
 * Resumes the text of the comments where the previous segment ended: see lexedLayout.ts. There is none if `comments` is
 * 0.
 */
export function openComments(comments: usize): void {
  splitsComments = comments != 0;
  if (!splitsComments) return;
  otherTokens = load<u32>(comments, commentTokensAt);
  otherStarts = load<u32>(comments, commentStartsAt);
  otherLengths = load<u32>(comments, commentLengthsAt);
  otherLines = load<u32>(comments, commentLinesAt);
  otherCount = load<u32>(comments, commentTokenCountAt);
  otherLineCount = load<u32>(comments, commentLineCountAt);
  codeBefore = load<u32>(comments, codeBeforeAt);
}

export function storeComments(comments: usize): void {
  if (!splitsComments) return;
  store<u32>(comments, otherCount, commentTokenCountAt);
  store<u32>(comments, otherLineCount, commentLineCountAt);
  store<u32>(comments, codeBefore, codeBeforeAt);
}

/** Switches to the tokens of the comment at `p`, until `endComment`. If code precedes it, the comment is separate. */
export function beginComment(p: usize): void {
  const code = count;
  changePlaces();
  if (count > 0 && code != codeBefore) {
    store<u32>(tokens + ((<usize>count) << 2), separatorBits);
    store<u32>(starts + ((<usize>count) << 2), <u32>(p - source));
    store<u16>(lengths + ((<usize>count) << 1), 0);
    count++;
  }
  codeBefore = code;
}

export function endComment(): void {
  changePlaces();
}

function changePlaces(): void {
  let place = tokens;
  tokens = otherTokens;
  otherTokens = place;
  place = starts;
  starts = otherStarts;
  otherStarts = place;
  place = lengths;
  lengths = otherLengths;
  otherLengths = place;
  place = lines;
  lines = otherLines;
  otherLines = place;
  let number = count;
  count = otherCount;
  otherCount = number;
  number = lineCount;
  lineCount = otherLineCount;
  otherLineCount = number;
  resumeLine();
}

@inline export function emit(hash: u32, kind: u32, start: usize, length: usize): void {
  if (!marked) markLine();
  const token = count;
  store<u32>(tokens + ((<usize>token) << 2), (hash << kindBits) | kind);
  store<u32>(starts + ((<usize>token) << 2), <u32>(start - source));
  store<u16>(lengths + ((<usize>token) << 1), <u16>(length < 65535 ? length : 65535));
  count = token + 1;
}

function markLine(): void {
  const record = lines + lineCount * lexedLineBytes;
  store<u32>(record, count, lexedTokenAt);
  store<u32>(record, line, lexedNumberAt);
  store<u32>(record, <u32>(lineStart - source), lexedOffsetAt);
  lineCount++;
  marked = true;
}

/** Returns the number of the first token of the current line in this segment, or `count` if there is none yet. */
export function firstTokenOfLine(): u32 {
  return marked ? max(load<u32>(lines + (lineCount - 1) * lexedLineBytes, lexedTokenAt), segmentBase) : count;
}

/** Returns true if the last line with tokens does not begin with a string, and its brackets are balanced. */
export function lastLineIsWhole(): bool {
  const first = max(load<u32>(lines + (lineCount - 1) * lexedLineBytes, lexedTokenAt), segmentBase);
  if ((tokenWord(first) & kindMask) == stringKind) return false;
  let nesting = 0;
  for (let token = first; token < count; token++) {
    if ((tokenWord(token) & kindMask) != punctuationKind) continue;
    const byte: u32 = load<u8>(tokenStart(token));
    if (byte == openRound || byte == openSquare || byte == openCurly) nesting++;
    else if (byte == closeRound || byte == closeSquare || byte == closeCurly) nesting--;
  }
  return nesting == 0;
}

/** Removes the tokens of the current line in this segment. */
export function dropLine(): void {
  if (!marked) return;
  count = firstTokenOfLine();
  if (load<u32>(lines + (lineCount - 1) * lexedLineBytes, lexedTokenAt) < count) return;
  lineCount--;
  marked = false;
}

export function tokenWord(token: u32): u32 {
  return load<u32>(tokens + ((<usize>token) << 2));
}

export function tokenStart(token: u32): usize {
  return source + load<u32>(starts + ((<usize>token) << 2));
}

/** Begins a new line at `start`. */
@inline export function beginLine(start: usize): void {
  line++;
  lineStart = start;
  marked = false;
}

/** Counts the line ends from `p` to `end`: LF, CRLF, and CR alone. */
export function passLines(p: usize, end: usize): void {
  const lineFeeds = i8x16.splat(<i8>lineFeed);
  const returns = i8x16.splat(<i8>carriageReturn);
  while (p < end) {
    const bytes = v128.load(p);
    const left = <u32>(end - p);
    const here = left < 16 ? (1 << left) - 1 : 0xffff;
    let ends = i8x16.bitmask(i8x16.eq(bytes, lineFeeds));
    let alone = i8x16.bitmask(i8x16.eq(bytes, returns)) & here;
    if (alone) {
      // A carriage return before a line feed is counted with the line feed, wherever that is.
      alone &= ~(ends >> 1);
      if (alone & 0x8000 && p + 16 < sourceEnd && load<u8>(p, 16) == lineFeed) alone &= 0x7fff;
      ends |= alone;
    }
    ends &= here;
    if (ends) {
      line += popcnt(ends);
      lineStart = p + 32 - clz(ends);
      marked = false;
    }
    p += 16;
  }
}

// Hashing: 16 bytes at a time, zero-padded; the length is hashed first. Multiply and fold, with odd constants from the
// fractional bits of √2, √3, √5 and √7. The same function is `hashBytes` in src/core/engine/languages/hashBytes.ts.
const k1: u64 = 0x6a09e667f3bcc909;
const k2: u64 = 0xbb67ae8584caa73b;
const k3: u64 = 0x3c6ef372fe94f82b;
const k4: u64 = 0xa54ff53a5f1d36f1;

@inline export function hashStart(length: usize, seed: u32): u64 {
  return ((<u64>seed) << 32) | (<u64>length);
}

@inline export function hashBlock(hash: u64, low: u64, high: u64): u64 {
  hash ^= (low * k1) ^ rotl<u64>(high * k2, 31);
  return (hash ^ (hash >> 32)) * k3;
}

@inline export function hashEnd(hash: u64): u32 {
  return <u32>(((hash ^ (hash >> 29)) * k4) >> 36);
}

/** 16 bytes of 255, then 16 of 0: loaded at 16 − n, it masks n bytes. */
const keepMasks: usize = memory.data<u64>([-1, -1, 0, 0]);

/** Returns the first `length` bytes at `p`, at most 16, zero-padded. */
@inline export function loadPart(p: usize, length: usize): v128 {
  return v128.and(v128.load(p), v128.load(keepMasks + 16 - length));
}

/** Converts ASCII letters to lowercase. */
@inline export function foldAscii(bytes: v128): v128 {
  const capitals = i8x16.lt_u(i8x16.sub(bytes, i8x16.splat(<i8>capitalA)), i8x16.splat(26));
  return v128.or(bytes, v128.and(capitals, i8x16.splat(<i8>caseBit)));
}

/** Returns the 28-bit hash of `length` bytes at `p`. */
export function hashBytes(p: usize, length: usize, seed: u32, fold: bool): u32 {
  let hash = hashStart(length, seed);
  for (let left: usize = length; left > 0;) {
    const part: usize = left < 16 ? left : 16;
    let bytes = loadPart(p, part);
    if (fold) bytes = foldAscii(bytes);
    hash = hashBlock(hash, i64x2.extract_lane(bytes, 0), i64x2.extract_lane(bytes, 1));
    p += part;
    left -= part;
  }
  return hashEnd(hash);
}

/** Returns the meaning of the word with this hash in the lexicon; 0 for a plain identifier. */
@inline export function meaningOf(hash: u32): i32 {
  const table = lexicon + load<u32>(lexicon, wordsAt);
  const mask = load<u32>(lexicon, wordMaskAt);
  let slot = hash & mask;
  let entry = load<u32>(table + (slot << 2));
  while (entry != 0 && entry >> 4 != hash) {
    slot = (slot + 1) & mask;
    entry = load<u32>(table + (slot << 2));
  }
  return <i32>(entry & 15);
}

/** Appends a token of at most 8 bytes. */
@inline export function emitBytes(p: usize, length: usize, kind: u32): void {
  const low = load<u64>(p) & (~(<u64>0) >> ((8 - length) << 3));
  emit(hashEnd(hashBlock(hashStart(length, 0), low, 0)), kind, p, length);
}
