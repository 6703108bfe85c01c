/**
 * State of the lexer, and functions that write tokens. The state is a record in the thread's scratch memory. Positions
 * are addresses.
 */
import * as ascii from './ascii';
import * as lexed from './lexed';
import { commentsFlag, foldFlag, Lexicon } from './lexicon';
import { addressAt, itemOf, newRecord, recordBytes, setItem } from '../records';

/** State of the lexer while it lexes a segment of a text. */
@unmanaged class Lexer {
  /** Start and end of the whole text, to which the current segment belongs. */
  source: usize;
  sourceEnd: usize;
  lexicon: usize;
  /** Output arrays: the tokens, and the lines on which tokens start. */
  tokens: usize;
  starts: usize;
  lengths: usize;
  lines: usize;
  /** Number of tokens so far, number of tokens before this segment, and number of line records so far. */
  count: u32;
  segmentBase: u32;
  lineCount: u32;
  /** Number of the current line, and its start. */
  line: u32;
  lineStart: usize;
  /**
   * The separate text of the comments: addresses of its arrays, and numbers of its tokens and lines. While a comment is
   * being lexed, these fields are swapped with the corresponding fields of the code.
   */
  otherTokens: usize;
  otherStarts: usize;
  otherLengths: usize;
  otherLines: usize;
  otherCount: u32;
  otherLineCount: u32;
  /** Number of code tokens before the last comment of the separate text. */
  codeBefore: u32;
  /** End of the license at the beginning of the text, or 0 if there is none. */
  licenceEnd: usize;
  /** Position of the first heredoc opened on the current line, or 0 if there is none. */
  pendingHeredoc: usize;
  templateDepth: u32;
  /**
   * `textEnd`: end of the code, where an import ends at the latest. `importFailedTo`: end of the last failed search for
   * the end of an import. No import begins before it.
   */
  textEnd: usize;
  importFailedTo: usize;
  /** End of the last failed search for a closing quote. Attribute values before it have no closing quote. */
  valueFailedTo: usize;
  /**
   * End of the last failed search for the end of a declaration or processing instruction. No declaration or instruction
   * before this position has an end.
   */
  declarationFailedTo: usize;
  /** True if words are case-insensitive. */
  folds: bool;
  /** True if the words of comments become tokens among those of the code. */
  keepsComments: bool;
  /** True if the words of comments become tokens of a separate text. */
  splitsComments: bool;
  /** True if the current line already has a line record, because a token has started on it. */
  marked: bool;
  /** True if a character of a script without spaces was emitted. */
  blankless: bool;
  /** True while code is skipped without emitting tokens. Then the last token is not the previous one in the text. */
  isPassing: bool;
  /** True if a line break can end a statement. */
  endsWithLine: bool;
}

export let lexer = changetype<Lexer>(0);

export const lexerBytes: usize = recordBytes<Lexer>();

/**
 * Begins a segment of a text. `compiled` is the address of the lexicon; see lexicon.ts. If `comments` is null, there is
 * no separate text of the comments.
 */
export function open(
  scratch: usize,
  text: lexed.LexedText,
  compiled: usize,
  arrays: lexed.LexedArrays,
  comments: lexed.LexedArrays | null,
): void {
  lexer = newRecord<Lexer>(scratch);
  lexer.source = text.source;
  lexer.sourceEnd = text.source + text.length;
  lexer.lexicon = compiled;
  const flags = changetype<Lexicon>(compiled).flags;
  lexer.folds = (flags & foldFlag) != 0;
  lexer.keepsComments = (flags & commentsFlag) != 0;
  lexer.tokens = arrays.tokens;
  lexer.starts = arrays.starts;
  lexer.lengths = arrays.lengths;
  lexer.lines = arrays.lines;
  lexer.count = lexer.segmentBase = arrays.tokenCount;
  lexer.lineCount = arrays.lineCount;
  lexer.line = text.line;
  lexer.lineStart = lexer.source + text.lineStart;
  lexer.splitsComments = comments != null;
  if (comments == null) return;
  lexer.otherTokens = comments.tokens;
  lexer.otherStarts = comments.starts;
  lexer.otherLengths = comments.lengths;
  lexer.otherLines = comments.lines;
  lexer.otherCount = comments.tokenCount;
  lexer.otherLineCount = comments.lineCount;
  lexer.codeBefore = text.codeBefore;
}

/** Sets `marked` if a token of an earlier segment starts on the current line. */
export function resumeLine(): void {
  lexer.marked =
    lexer.lineCount > 0 &&
    (itemOf<lexed.LexedLine>(lexer.lines, lexer.lineCount - 1).number & lexed.numberMask) ==
      (lexer.line & lexed.numberMask);
}

