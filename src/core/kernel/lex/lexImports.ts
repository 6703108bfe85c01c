/**
 * Finds the ends of imports. Each function is called at a word that may begin an import. It emits no tokens, and
 * returns 0 if there is no import. The distance of each search is limited. After a failed search, the next search
 * begins at the position where the failed one ended or later, so the total time is linear.
 */
import * as ascii from './ascii';
import { kindBits } from './lexed';
import { afterBlanks, afterWhite, classAt, isFirstOnLine, isBlank, isLineEnd, isWordAt, wordLength } from './lexBytes';
import * as lexicon from './lexicon';
import { endOfRule, inOneLine, overLines, passableRuleAt } from './ruleEnds';
import { firstTokenOfLine, hashWord, lexer, meaningOf, tokenStart, tokenWord } from './lexState';
import { wordAs, wordFrom } from './loadedWords';

/** Maximum length of an import in bytes. Imports in real code are far shorter. */
const maxImport: usize = 65536;

export function openImports(end: usize): void {
  lexer.textEnd = end;
  lexer.endsWithLine = (changetype<lexicon.Lexicon>(lexer.lexicon).flags & lexicon.semicolonsFlag) == 0;
}

/** True, because a line break ends a directive in every language. */
const endsDirective: bool = true;

/**
 * Returns the end of the import that begins at `p` with a word of `length` bytes, or 0 if there is no import. An import
 * ends after its semicolon or at the end of its line.
 *
 * @param meaning  meaning of the word in the lexicon; must be one of the meanings that can begin an import
 */
export function endOfImport(meaning: i32, p: usize, length: usize, end: usize): usize {
  const isFirst = firstTokenOfLine() == lexer.count;
  if (isFirst ? meaning == lexicon.directiveMeaning || meaning == lexicon.formMeaning : !modifiersOnly(meaning))
    return 0;
  const limit = min(p + maxImport, end);
  if (meaning == lexicon.formMeaning) return endOfList(p - 1, limit);
  const next = afterBlanks(p + length, limit);
  if (next == limit) return 0;
  const byte: u32 = load<u8>(next);
  // True for `from . import a` in Python, and false for import.meta.
  const isRelative = byte == ascii.period && next > p + length;
  switch (meaning) {
    case lexicon.importMeaning:
      // If a parenthesis follows, the word is a function: import(…).
      return byte == ascii.openRound || (isNameBefore(byte) && !isRelative)
        ? 0
        : endOfStatement(next, limit, lexer.endsWithLine);
    case lexicon.directiveMeaning:
      return isNameBefore(byte) ? 0 : endOfStatement(next, limit, endsDirective);
    case lexicon.importCallMeaning:
      return isNameBefore(byte) ? 0 : endOfStatement(next, limit, lexer.endsWithLine);
    case lexicon.headerMeaning:
      return endOfHeader(next, limit);
    case lexicon.declarationMeaning:
      return endOfRequire(next, limit);
    case lexicon.reexportMeaning:
      return endOfReexport(next, limit);
    default:
      return 0;
  }
}

/**
 * Returns true if the byte after a word shows that the word is a name: import.meta, import = 1, import: 1, (a, import).
 */
function isNameBefore(byte: u32): bool {
  return (
    byte == ascii.period ||
    byte == ascii.equalSign ||
    byte == ascii.colon ||
    byte == ascii.comma ||
    byte == ascii.closeRound
  );
}

/**
 * Returns true if only modifiers (`pub`, with or without brackets) or the mark of a directive precede the word on its
 * line.
 */
function modifiersOnly(meaning: i32): bool {
  const first = firstTokenOfLine();
  const before = lexer.count - first;
  const start = tokenStart(first);
  const byte: u32 = load<u8>(start);
  if (meaning == lexicon.formMeaning) return before == 1 && byte == ascii.openRound;
  // True for # @ - ` and %
  const mark =
    byte == ascii.numberSign ||
    byte == ascii.atSign ||
    byte == ascii.minus ||
    byte == ascii.backtick ||
    byte == ascii.percent;
  if (meaning == lexicon.directiveMeaning) return before == 1 && mark;
  // pub(in crate::a) has 7 tokens, so more than 8 tokens cannot be modifiers.
  if (before > 8) return false;
  return (
    (meaning == lexicon.importMeaning && byte == ascii.atSign) ||
    meaningOf(tokenWord(first) >> kindBits) == lexicon.modifierMeaning
  );
}

