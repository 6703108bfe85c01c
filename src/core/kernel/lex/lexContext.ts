/**
 * Contextual keywords: words that are keywords at some positions and names at all others, such as `type`, `get`, `of`,
 * and `string`. The previous token and the next bytes decide. Comments after the word are not skipped.
 */
import * as ascii from './ascii';
import { afterBlanks, afterWhite, isBlank, isLineEnd, isWordAt, wordLength } from './lexBytes';
import { keywordKind, kindBits, kindMask, operatorKind, punctuationKind } from './lexed';
import { betweenMeaning, introducingMeaning, reexportMeaning, typeMeaning, valueMeaning } from './lexicon';
import { firstTokenOfLine, lexer, meaningOf, tokenStart, tokenWord } from './lexState';
import * as loaded from './loadedWords';

/**
 * Returns true if the contextual keyword of `length` bytes at `p` is a keyword there.
 *
 * @param meaning  its meaning in the lexicon: one of the three meanings of contextual keywords
 */
export function isKeywordAt(meaning: i32, p: usize, length: usize, end: usize): bool {
  if (lexer.count == lexer.segmentBase) return meaning == introducingMeaning && introduces(p, length, end, 0, 0);
  const word = tokenWord(lexer.count - 1);
  const kind = word & kindMask;
  const start = tokenStart(lexer.count - 1);
  // The sign before the word, or 0 if there is none. The second byte belongs to the same sign only in operators.
  const sign: u32 = kind == operatorKind || kind == punctuationKind ? load<u16>(start) : 0;
  if ((sign & 0xff) == ascii.period && sign != loaded.twoPeriods) return false;
  if (meaning == introducingMeaning) return introduces(p, length, end, kind, sign & 0xff);
  const next = afterBlanks(p + length, end);
  const byte: u32 = next < end ? load<u8>(next) : 10;
  if (meaning == betweenMeaning) return isAfterValue(word, sign & 0xff) && beginsValue(next, byte);
  return isType(word, sign, next, byte);
}

/** Returns true if a declaration or a block follows the word: `type A`, `get 'a'()`, `static {`, `async (a) =>`. */
function introduces(p: usize, length: usize, end: usize, kind: u32, sign: u32): bool {
  // The word is part of a directive, attribute, or decorator: #error, @property.
  if (kind == operatorKind && (sign == ascii.numberSign || sign == ascii.atSign)) return true;
  const after = p + length;
  let next = lexer.endsWithLine ? afterBlanks(after, end) : afterWhite(after, end);
  if (next == end) return false;
  if (isWordAt(next)) return next > after && !isBetween(next, end);
  let byte: u32 = load<u8>(next);
  // True where a member or statement can begin, as for the accessors `{ get; set; }`.
  const begins =
    kind == punctuationKind && (sign == ascii.openCurly || sign == ascii.closeCurly || sign == ascii.semicolon);
  if (isLineEnd(byte) && begins) {
    next = afterWhite(next, end);
    byte = next < end && load<u8>(next) == ascii.openCurly ? ascii.openCurly : 0;
  }
  switch (byte) {
    case ascii.openCurly:
      return true;
    case ascii.doubleQuote:
    case ascii.singleQuote:
      return true;
    case ascii.openSquare:
    case ascii.backtick:
      return next > after;
    case ascii.openRound:
      return load<u32>(p) == loaded.wordAsyn;
    case ascii.semicolon:
      return begins;
    case ascii.asterisk:
      // `static *a()` and `async* {`, but not `a * b`.
      return (next > after && load<u8>(next, 1) > ascii.space) || begins || sign == ascii.closeRound;
    case ascii.equalSign:
      return load<u16>(next) == loaded.arrow && (begins || sign == ascii.closeRound);
    case ascii.minus:
      return load<u16>(next) == loaded.thinArrow;
    default:
      return false;
  }
}

/**
 * Returns true if the word at `p` stands between two values, so a name precedes it: `type of types`, `type in types`.
 * Such a word is a name if a parenthesis follows: `get of()`.
 */
