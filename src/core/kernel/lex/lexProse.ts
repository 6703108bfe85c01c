/**
 * Lexes prose as words. Markup, punctuation, line breaks, and case are ignored. In scripts without spaces, each
 * character is a token.
 */
import * as ascii from './ascii';
import { headingKind, wordKind } from './lexed';
import { afterBlanks, afterLineEnd, endOfLine, find, isAsciiLetter, isBlank, isDigit, isLineEnd } from './lexBytes';
import { characterBytes, characterClass, foldCharacter, ideographClass, letterClass } from './lexCharacters';
import { Lexicon, texFlag } from './lexicon';
import {
  beginLine,
  emit,
  foldAscii,
  hashBlock,
  hashBytes,
  hashEnd,
  hashStart,
  lexer,
  loadPart,
  markItem,
} from './lexState';
import * as loaded from './loadedWords';

/** Value of `tex` for texts without TeX commands and comments. */
const withoutTex: bool = false;
/** Maximum length in bytes of link targets and tags, which are skipped. */
const maxTarget: usize = 2048;

export function lexProse(p: usize, end: usize): void {
  const tex = (changetype<Lexicon>(lexer.lexicon).flags & texFlag) != 0;
  while (p < end) {
    const lineEnd = endOfLine(p, end);
    const kind = isHeading(p, lineEnd, end, tex) ? headingKind : wordKind;
    lexProseLine(afterListMark(p, lineEnd), lineEnd, kind, tex);
    if (isItem(p, lineEnd)) markItem();
    p = lineEnd < end ? passLineEnd(lineEnd, end) : end;
  }
}

/** Skips the line break at `p`. CRLF is one line break, even if its line feed is in the next segment of the text. */
function passLineEnd(p: usize, end: usize): usize {
  if (load<u8>(p) == ascii.carriageReturn && p + 1 < lexer.sourceEnd && load<u8>(p, 1) == ascii.lineFeed) {
    if (p + 1 == end) return end;
    p++;
  }
  beginLine(p + 1);
  return p + 1;
}

/** Emits all words from `p` to `stop` as tokens of the given kind. */
export function lexWordsOf(p: usize, stop: usize, kind: u32): void {
  while (p < stop) {
    const lineEnd = endOfLine(p, stop);
    lexProseLine(p, lineEnd, kind, withoutTex);
    p = lineEnd < stop ? passLineEnd(lineEnd, stop) : stop;
  }
}

/** Returns true if the line is a heading: it has a leading # or =, an underline, or a LaTeX command. */
function isHeading(p: usize, lineEnd: usize, end: usize, tex: bool): bool {
  if (p == lineEnd) return false;
  const mark: u32 = load<u8>(p);
  if (mark == ascii.numberSign || mark == ascii.equalSign) {
    let q = p + 1;
    while (q < lineEnd && load<u8>(q) == mark) q++;
    return q - p <= 6 && q < lineEnd && load<u8>(q) == ascii.space;
  }
  if (tex) return mark == ascii.backslash && isTexHeading(p + 1, lineEnd);
  return lineEnd < end && mark > ascii.space && isUnderline(afterLineEnd(lineEnd, end), end);
}

/** Returns true if the command at `p` is section, subsection, paragraph, chapter, part, or title. */
function isTexHeading(p: usize, end: usize): bool {
  if (p + 8 >= end) return false;
  if (load<u32>(p) == loaded.wordSubs) p += 3;
  if (p + 8 >= end) return false;
  const four = load<u32>(p);
  return (
    four == loaded.wordSect ||
    four == loaded.wordPara ||
    four == loaded.wordChap ||
    four == loaded.wordPart ||
    four == loaded.wordTitl
  );
}

/** Returns true if the line at `p` consists of at least three equal marks out of = - ~ ^ " * + */
function isUnderline(p: usize, end: usize): bool {
  if (p + 3 > end) return false;
  const mark: u32 = load<u8>(p);
  if (
    mark != ascii.equalSign &&
    mark != ascii.minus &&
    mark != ascii.tilde &&
    mark != ascii.caret &&
    mark != ascii.doubleQuote &&
    mark != ascii.asterisk &&
    mark != ascii.plus
  )
    return false;
  let q = p + 1;
  while (q < end && load<u8>(q) == mark) q++;
  if (q - p < 3) return false;
  q = afterBlanks(q, end);
  return q == end || isLineEnd(load<u8>(q));
}