/** Ends a segment: stores the state for the next one, and the lengths of the arrays. */
export function storeResults(
  text: lexed.LexedText,
  arrays: lexed.LexedArrays,
  comments: lexed.LexedArrays | null,
): void {
  text.line = lexer.line;
  text.lineStart = <u32>(lexer.lineStart - lexer.source);
  arrays.tokenCount = lexer.count;
  arrays.lineCount = lexer.lineCount;
  if (comments == null) return;
  text.codeBefore = lexer.codeBefore;
  comments.tokenCount = lexer.otherCount;
  comments.lineCount = lexer.otherLineCount;
}

/**
 * Directs tokens to the separate text of the comments, until `endComment` is called. If there is code between this
 * comment and the previous one, emits a separator first.
 */
export function beginComment(p: usize): void {
  const code = lexer.count;
  changePlaces();
  if (lexer.count > 0 && code != lexer.codeBefore) {
    setItem<u32>(lexer.tokens, lexer.count, lexed.separatorBits);
    setItem<u32>(lexer.starts, lexer.count, <u32>(p - lexer.source));
    setItem<u16>(lexer.lengths, lexer.count, 0);
    lexer.count++;
  }
  lexer.codeBefore = code;
}

export function endComment(): void {
  changePlaces();
}

function changePlaces(): void {
  let place = lexer.tokens;
  lexer.tokens = lexer.otherTokens;
  lexer.otherTokens = place;
  place = lexer.starts;
  lexer.starts = lexer.otherStarts;
  lexer.otherStarts = place;
  place = lexer.lengths;
  lexer.lengths = lexer.otherLengths;
  lexer.otherLengths = place;
  place = lexer.lines;
  lexer.lines = lexer.otherLines;
  lexer.otherLines = place;
  let number = lexer.count;
  lexer.count = lexer.otherCount;
  lexer.otherCount = number;
  number = lexer.lineCount;
  lexer.lineCount = lexer.otherLineCount;
  lexer.otherLineCount = number;
  resumeLine();
}

@inline export function emit(hash: u32, kind: u32, start: usize, length: usize): void {
  if (!lexer.marked) markLine();
  const token = lexer.count;
  setItem<u32>(lexer.tokens, token, (hash << lexed.kindBits) | kind);
  setItem<u32>(lexer.starts, token, <u32>(start - lexer.source));
  setItem<u16>(lexer.lengths, token, <u16>(length < 65535 ? length : 65535));
  lexer.count = token + 1;
}

function markLine(): void {
  const record = itemOf<lexed.LexedLine>(lexer.lines, lexer.lineCount);
  record.token = lexer.count;
  record.number = lexer.line;
  record.offset = <u32>(lexer.lineStart - lexer.source);
  lexer.lineCount++;
  lexer.marked = true;
}

/** Marks the current line as the beginning of an item: see `itemMark`. Does nothing if no token starts on it. */
export function markItem(): void {
  if (lexer.marked && lexer.line < <u32>lexed.maxMarkedLines)
    itemOf<lexed.LexedLine>(lexer.lines, lexer.lineCount - 1).number |= lexed.itemMark << lexed.markShift;
}

/**
 * Returns the index of the first token that this segment has on the current line. Returns `count` if there is no such
 * token yet.
 */
export function firstTokenOfLine(): u32 {
  return lexer.marked
    ? max(itemOf<lexed.LexedLine>(lexer.lines, lexer.lineCount - 1).token, lexer.segmentBase)
    : lexer.count;
}

/**
 * Returns true if the last line with tokens is complete: its brackets are balanced, and it does not begin with a
 * string.
 */
export function lastLineIsWhole(): bool {
  const first = max(itemOf<lexed.LexedLine>(lexer.lines, lexer.lineCount - 1).token, lexer.segmentBase);
  if ((tokenWord(first) & lexed.kindMask) == lexed.stringKind) return false;
  let nesting = 0;
  for (let token = first; token < lexer.count; token++) {
    if ((tokenWord(token) & lexed.kindMask) != lexed.punctuationKind) continue;
    const byte: u32 = load<u8>(tokenStart(token));
    if (byte == ascii.openRound || byte == ascii.openSquare || byte == ascii.openCurly) nesting++;
    else if (byte == ascii.closeRound || byte == ascii.closeSquare || byte == ascii.closeCurly) nesting--;
  }
  return nesting == 0;
}

/** Removes the tokens that this segment has on the current line. */
export function dropLine(): void {
  if (!lexer.marked) return;
  lexer.count = firstTokenOfLine();
  if (itemOf<lexed.LexedLine>(lexer.lines, lexer.lineCount - 1).token < lexer.count) return;
  lexer.lineCount--;
  lexer.marked = false;
}

export function tokenWord(token: u32): u32 {
  return itemOf<u32>(lexer.tokens, token);
}