function isBetween(p: usize, end: usize): bool {
  const length = wordLength(p, end);
  const bytes = load<u32>(p);
  switch (<u32>length) {
    case 2: {
      const two = bytes & 0xffff;
      if (
        two != loaded.wordAs &&
        two != loaded.wordBy &&
        two != loaded.wordIf &&
        two != loaded.wordIn &&
        two != loaded.wordIs &&
        two != loaded.wordOf &&
        two != loaded.wordOr &&
        two != loaded.wordTo
      )
        return false;
      break;
    }
    case 3: {
      const three = bytes & loaded.threeBytes;
      if (three != loaded.wordAnd && three != loaded.wordFor && three != loaded.wordNot) return false;
      break;
    }
    case 4:
      if (bytes != loaded.wordElse && bytes != loaded.wordThen) return false;
      break;
    case 9:
      return bytes == loaded.wordSati;
    case 10:
      return bytes == loaded.wordInst;
    default:
      return false;
  }
  return p + length >= end || load<u8>(p + length) != ascii.openRound;
}

/** Returns true if the last token can end a value. `sign` is its first byte if it is a sign. */
function isAfterValue(word: u32, sign: u32): bool {
  const kind = word & kindMask;
  if (kind == keywordKind) {
    const meaning = meaningOf(word >> kindBits);
    return meaning == valueMeaning || meaning == typeMeaning;
  }
  if (sign == 0) return true;
  return (
    sign == ascii.closeRound ||
    sign == ascii.closeSquare ||
    sign == ascii.closeCurly ||
    sign == ascii.exclamationMark ||
    sign == ascii.greaterThan
  );
}

/** Returns true if a value can begin with the byte at `next`, which follows an infix word on the same line. */
function beginsValue(next: usize, byte: u32): bool {
  if (isWordAt(next)) return true;
  return (
    byte == ascii.openRound ||
    byte == ascii.openSquare ||
    byte == ascii.openCurly ||
    byte == ascii.doubleQuote ||
    byte == ascii.singleQuote ||
    byte == ascii.backtick ||
    byte == ascii.minus ||
    byte == ascii.exclamationMark ||
    byte == ascii.lessThan
  );
}

/**
 * Returns true if the name of a type is used as a type: after a colon, `|`, `&`, `<`, `as`, and similar, or before `>`,
 * `[]`, and `|`. At all other positions it is a name, as in `string.length` and `f(object)`.
 */
function isType(word: u32, sign: u32, next: usize, byte: u32): bool {
  const first = sign & 0xff;
  if (byte == ascii.period || byte == ascii.openRound || (byte == ascii.colon && first != ascii.questionMark))
    return false;
  if (byte == ascii.greaterThan || load<u16>(next) == loaded.squareBrackets) return true;
  if ((byte == ascii.bar || byte == ascii.ampersand) && load<u8>(next, 1) != byte) return true;
  if ((word & kindMask) == keywordKind) {
    const meaning = meaningOf(word >> kindBits);
    const bytes = load<u32>(tokenStart(lexer.count - 1));
    return (
      meaning == introducingMeaning ||
      (meaning == betweenMeaning ? (bytes & 0xffff) != loaded.wordOf : bytes == loaded.wordExte)
    );
  }
  if (sign == loaded.arrow) return true;
  if (first == ascii.equalSign) return isDeclaredType();
  if (sign == loaded.twoAmpersands || sign == loaded.twoBars) return false;
  if (first == ascii.lessThan) return !isBlank(load<u8>(tokenStart(lexer.count - 1), 1));
  return first == ascii.colon || first == ascii.bar || first == ascii.ampersand || first == ascii.questionMark;
}

/** Returns true if the current line begins with `type` or `export`, so a type may follow its equal sign. */
function isDeclaredType(): bool {
  const word = tokenWord(firstTokenOfLine());
  if ((word & kindMask) != keywordKind) return false;
  const meaning = meaningOf(word >> kindBits);
  return meaning == introducingMeaning || meaning == reexportMeaning;
}