/**
 * Returns the end of a statement. The statement ends after a semicolon or, if line breaks can end it, at a line break.
 * Line breaks inside brackets, or after a comma or backslash, do not end it.
 */
function endOfStatement(p: usize, limit: usize, lineEnds: bool): usize {
  if (p < lexer.importFailedTo) return 0;
  let nesting: i32 = 0;
  // The last byte that was neither white space nor part of a comment, or 0 if there was none.
  let last: u32 = 0;
  while (p < limit) {
    const byte: u32 = load<u8>(p);
    if (isLineEnd(byte)) {
      const ends = lineEnds && nesting == 0 && last != ascii.comma && last != ascii.backslash && last != 0;
      if (ends && !isContinued(p, limit)) return p;
    } else if (byte == ascii.semicolon && nesting == 0) {
      return p + 1;
    } else if (classAt(p) == lexicon.ruleClass) {
      const rule = passableRuleAt(p, limit, overLines);
      if (rule != null) {
        if (!isComment(rule)) last = byte;
        p = endOfRule(rule, p, limit, 0, overLines);
        continue;
      }
    }
    if (byte == ascii.openRound || byte == ascii.openSquare || byte == ascii.openCurly) nesting++;
    else if (byte == ascii.closeRound || byte == ascii.closeSquare || byte == ascii.closeCurly) {
      // This bracket closes a list around the import.
      if (--nesting < 0) return p;
    }
    if (byte > ascii.space) last = byte;
    p++;
  }
  return nesting == 0 ? endAtLimit(limit) : fail(limit);
}

/** Returns true if the next line belongs to the statement because it is indented. `p` is the line break before it. */
function isContinued(p: usize, limit: usize): bool {
  if (!(changetype<lexicon.Lexicon>(lexer.lexicon).flags & lexicon.indentedImportsFlag)) return false;
  const next = afterWhite(p, limit);
  return next < limit && isBlank(load<u8>(next - 1)) && isFirstOnLine(next);
}

/**
 * Returns the end of a statement that extends to the limit of the search. A statement ends at the end of the text, but
 * not at another limit.
 */
function endAtLimit(limit: usize): usize {
  return limit == lexer.textEnd ? limit : fail(limit);
}

function fail(limit: usize): usize {
  lexer.importFailedTo = limit;
  return 0;
}

function isComment(rule: lexicon.Rule): bool {
  const type: i32 = rule.type;
  return type == lexicon.lineCommentRule || type == lexicon.blockCommentRule || type == lexicon.fencedCommentRule;
}

/** Returns the end of `package a.b;` and similar headers, which contain only names, dots, and commas. */
function endOfHeader(p: usize, limit: usize): usize {
  const from = p;
  while (p < limit) {
    const byte: u32 = load<u8>(p);
    if (isLineEnd(byte) && lexer.endsWithLine) return p > from ? p : 0;
    if (byte == ascii.semicolon) return p + 1;
    if (classAt(p) == lexicon.ruleClass) {
      const rule = passableRuleAt(p, limit, overLines);
      if (rule != null && !isComment(rule)) return 0;
      if (rule != null) {
        p = endOfRule(rule, p, limit, 0, overLines);
        continue;
      }
    }
    // True for . : \ , * and white space
    const joins =
      byte == ascii.period ||
      byte == ascii.colon ||
      byte == ascii.backslash ||
      byte == ascii.comma ||
      byte == ascii.asterisk ||
      byte <= ascii.space;
    if (!joins && !isWordAt(p)) return 0;
    p++;
  }
  return limit == lexer.textEnd ? limit : 0;
}

/**
 * Returns the end of declarations such as `const a = require('a')`, whose first name is at `p`. More declarations may
 * follow after commas.
 */
