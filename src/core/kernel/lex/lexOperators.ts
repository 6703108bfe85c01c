/** Lexes numbers and the operators that most languages share. Lexicons need no rules for them. */
import * as ascii from './ascii';
import { numberKind, operatorKind, punctuationKind } from './lexed';
import { isAsciiLetter, isDigit, isLineEnd, isOperatorAt, isWordAt } from './lexBytes';
import { Lexicon, quotedDigitsFlag } from './lexicon';
import { emit, emitBytes, hashWord, lexer } from './lexState';

/** Lexes a number including its letters: 0xFF, 1_000L, 1.5e-3, 10px. */
export function lexNumber(p: usize, end: usize): usize {
  const hex = load<u8>(p) == ascii.zero && p + 1 < end && (load<u8>(p, 1) | ascii.caseBit) == ascii.letterX;
  const quoted = (changetype<Lexicon>(lexer.lexicon).flags & quotedDigitsFlag) != 0;
  let q = p + 1;
  for (; q < end; q++) {
    const byte: u32 = load<u8>(q);
    if (isDigit(byte) || isAsciiLetter(byte) || byte == ascii.underscore) continue;
    if (q + 1 >= end) break;
    if (byte == ascii.period) {
      if (!isDigit(load<u8>(q, 1))) break;
    } else if (byte == ascii.plus || byte == ascii.minus) {
      const before: u32 = load<u8>(q - 1) | ascii.caseBit;
      if (before != (hex ? ascii.letterP : ascii.letterE) || !isDigit(load<u8>(q, 1))) break;
    } else if (byte != ascii.singleQuote || !quoted || !isWordAt(q + 1) || load<u8>(q, 1) >= ascii.nonAscii) {
      break;
    }
  }
  emit(hashWord(p, q - p), numberKind, p, q - p);
  return q;
}

/** Lexes the dot at `p`, which may belong to a number or an operator. */
export function lexDot(p: usize, end: usize): usize {
  const next: u32 = p + 1 < end ? load<u8>(p, 1) : 10;
  if (
    isDigit(next) &&
    (p == lexer.source ||
      (!isWordAt(p - 1) && load<u8>(p - 1) != ascii.closeRound && load<u8>(p - 1) != ascii.closeSquare))
  ) {
    return lexNumber(p, end);
  }
  if (next == ascii.period) return lexOperator(p, end);
  emitBytes(p, 1, punctuationKind);
  return p + 1;
}

/** Lexes the longest operator at `p`. It has 1 to 4 bytes. */
export function lexOperator(p: usize, end: usize): usize {
  const byte: u32 = load<u8>(p);
  // If a backslash precedes a line break, skip it: it joins the lines.
  if (byte == ascii.backslash && p + 1 < end && isLineEnd(load<u8>(p, 1))) return p + 1;
  const length = operatorLength(p, end);
  emitBytes(p, length, operatorKind);
  return p + length;
}

/**
 * Returns the length of the longest operator at `p` that most languages share. Lexicons have rules for other operators.
 */
function operatorLength(p: usize, end: usize): usize {
  if (p + 1 >= end) return 1;
  const a: u32 = load<u8>(p);
  const b: u32 = load<u8>(p, 1);
  if (b != ascii.period && !isOperatorAt(p + 1)) return 1;
  const c: u32 = p + 2 < end ? load<u8>(p, 2) : 0;
  if (b == ascii.equalSign) {
    // == != <= >= += -= *= /= %= &= |= ^= := ~= @= ?= and === !== <=>
    if (a == ascii.equalSign || a == ascii.exclamationMark) return c == ascii.equalSign ? 3 : 2;
    if (a == ascii.lessThan) return c == ascii.greaterThan ? 3 : 2;
    return a == ascii.numberSign || a == ascii.dollar || a == ascii.backslash || a == ascii.backtick ? 1 : 2;
  }
  if (a == b) {
    if (a == ascii.period) return c == ascii.period || c == ascii.equalSign || c == ascii.lessThan ? 3 : 2;
    if (a == ascii.greaterThan && c == ascii.greaterThan)
      return p + 3 < end && load<u8>(p, 3) == ascii.equalSign ? 4 : 3;
    // && || ?? << >> ** each with an optional = after it
    if (
      c == ascii.equalSign &&
      (a == ascii.ampersand ||
        a == ascii.bar ||
        a == ascii.questionMark ||
        a == ascii.lessThan ||
        a == ascii.greaterThan ||
        a == ascii.asterisk ||
        a == ascii.slash)
    )
      return 3;
    return a == ascii.tilde ||
      a == ascii.numberSign ||
      a == ascii.dollar ||
      a == ascii.backslash ||
      a == ascii.backtick ||
      a == ascii.atSign ||
      a == ascii.caret ||
      a == ascii.percent
      ? 1
      : 2;
  }
  // -> => |> ?. ?: <>
  if (b == ascii.greaterThan)
    return a == ascii.minus || a == ascii.equalSign || a == ascii.bar || a == ascii.lessThan ? 2 : 1;
  if (a == ascii.questionMark) return b == ascii.colon || (b == ascii.period && !isDigit(c)) ? 2 : 1;
  return 1;
}