export function tokenStart(token: u32): usize {
  return lexer.source + itemOf<u32>(lexer.starts, token);
}

@inline export function beginLine(start: usize): void {
  lexer.line++;
  lexer.lineStart = start;
  lexer.marked = false;
}

/** Counts the line breaks from `p` to `end`: LF, CRLF, and CR. */
export function passLines(p: usize, end: usize): void {
  const lineFeeds = i8x16.splat(<i8>ascii.lineFeed);
  const returns = i8x16.splat(<i8>ascii.carriageReturn);
  while (p < end) {
    const bytes = v128.load(p);
    const left = <u32>(end - p);
    const here = left < 16 ? (1 << left) - 1 : 0xffff;
    let ends = i8x16.bitmask(i8x16.eq(bytes, lineFeeds));
    let alone = i8x16.bitmask(i8x16.eq(bytes, returns)) & here;
    if (alone) {
      // Count a CRLF at its line feed, which may be in the next 16 bytes.
      alone &= ~(ends >> 1);
      if (alone & 0x8000 && p + 16 < lexer.sourceEnd && load<u8>(p, 16) == ascii.lineFeed) alone &= 0x7fff;
      ends |= alone;
    }
    ends &= here;
    if (ends) {
      lexer.line += popcnt(ends);
      lexer.lineStart = p + 32 - clz(ends);
      lexer.marked = false;
    }
    p += 16;
  }
}

// Hash function. It begins with the length, and then processes 16 bytes at a time: multiply and fold, with odd
// constants from the fractional bits of √2, √3, √5, and √7. The last block is padded with zeros. `hashBytes` in
// src/core/engine/languages/hashBytes.ts computes the same hash.
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

/** 16 bytes of 255, followed by 16 bytes of 0. The vector at offset 16 − n is a mask that keeps n bytes. */
const keepMasks: usize = memory.data<u64>([-1, -1, 0, 0]);

/** Returns the first `length` bytes at `p`, padded with zeros to 16 bytes. `length` is at most 16. */
@inline export function loadPart(p: usize, length: usize): v128 {
  return v128.and(v128.load(p), v128.load(keepMasks + 16 - length));
}

/** Converts ASCII letters to lowercase. */
@inline export function foldAscii(bytes: v128): v128 {
  const capitals = i8x16.lt_u(i8x16.sub(bytes, i8x16.splat(<i8>ascii.capitalA)), i8x16.splat(26));
  return v128.or(bytes, v128.and(capitals, i8x16.splat(<i8>ascii.caseBit)));
}

/** Returns the 28-bit hash of `length` bytes at `p`. */
export function hashBytes(p: usize, length: usize, seed: u32): u32 {
  let hash = hashStart(length, seed);
  for (const end = p + length; p < end; p += 16) {
    const bytes = loadPart(p, min<usize>(end - p, 16));
    hash = hashBlock(hash, i64x2.extract_lane(bytes, 0), i64x2.extract_lane(bytes, 1));
  }
  return hashEnd(hash);
}

/**
 * Returns the hash of a word, with seed 0. If the language ignores case, the hash ignores the case of ASCII letters.
 */
export function hashWord(p: usize, length: usize): u32 {
  if (!lexer.folds) return hashBytes(p, length, 0);
  let hash = hashStart(length, 0);
  for (const end = p + length; p < end; p += 16) {
    const bytes = foldAscii(loadPart(p, min<usize>(end - p, 16)));
    hash = hashBlock(hash, i64x2.extract_lane(bytes, 0), i64x2.extract_lane(bytes, 1));
  }
  return hashEnd(hash);
}

/** Returns the meaning of a word in the lexicon, by its hash. Returns 0 for a plain identifier. */
@inline export function meaningOf(hash: u32): i32 {
  const table = lexer.lexicon + changetype<Lexicon>(lexer.lexicon).words;
  const mask = changetype<Lexicon>(lexer.lexicon).wordMask;
  let slot = hash & mask;
  let entry = itemOf<u32>(table, slot);
  while (entry != 0 && entry >> 4 != hash) {
    slot = (slot + 1) & mask;
    entry = itemOf<u32>(table, slot);
  }
  return <i32>(entry & 15);
}

/** Appends a token that has at most 8 bytes. */
@inline export function emitBytes(p: usize, length: usize, kind: u32): void {
  const low = load<u64>(p) & (~(<u64>0) >> ((8 - length) << 3));
  emit(hashEnd(hashBlock(hashStart(length, 0), low, 0)), kind, p, length);
}

/** Changes the kind of the last token to string. */
export function markString(): void {
  const token = addressAt<u32>(lexer.tokens, lexer.count - 1);
  store<u32>(token, (load<u32>(token) & ~lexed.kindMask) | lexed.stringKind);
}