/** Returns the position after the mark that begins a list item or quotation: blanks, quote marks, 12. or 12), [x]. */
function afterListMark(p: usize, end: usize): usize {
  let q = afterQuoteMarks(p, end);
  const digits = q;
  while (q < end && isDigit(load<u8>(q))) q++;
  if (q > digits) {
    const dot = q < end && (load<u8>(q) == ascii.period || load<u8>(q) == ascii.closeRound);
    return dot && q + 1 < end && isBlank(load<u8>(q, 1)) ? q + 1 : p;
  }
  // Skip - and [x].
  const bullet: u32 = q < end ? load<u8>(q) : 0;
  if ((bullet == ascii.minus || bullet == ascii.asterisk || bullet == ascii.plus) && q + 5 < end) {
    if (
      load<u8>(q, 1) == ascii.space &&
      load<u8>(q, 2) == ascii.openSquare &&
      load<u8>(q, 4) == ascii.closeSquare &&
      load<u8>(q, 5) == ascii.space
    )
      return q + 5;
  }
  return p;
}

/** Returns true if a line begins a list item, a row of a table, or a comment, after blanks and quote marks. */
function isItem(p: usize, end: usize): bool {
  p = afterQuoteMarks(p, end);
  if (p + 1 >= end) return false;
  const mark: u32 = load<u8>(p);
  if (mark == ascii.bar) return true;
  if (mark == ascii.lessThan) return p + 4 <= end && load<u32>(p) == loaded.commentStart;
  if (mark == ascii.minus || mark == ascii.asterisk || mark == ascii.plus) return isBlank(load<u8>(p, 1));
  while (p < end && isDigit(load<u8>(p))) p++;
  return (
    isDigit(mark) &&
    p + 1 < end &&
    (load<u8>(p) == ascii.period || load<u8>(p) == ascii.closeRound) &&
    isBlank(load<u8>(p, 1))
  );
}

/** Returns the position after the blanks and quote marks at `p`. */
@inline function afterQuoteMarks(p: usize, end: usize): usize {
  while (p < end && (isBlank(load<u8>(p)) || load<u8>(p) == ascii.greaterThan)) p++;
  return p;
}

function lexProseLine(p: usize, lineEnd: usize, kind: u32, tex: bool): void {
  while (p < lineEnd) {
    const byte: u32 = load<u8>(p);
    if (isAsciiLetter(byte) || isDigit(byte)) {
      p = lexProseWord(p, lineEnd, kind);
    } else if (byte >= ascii.nonAscii) {
      p = lexCharacter(p, lineEnd, kind);
    } else if (byte == ascii.closeSquare) {
      p = afterLinkTarget(p, lineEnd);
    } else if (byte == ascii.lessThan) {
      // Skip only the delimiters of <!-- and -->. Their text is lexed, because notes and front matter are copied, too.
      p = p + 4 <= lineEnd && load<u32>(p) == loaded.commentStart ? p + 4 : afterTag(p, lineEnd);
    } else if (byte == ascii.ampersand) {
      p = afterEntity(p, lineEnd);
    } else if (tex && byte == ascii.percent) {
      return;
    } else if (tex && byte == ascii.backslash) {
      p = afterCommand(p, lineEnd);
    } else {
      p++;
    }
  }
}

/** Returns the position after <!-- … -->, or `end` if the comment is not closed. */
export function endOfMarkupComment(p: usize, end: usize): usize {
  for (let q = find(ascii.minus, p, end); q + 3 <= end; q = find(ascii.minus, q + 1, end)) {
    if (load<u8>(q, 1) == ascii.minus && load<u8>(q, 2) == ascii.greaterThan) return q + 3;
  }
  return end;
}

/**
 * Returns the position after the ] at `p`. If a link target, ](…) or ][…], follows on this line, returns the position
 * after the target.
 */
