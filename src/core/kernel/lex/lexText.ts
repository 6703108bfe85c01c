/**
 * Lexes the text in long strings and heredocs: its words and, if it has several lines, its punctuation. The tokens do
 * not depend on the language or on the quotes around the text. If the lines of a string look like code, lex.ts lexes
 * them as code instead.
 */
import * as ascii from './ascii';
import { endOfLine, isBlank, isWordAt, plainClassAt, wordLength } from './lexBytes';
import { kindMask, operatorKind, punctuationKind, stringKind } from './lexedLayout';
import { digitClass, operatorClass, punctuationClass, wordClass } from './lexiconLayout';
import { emit, emitBytes, hashBytes, lexer, markString, passLines } from './lexState';
import { itemOf, setItem } from '../records';

/** Maximum length of a row of equal signs. A longer row, such as a rule of dashes, counts as a row of this length. */
const maxSigns: usize = 4;

/**
 * Returns true if the text has at least six lines, and at least a third of them end with { } ; or ) as in code. Prose,
 * markup, and queries rarely look like this.
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
      if (byte == ascii.openCurly || byte == ascii.closeCurly || byte == ascii.semicolon || byte == ascii.closeRound)
        ended++;
    }
    p = lineEnd + 1;
  }
  return written >= 6 && ended * 3 >= written;
}

/**
 * Returns true if the tokens from `from` on have as many closing brackets of each kind as opening ones, and none before
 * its opening one.
 */
export function hasPairs(from: u32): bool {
  let rounds: i32 = 0,
    squares: i32 = 0,
    curlies: i32 = 0;
  for (let i = from; i < lexer.count; i++) {
    const bracket = bracketAt(i);
    if (bracket == ascii.openRound) rounds++;
    else if (bracket == ascii.openSquare) squares++;
    else if (bracket == ascii.openCurly) curlies++;
    else if (bracket == ascii.closeRound) rounds--;
    else if (bracket == ascii.closeSquare) squares--;
    else if (bracket == ascii.closeCurly) curlies--;
    if (min(rounds, min(squares, curlies)) < 0) return false;
  }
  return !rounds && !squares && !curlies;
}

/** Turns the brackets among the tokens from `from` on into operators. */
export function detachBrackets(from: u32): void {
  for (let i = from; i < lexer.count; i++) {
    if (!bracketAt(i)) continue;
    const token = itemOf<u32>(lexer.tokens, i);
    setItem<u32>(lexer.tokens, i, (token & ~(<u32>kindMask)) | operatorKind);
  }
}

/** Returns the bracket of a token, or 0 if it is none. */
function bracketAt(i: u32): u32 {
  if ((itemOf<u32>(lexer.tokens, i) & kindMask) != <u32>punctuationKind) return 0;
  const byte: u32 = load<u8>(lexer.source + itemOf<u32>(lexer.starts, i));
  const isRound = byte == ascii.openRound || byte == ascii.closeRound,
    isSquare = byte == ascii.openSquare || byte == ascii.closeSquare;
  return isRound || isSquare || byte == ascii.openCurly || byte == ascii.closeCurly ? byte : 0;
}

export function hasWord(p: usize, end: usize): bool {
  while (p < end && !isWordAt(p)) p++;
  return p < end;
}

/** Value of `withSigns`. */
export const keepSigns: bool = true;

/**
 * Emits the tokens of the content [body, bodyEnd) of a string that extends from `p` to `stop`. Ignores quotes and
 * backslashes in it, because they depend on the quotes around it. Signs become operators, so that brackets in the text
 * do not pair with those of the code. The first sign on a line and the last sign of the text become strings instead:
 * the lexer derives the role of a line, or of the next token, from them.
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
      emit(hashBytes(q, length, 0), stringKind, q, length);
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
  return byte != ascii.singleQuote && byte != ascii.doubleQuote && byte != ascii.backtick && byte != ascii.backslash;
}

/** Returns the length of the run of equal bytes that begins at `p`. */
function lengthOfRow(p: usize, end: usize): usize {
  const byte = load<u8>(p);
  let q = p + 1;
  while (q < end && load<u8>(q) == byte) q++;
  return q - p;
}
