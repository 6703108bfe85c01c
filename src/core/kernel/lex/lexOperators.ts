/** Lexes numbers and the operators that most languages share. Lexicons need no rules for them. */
import {
  ampersand,
  asterisk,
  atSign,
  backslash,
  backtick,
  bar,
  caret,
  caseBit,
  closeRound,
  closeSquare,
  colon,
  dollar,
  equalSign,
  exclamationMark,
  greaterThan,
  lessThan,
  letterE,
  letterP,
  letterX,
  minus,
  nonAscii,
  numberSign,
  percent,
  period,
  plus,
  questionMark,
  singleQuote,
  slash,
  tilde,
  underscore,
  zero,
} from './ascii';
import { numberKind, operatorKind, punctuationKind } from './lexed';
import { isAsciiLetter, isDigit, isLineEnd, isOperatorAt, isWordAt } from './lexBytes';
import { Lexicon, quotedDigitsFlag } from './lexicon';
import { emit, emitBytes, hashWord, lexer } from './lexState';

/** Lexes a number including its letters: 0xFF, 1_000L, 1.5e-3, 10px. */
export function lexNumber(p: usize, end: usize): usize {
  const hex = load<u8>(p) == zero && p + 1 < end && (load<u8>(p, 1) | caseBit) == letterX;
  const quoted = (changetype<Lexicon>(lexer.lexicon).flags & quotedDigitsFlag) != 0;
  let q = p + 1;
  for (; q < end; q++) {
    const byte: u32 = load<u8>(q);
    if (isDigit(byte) || isAsciiLetter(byte) || byte == underscore) continue;
    if (q + 1 >= end) break;
    if (byte == period) {
      if (!isDigit(load<u8>(q, 1))) break;
    } else if (byte == plus || byte == minus) {
      const before: u32 = load<u8>(q - 1) | caseBit;
      if (before != (hex ? letterP : letterE) || !isDigit(load<u8>(q, 1))) break;
    } else if (byte != singleQuote || !quoted || !isWordAt(q + 1) || load<u8>(q, 1) >= nonAscii) {
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
    (p == lexer.source || (!isWordAt(p - 1) && load<u8>(p - 1) != closeRound && load<u8>(p - 1) != closeSquare))
  ) {
    return lexNumber(p, end);
  }
  if (next == period) return lexOperator(p, end);
  emitBytes(p, 1, punctuationKind);
  return p + 1;
}

/** Lexes the longest operator at `p`. It has 1 to 4 bytes. */
export function lexOperator(p: usize, end: usize): usize {
  const byte: u32 = load<u8>(p);
  // If a backslash precedes a line break, skip it: it joins the lines.
  if (byte == backslash && p + 1 < end && isLineEnd(load<u8>(p, 1))) return p + 1;
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
  if (b != period && !isOperatorAt(p + 1)) return 1;
  const c: u32 = p + 2 < end ? load<u8>(p, 2) : 0;
  if (b == equalSign) {
    // == != <= >= += -= *= /= %= &= |= ^= := ~= @= ?= and === !== <=>
    if (a == equalSign || a == exclamationMark) return c == equalSign ? 3 : 2;
    if (a == lessThan) return c == greaterThan ? 3 : 2;
    return a == numberSign || a == dollar || a == backslash || a == backtick ? 1 : 2;
  }
  if (a == b) {
    if (a == period) return c == period || c == equalSign || c == lessThan ? 3 : 2;
    if (a == greaterThan && c == greaterThan) return p + 3 < end && load<u8>(p, 3) == equalSign ? 4 : 3;
    // && || ?? << >> ** each with an optional = after it
    if (
      c == equalSign &&
      (a == ampersand ||
        a == bar ||
        a == questionMark ||
        a == lessThan ||
        a == greaterThan ||
        a == asterisk ||
        a == slash)
    )
      return 3;
    return a == tilde ||
      a == numberSign ||
      a == dollar ||
      a == backslash ||
      a == backtick ||
      a == atSign ||
      a == caret ||
      a == percent
      ? 1
      : 2;
  }
  // -> => |> ?. ?: <>
  if (b == greaterThan) return a == minus || a == equalSign || a == bar || a == lessThan ? 2 : 1;
  if (a == questionMark) return b == colon || (b == period && !isDigit(c)) ? 2 : 1;
  return 1;
}