function endOfRequire(p: usize, limit: usize): usize {
  let imported: usize = 0;
  while (true) {
    p = endOfRequireCall(p, limit);
    if (p == 0) return imported;
    const after = afterBlanks(p, limit);
    if (after == limit || isLineEnd(load<u8>(after))) return after;
    if (load<u8>(after) == ascii.semicolon) return after + 1;
    if (load<u8>(after) != ascii.comma) return after;
    // Another declaration follows the comma. If that declaration is not an import, lexing continues there.
    p = afterWhite(after + 1, limit);
    if (p == limit) return p;
    imported = p;
  }
}

/** If `a = require('a').b` is at `p`, returns its end. Otherwise returns 0. */
function endOfRequireCall(p: usize, limit: usize): usize {
  const byte: u32 = load<u8>(p);
  if (byte == ascii.openCurly || byte == ascii.openSquare) p = endOfList(p, limit);
  else if (isWordAt(p)) p += wordLength(p, limit);
  else return 0;
  if (p == 0) return 0;
  p = afterWhite(p, limit);
  if (p >= limit || load<u8>(p) != ascii.equalSign) return 0;
  p = afterWhite(p + 1, limit);
  // In Zig, require is written @import.
  if (p < limit && load<u8>(p) == ascii.atSign) p++;
  if (p >= limit || !isWordAt(p)) return 0;
  const length = wordLength(p, limit);
  if (meaningOf(hashWord(p, length)) != lexicon.importCallMeaning) return 0;
  p = afterBlanks(p + length, limit);
  if (p >= limit) return 0;
  const next: u32 = load<u8>(p);
  if (next == ascii.openRound) p = endOfList(p, limit);
  else if (next == ascii.doubleQuote || next == ascii.singleQuote) p = endOfLiteral(p, limit);
  else return 0;
  if (p == 0) return 0;
  // Skip member accesses on the imported module.
  while (p < limit && (load<u8>(p) == ascii.period || isWordAt(p))) p++;
  return p;
}

function endOfLiteral(p: usize, limit: usize): usize {
  const rule = passableRuleAt(p, limit, inOneLine);
  return rule == null ? 0 : endOfRule(rule, p, limit, 0, inOneLine);
}

/**
 * Returns the end of `export { a } from 'a'` or `export * from 'a'`. `p` is the position of the list. Returns 0 if
 * there is no `from`.
 */
function endOfReexport(p: usize, limit: usize): usize {
  // Skip `type` in export type { A } from 'a'.
  if (isWordAt(p)) p = afterBlanks(p + wordLength(p, limit), limit);
  if (p >= limit) return 0;
  const byte: u32 = load<u8>(p);
  if (byte == ascii.openCurly) p = endOfList(p, limit);
  else if (byte == ascii.asterisk) p = afterBlanks(p + 1, limit);
  else return 0;
  if (p == 0) return 0;
  p = afterWhite(p, limit);
  // Skip `as name`.
  if (p + 3 < limit && load<u16>(p) == wordAs && load<u8>(p, 2) <= ascii.space) {
    p = afterWhite(p + 2, limit);
    p = afterWhite(p + wordLength(p, limit), limit);
  }
  // Expect `from`.
  if (p + 4 >= limit || load<u32>(p) != wordFrom || wordLength(p, limit) != 4) return 0;
  return endOfStatement(p + 4, limit, lexer.endsWithLine);
}

/** Returns the end of the bracketed list at `p`. Returns 0 if it is not closed or contains a semicolon. */
function endOfList(p: usize, limit: usize): usize {
  if (p < lexer.importFailedTo) return 0;
  let nesting: i32 = 0;
  while (p < limit) {
    const byte: u32 = load<u8>(p);
    const rule = classAt(p) == lexicon.ruleClass ? passableRuleAt(p, limit, overLines) : null;
    if (rule != null) {
      p = endOfRule(rule, p, limit, 0, overLines);
      continue;
    }
    if (byte == ascii.semicolon) return 0;
    if (byte == ascii.openRound || byte == ascii.openSquare || byte == ascii.openCurly) nesting++;
    else if (byte == ascii.closeRound || byte == ascii.closeSquare || byte == ascii.closeCurly) {
      if (--nesting == 0) return p + 1;
    }
    p++;
  }
  return fail(limit);
}
