/**
 * The text of long strings and heredocs: words, and in text of several lines also signs. It has the same tokens in all
 * quotes, whatever language it is in. Strings whose lines look like code are lexed as code in lex.ts.
 */
import { backslash, backtick, closeCurly, closeRound, doubleQuote, openCurly, semicolon, singleQuote } from './ascii';
import { endOfLine, isBlank, isWordAt, plainClassAt, wordLength } from './lexBytes';
import { operatorKind, stringKind } from './lexedLayout';
import { digitClass, operatorClass, punctuationClass, wordClass } from './lexiconLayout';
import { emit, emitBytes, hashBytes, lexer, markString, passLines } from './lexState';

/** Number of equal signs that a row of them is equal to, such as a rule of dashes. */
const maxSigns: usize = 4;

/**
 * Returns true if at least a third of at least six lines end with { } ; or ), as lines of code do and those of text,
 * markup, and queries do not.
 */
export function looksLikeCode(p: usize, end: usize): bool {
  let written: u32 = 0;
  let ended: u32 = 0;
  while (p < end) {
    const lineEnd = endOfLine(p, end);
    let last = lineEnd;
    while (last > p && isBlank(load<u8>(last - 1))) last--;
    if (last > p) {
      written++;
      const byte: u32 = load<u8>(last - 1);
      if (byte == openCurly || byte == closeCurly || byte == semicolon || byte == closeRound) ended++;
    }
    p = lineEnd + 1;
  }
  return written >= 6 && ended * 3 >= written;
}

export function hasWord(p: usize, end: usize): bool {
  while (p < end && !isWordAt(p)) p++;
  return p < end;
}

/**
 * Emits the tokens of the part [body, bodyEnd) of a string, which is part of the range from `p` to `stop`. The sense of
 * the string is ignored, and so are the quotes and backslashes in it, because they depend on the quotes around it. Signs
 * are operators: brackets of a text do not pair with those of the code. The first one on a line and the last one of the
 * text are strings, because such a token decides what a line or the next token is.
 */
export function lexText(body: usize, bodyEnd: usize, p: usize, stop: usize, withSigns: bool): void {
  const before = lexer.count;
  for (let q = body; q < bodyEnd;) {
    const type = plainClassAt(q);
    let length: usize = 1;
    if (type == wordClass || type == digitClass) {
      length = wordLength(q, bodyEnd);
      passLines(p, q);
      p = q;
      emit(hashBytes(q, length, 0, false), stringKind, q, length);
    } else if (withSigns && isSign(q, type)) {
      length = lengthOfRow(q, bodyEnd);
      passLines(p, q);
      p = q;
      emitBytes(q, min(length, maxSigns), lexer.marked ? operatorKind : stringKind);
    }
    q += length;
  }
  passLines(p, stop);
  if (lexer.count > before) markString();
}

function isSign(p: usize, type: u32): bool {
  if (type != punctuationClass && type != operatorClass) return false;
  const byte: u32 = load<u8>(p);
  return byte != singleQuote && byte != doubleQuote && byte != backtick && byte != backslash;
}

/** Returns the number of times that the byte at `p` is repeated. */
function lengthOfRow(p: usize, end: usize): usize {
  const byte = load<u8>(p);
  let q = p + 1;
  while (q < end && load<u8>(q) == byte) q++;
  return q - p;
}