function afterLinkTarget(p: usize, end: usize): usize {
  const opening: u32 = p + 1 < end ? load<u8>(p, 1) : 0;
  if (opening != ascii.openRound && opening != ascii.openSquare) return p + 1;
  const closing: u32 = opening == ascii.openRound ? 41 : 93;
  let nesting = 0;
  for (let q = p + 1; q < end; q++) {
    const byte: u32 = load<u8>(q);
    if (byte == opening) nesting++;
    else if (byte == closing && --nesting == 0) return q + 1;
    if (q - p > maxTarget) break;
  }
  return p + 1;
}

/**
 * If a tag begins at `p` and ends on this line, returns the position after it: <b>, </b>, <a href="…">. Otherwise
 * returns the position after the first byte.
 */
function afterTag(p: usize, end: usize): usize {
  let q = p + 1;
  if (q < end && load<u8>(q) == ascii.slash) q++;
  if (q >= end || !isAsciiLetter(load<u8>(q))) return p + 1;
  while (q < end && (isAsciiLetter(load<u8>(q)) || isDigit(load<u8>(q)) || load<u8>(q) == ascii.minus)) q++;
  if (q >= end || (!isBlank(load<u8>(q)) && load<u8>(q) != ascii.greaterThan && load<u8>(q) != ascii.slash))
    return p + 1;
  const limit = min(q + maxTarget, end);
  const close = find(ascii.greaterThan, q, limit);
  return close < limit ? close + 1 : p + 1;
}

/**
 * If an entity begins at `p`, returns the position after it: &amp; &#160;. Otherwise returns the position after the
 * first byte.
 */
export function afterEntity(p: usize, end: usize): usize {
  let q = p + 1;
  if (q < end && load<u8>(q) == ascii.numberSign) q++;
  const limit = min(q + 10, end);
  const from = q;
  while (q < limit && (isAsciiLetter(load<u8>(q)) || isDigit(load<u8>(q)))) q++;
  return q > from && q < end && load<u8>(q) == ascii.semicolon ? q + 1 : p + 1;
}

/** Returns the position after the TeX command at `p`: a backslash with either letters or one other character. */
function afterCommand(p: usize, end: usize): usize {
  let q = p + 1;
  if (q == end) return end;
  if (!isAsciiLetter(load<u8>(q))) return q + characterBytes(q, end);
  while (q < end && isAsciiLetter(load<u8>(q))) q++;
  return q;
}

/** Lexes the word that begins with the ASCII letter or digit at `p`. */
export function lexProseWord(p: usize, end: usize, kind: u32): usize {
  const bytes = v128.load(p);
  const folded = v128.or(bytes, i8x16.splat(<i8>ascii.caseBit));
  const letters = i8x16.lt_u(i8x16.sub(folded, i8x16.splat(<i8>ascii.letterA)), i8x16.splat(26));
  const digits = i8x16.lt_u(i8x16.sub(bytes, i8x16.splat(<i8>ascii.zero)), i8x16.splat(<i8>ascii.lineFeed));
  let length: usize = ctz(~i8x16.bitmask(v128.or(letters, digits)));
  if (length > end - p) length = end - p;
  const next: u32 = p + length < end ? load<u8>(p + length) : 0;
  if (length == 16 || next == ascii.singleQuote || next >= ascii.nonAscii) return lexLongWord(p, end, kind);
  if (next == ascii.colon && isScheme(p + length, end)) return lexAddress(p, p + length, end, kind);
  const part = foldAscii(loadPart(p, length));
  const hash = hashBlock(hashStart(length, 0), i64x2.extract_lane(part, 0), i64x2.extract_lane(part, 1));
  emit(hashEnd(hash), kind, p, length);
  return p + length;
}

/** Returns true if :// is at `p`, and another character follows. */
function isScheme(p: usize, end: usize): bool {
  return p + 4 < end && (load<u32>(p) & loaded.threeBytes) == loaded.schemeEnd && load<u8>(p, 3) > ascii.space;
}

