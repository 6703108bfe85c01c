/**
 * Determines if a value can begin at a position, because regular expressions and some kinds of strings can begin only
 * there. The decision depends on the previous token. While code is skipped, there are no tokens, so it depends on the
 * previous bytes.
 */
import * as ascii from './ascii';
import { identifierKind, keywordKind, kindBits, kindMask, operatorKind, punctuationKind } from './lexed';
import { isBlank, isFirstOnLine, isWordAt } from './lexBytes';
import { valueMeaning } from './lexicon';
import { hashWord, lexer, meaningOf, tokenStart, tokenWord } from './lexState';
import { threeBytes, wordFor, wordIf, wordIn, wordWhil, wordWith } from './loadedWords';

/** Maximum length of a keyword in bytes. */
const maxKeyword: usize = 24;
/** Maximum length of a pattern of the shell's `case`, in tokens. */
const maxPattern: u32 = 32;
/** Maximum length of a condition before a regular expression, in tokens. */
const maxCondition: u32 = 64;

/**
 * Returns true if a value can begin at `p`: after an operator, an opening bracket, or a keyword, and at the beginning
 * of the text.
 */
export function valueMayStart(p: usize): bool {
  if (lexer.isPassing) return valueMayStartAfterBytes(p);
  if (lexer.count == lexer.segmentBase) return true;
  const start = tokenStart(lexer.count - 1);
  const word = tokenWord(lexer.count - 1);
  const kind = word & kindMask;
  const byte: u32 = load<u8>(start);
  if (kind == keywordKind) return meaningOf(word >> kindBits) != valueMeaning;
  // After ) ] } ++ and --, a slash is a division, so no value can begin. After a dot, there must be a name.
  if (kind == punctuationKind)
    return byte != ascii.closeRound && byte != ascii.closeSquare && byte != ascii.closeCurly && byte != ascii.period;
  if (kind != operatorKind) return false;
  if (byte == ascii.exclamationMark && isPostfix(start)) return false;
  return !((byte == ascii.plus || byte == ascii.minus) && load<u8>(start, 1) == byte);
}

/**
 * Returns true if the last token, the ! at `start`, directly follows a value, as in `a! / b` of TypeScript and Swift.
 */
function isPostfix(start: usize): bool {
  if (lexer.count - 1 == lexer.segmentBase || start == lexer.source || load<u8>(start - 1) <= ascii.space) return false;
  const word = tokenWord(lexer.count - 2);
  const kind = word & kindMask;
  if (kind == keywordKind) return meaningOf(word >> kindBits) == valueMeaning;
  const before: u32 = load<u8>(start - 1);
  return kind == identifierKind || before == ascii.closeRound || before == ascii.closeSquare;
}

/** Same as `valueMayStart`, but decides by the bytes before `p`. If they are part of a comment, the result is wrong. */
function valueMayStartAfterBytes(p: usize): bool {
  let q = p;
  while (q > lexer.source && load<u8>(q - 1) <= ascii.space) q--;
  if (q == lexer.source) return true;
  const byte: u32 = load<u8>(q - 1);
  if (isWordAt(q - 1)) {
    const meaning = meaningBefore(q);
    return meaning != 0 && meaning != valueMeaning;
  }
  if (byte == ascii.closeRound || byte == ascii.closeSquare || byte == ascii.closeCurly || byte == ascii.period)
    return false;
  if (byte == ascii.doubleQuote || byte == ascii.singleQuote || byte == ascii.backtick) return false;
  return !((byte == ascii.plus || byte == ascii.minus) && q - 1 > lexer.source && load<u8>(q - 2) == byte);
}

/** Returns the meaning of the word that ends at `p`, or 0 if it is a name. */
function meaningBefore(p: usize): i32 {
  let q = p;
  while (q > lexer.source && p - q < maxKeyword && isWordAt(q - 1)) q--;
  return meaningOf(hashWord(q, p - q));
}

/** Returns true unless a name ends directly before `p`. */
export function isApart(p: usize): bool {
  return p == lexer.source || !isWordAt(p - 1) || meaningBefore(p) != 0;
}

/**
 * Returns true if the slash at `p` begins a statement, although a closing bracket precedes it: after `if (…)` and
 * similar heads, and at the beginning of a line after a block. A slash with a blank after it is a division.
 */
export function beginsStatement(p: usize, end: usize): bool {
  if (lexer.isPassing || lexer.count == lexer.segmentBase || (tokenWord(lexer.count - 1) & kindMask) != punctuationKind)
    return false;
  const byte: u32 = load<u8>(tokenStart(lexer.count - 1));
  if (byte == ascii.closeCurly) return p + 1 < end && load<u8>(p, 1) > ascii.space && isFirstOnLine(p);
  return byte == ascii.closeRound && closesCondition(lexer.count - 1);
}

/** Returns true if token `last` is the bracket that closes the condition of if, while, for, or with. */
function closesCondition(last: u32): bool {
  const first: u32 = last - min<u32>(last - lexer.segmentBase, maxCondition);
  let nesting = 0;
  for (let token = last; token > first; token--) {
    if ((tokenWord(token) & kindMask) != punctuationKind) continue;
    const byte: u32 = load<u8>(tokenStart(token));
    if (byte == ascii.closeRound) nesting++;
    else if (byte == ascii.openRound && --nesting == 0) {
      if ((tokenWord(token - 1) & kindMask) != keywordKind) return false;
      const word = load<u32>(tokenStart(token - 1));
      return (word & 0xffff) == wordIf || (word & threeBytes) == wordFor || word == wordWhil || word == wordWith;
    }
  }
  return false;
}

/** Returns true if the slash at `p` probably begins an argument: `puts /x/`, but not `a / b` or `a/b`. */
export function isArgument(p: usize, end: usize): bool {
  if (p + 1 >= end || load<u8>(p, 1) <= ascii.space || load<u8>(p, 1) == ascii.equalSign) return false;
  return (
    p > lexer.source &&
    lexer.count > lexer.segmentBase &&
    isBlank(load<u8>(p - 1)) &&
    (tokenWord(lexer.count - 1) & kindMask) == identifierKind
  );
}

/**
 * Returns true if a pattern of the shell's `case` ends directly before `p`. A pattern begins at the start of a line, or
 * after `in` or ;; on the same line. It contains no brackets, and blanks only around |.
 */
export function endsPattern(p: usize): bool {
  if (lexer.isPassing || p == lexer.source || load<u8>(p - 1) <= ascii.space) return false;
  const minToken = lexer.count - min<u32>(lexer.count - lexer.segmentBase, maxPattern);
  for (let token = lexer.count; token-- > minToken;) {
    const start = tokenStart(token);
    const byte: u32 = load<u8>(start);
    // A pattern cannot contain ( ) ; & or ||.
    if (
      byte == ascii.openRound ||
      byte == ascii.closeRound ||
      byte == ascii.ampersand ||
      (byte == ascii.bar && load<u8>(start, 1) == ascii.bar)
    )
      return false;
    if (byte == ascii.semicolon) return load<u8>(start, 1) == ascii.semicolon;
    if (isFirstOnLine(start)) return true;
    if (!isBlank(load<u8>(start - 1)) || byte == ascii.bar || token == minToken) continue;
    const before = tokenStart(token - 1);
    const mark: u32 = load<u8>(before);
    if (mark == ascii.bar || mark == ascii.semicolon) continue;
    return (tokenWord(token - 1) & kindMask) == keywordKind && load<u16>(before) == wordIn;
  }
  return false;
}
