/**
 * HTML, XML, and related languages: prose between tags, and names and strings inside tags. Names of tags and attributes
 * are keywords, because the markup language defines them. Comments, declarations, and processing instructions are
 * skipped.
 */
import * as ascii from './ascii';
import { keywordKind, numberKind, operatorKind, stringKind, wordKind } from './lexed';
import { endOfLine, find, isAsciiLetter, isDigit, isLineEnd, isWordAt, wordLength } from './lexBytes';
import { passComment } from './lexComments';
import { afterEntity, endOfMarkupComment, lexCharacter, lexProseWord, lexWordsOf } from './lexProse';
import { beginLine, emit, hashBytes, hashWord, lexer, passLines } from './lexState';
import { characterDataStart, commentStart, declarationEnd, instructionEnd } from './loadedWords';

/** Maximum length in bytes of an attribute value that becomes one token. */
const maxValueToken: usize = 80;

export function lexMarkup(p: usize, end: usize): void {
  while (p < end) {
    const byte: u32 = load<u8>(p);
    if (byte == ascii.lessThan) {
      p = lexMarkupOpening(p, end);
    } else if (isAsciiLetter(byte) || isDigit(byte)) {
      p = lexProseWord(p, end, wordKind);
    } else if (byte >= ascii.nonAscii) {
      p = lexCharacter(p, end, wordKind);
    } else if (byte == ascii.ampersand) {
      p = afterEntity(p, end);
    } else if (isLineEnd(byte)) {
      p = passMarkupLineEnd(p);
    } else {
      p++;
    }
  }
}

function passMarkupLineEnd(p: usize): usize {
  const crlf = load<u8>(p) == ascii.carriageReturn && p + 1 < lexer.sourceEnd && load<u8>(p, 1) == ascii.lineFeed;
  if (!crlf) beginLine(p + 1);
  return p + 1;
}

/**
 * Lexes the markup that the < at `p` begins: a comment, declaration, character data, or tag. Otherwise, the < is an
 * ordinary character.
 */
function lexMarkupOpening(p: usize, end: usize): usize {
  const next: u32 = p + 1 < end ? load<u8>(p, 1) : 0;
  if (next == ascii.exclamationMark && p + 4 <= end && load<u32>(p) == commentStart) {
    const stop = endOfMarkupComment(p + 4, end);
    passComment(p, stop);
    return stop;
  }
  // Skip <![CDATA[. The text after it is lexed like any other text, and its end ]]> contains no words.
  if (next == ascii.exclamationMark && p + 9 <= end && load<u64>(p) == characterDataStart) return p + 9;
  if (next == ascii.exclamationMark || next == ascii.questionMark) {
    const stop = endOfDeclaration(p, end);
    passLines(p, stop);
    return stop;
  }
  const closing = next == ascii.slash;
  const name = closing ? p + 2 : p + 1;
  if (name >= end || !isAsciiLetter(load<u8>(name))) return p + 1;
  emit(hashBytes(p, name - p, 0), operatorKind, p, name - p);
  return lexTag(name, end);
}

/**
 * Returns the end of a declaration <!…>, which may contain a list in brackets, or of <?…?>. If it is not closed,
 * returns the position after the next >.
 */
function endOfDeclaration(p: usize, end: usize): usize {
  const close = find(ascii.greaterThan, p, end);
  if (p < lexer.declarationFailedTo) return close;
  let closing: u32 = instructionEnd;
  if (load<u8>(p, 1) == ascii.exclamationMark) {
    if (find(ascii.openSquare, p, close) == close) return close;
    closing = declarationEnd;
  }
  for (let q = find(closing & 255, p, end); q + 1 < end; q = find(closing & 255, q + 1, end)) {
    if (<u32>load<u16>(q) == closing) return q + 1;
  }
  lexer.declarationFailedTo = end;
  return close;
}

/**
 * Lexes a tag from its name to the > that closes it. A > in braces does not close the tag, as in Svelte's on:click={()
 * => a}.
 */
function lexTag(p: usize, end: usize): usize {
  let braces = 0;
  while (p < end) {
    const byte: u32 = load<u8>(p);
    if (byte == ascii.openCurly) braces++;
    else if (byte == ascii.closeCurly) braces--;
    if (
      (byte == ascii.greaterThan && braces <= 0) ||
      (byte == ascii.slash && p + 1 < end && load<u8>(p, 1) == ascii.greaterThan)
    ) {
      const length: usize = byte == ascii.greaterThan ? 1 : 2;
      emit(hashBytes(p, length, 0), operatorKind, p, length);
      return p + length;
    }
    // If another tag begins here, the > of this one is missing.
    if (byte == ascii.lessThan) return p;
    if (isLineEnd(byte)) {
      p = passMarkupLineEnd(p);
    } else if (byte <= ascii.space) {
      p++;
    } else if (byte == ascii.doubleQuote || byte == ascii.singleQuote) {
      p = lexValue(p, end);
    } else if (isWordAt(p)) {
      const length = wordLength(p, end);
      emit(hashWord(p, length), isDigit(byte) ? numberKind : keywordKind, p, length);
      p += length;
    } else {
      emit(hashBytes(p, 1, 0), operatorKind, p, 1);
      p++;
    }
  }
  return p;
}

/** Lexes the quoted value at `p`. A short value becomes one token; a long or multiline value is split into words. */
function lexValue(p: usize, end: usize): usize {
  const quote: u32 = load<u8>(p);
  let close = p < lexer.valueFailedTo ? end : find(quote, p + 1, end);
  if (close == end) {
    // Let an unclosed value end at the end of its line.
    lexer.valueFailedTo = end;
    close = endOfLine(p, end);
    emit(hashBytes(p + 1, close - p - 1, 0), stringKind, p, close - p);
    return close;
  }
  const lineEnd = endOfLine(p, close);
  if (close - p - 1 <= maxValueToken && lineEnd == close) {
    emit(hashBytes(p + 1, close - p - 1, 0), stringKind, p, close + 1 - p);
    return close + 1;
  }
  const before = lexer.count;
  lexWordsOf(p + 1, close, stringKind);
  if (lexer.count == before) emit(hashBytes(p + 1, close - p - 1, 0), stringKind, close, 1);
  return close + 1;
}