/** Emits a URL as one token. Punctuation at the end of the URL belongs to the sentence around it. */
function lexAddress(p: usize, colonAt: usize, end: usize, kind: u32): usize {
  let q = colonAt + 3;
  while (q < end && !endsAddress(load<u8>(q))) q++;
  while (
    q > colonAt + 3 &&
    !isAsciiLetter(load<u8>(q - 1)) &&
    !isDigit(load<u8>(q - 1)) &&
    load<u8>(q - 1) < ascii.nonAscii &&
    load<u8>(q - 1) != ascii.slash
  )
    q--;
  emit(hashBytes(p, q - p, 0), kind, p, q - p);
  return q;
}

/**
 * Returns true for white space and < > " ` ) [ ] | }. In AsciiDoc, the text of a link follows its address in brackets.
 */
function endsAddress(byte: u32): bool {
  if (byte <= ascii.space || byte == ascii.lessThan || byte == ascii.greaterThan || byte == ascii.doubleQuote)
    return true;
  return (
    byte == ascii.backtick ||
    byte == ascii.closeRound ||
    byte == ascii.openSquare ||
    byte == ascii.closeSquare ||
    byte == ascii.bar ||
    byte == ascii.closeCurly
  );
}

/** Lexes the character at `p`, which is U+0080 or above. It may begin a word, be a word of its own, or be a mark. */
export function lexCharacter(p: usize, end: usize, kind: u32): usize {
  const length = characterBytes(p, end);
  const type = characterClass(p, length);
  if (type == letterClass) return lexLongWord(p, end, kind);
  if (type == ideographClass) {
    lexer.blankless = true;
    emit(hashBytes(p, length, 0), kind, p, length);
  }
  return p + length;
}

/**
 * Lexes a word that has other letters than ASCII or apostrophes, or is longer than 16 bytes. All forms of apostrophes
 * are hashed like '.
 */
function lexLongWord(p: usize, end: usize, kind: u32): usize {
  // Find the end of the word and its length after conversion first, because the hash begins with the length.
  let q = p;
  let hashed: usize = 0;
  while (q < end) {
    const byte: u32 = load<u8>(q);
    if (isAsciiLetter(byte) || isDigit(byte)) {
      q++;
      hashed++;
      continue;
    }
    const apostrophe = afterApostrophe(q, end);
    if (apostrophe != 0 && isLetterAt(apostrophe, end)) {
      q = apostrophe;
      hashed++;
      continue;
    }
    if (byte < ascii.nonAscii) break;
    const length = characterBytes(q, end);
    if (characterClass(q, length) != letterClass) break;
    q += length;
    hashed += length;
  }
  const stop = q;
  let hash = hashStart(hashed, 0);
  let low: u64 = 0;
  let high: u64 = 0;
  let filled: u32 = 0;
  for (q = p; q < stop;) {
    const apostrophe = afterApostrophe(q, stop);
    let length: u32 = 1;
    let character: u32 = load<u8>(q);
    if (apostrophe != 0) {
      character = 39;
      q = apostrophe;
    } else if (character < ascii.nonAscii) {
      if (character - ascii.capitalA < 26) character |= ascii.caseBit;
      q++;
    } else {
      length = <u32>characterBytes(q, stop);
      character = foldCharacter(q, length);
      q += length;
    }
    for (let index: u32 = 0; index < length; index++) {
      const byte: u64 = (character >> (index << 3)) & 255;
      if (filled < 8) low |= byte << (filled << 3);
      else high |= byte << ((filled - 8) << 3);
      if (++filled == 16) {
        hash = hashBlock(hash, low, high);
        low = high = 0;
        filled = 0;
      }
    }
  }
  if (filled) hash = hashBlock(hash, low, high);
  emit(hashEnd(hash), kind, p, stop - p);
  return stop;
}

/** Returns the position after the apostrophe at `p`, which is ' or ’. Returns 0 if there is none. */
function afterApostrophe(p: usize, end: usize): usize {
  if (load<u8>(p) == ascii.singleQuote) return p + 1;
  return p + 3 <= end && (load<u32>(p) & loaded.threeBytes) == loaded.rightSingleQuote ? p + 3 : 0;
}

function isLetterAt(p: usize, end: usize): bool {
  if (p >= end) return false;
  const byte: u32 = load<u8>(p);
  if (byte < ascii.nonAscii) return isAsciiLetter(byte) || isDigit(byte);
  return characterClass(p, characterBytes(p, end)) == letterClass;
}
