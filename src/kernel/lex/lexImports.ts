/**
 * Where imports end. Each of these functions is asked at the word that may begin an import, hands out nothing, and
 * answers 0 when it is none. How far they look is bounded, and a look that failed is not repeated before its end.
 */
import {
  asterisk,
  atSign,
  backslash,
  backtick,
  closeCurly,
  closeRound,
  closeSquare,
  colon,
  comma,
  doubleQuote,
  equalSign,
  minus,
  numberSign,
  openCurly,
  openRound,
  openSquare,
  percent,
  period,
  semicolon,
  singleQuote,
  space,
} from './ascii';
import { kindBits } from './lexedLayout';
import { afterBlanks, afterWhite, classAt, isFirstOnLine, isBlank, isLineEnd, isWordAt, wordLength } from './lexBytes';
import {
  blockCommentRule,
  declarationMeaning,
  directiveMeaning,
  fencedCommentRule,
  flagsAt,
  formMeaning,
  headerMeaning,
  importCallMeaning,
  importMeaning,
  indentedImportsFlag,
  lineCommentRule,
  modifierMeaning,
  reexportMeaning,
  requireMeaning,
  ruleClass,
  semicolonsFlag,
  typeAt,
} from './lexiconLayout';
import { endOfRule, passableRuleAt } from './lexRules';
import { count, firstTokenOfLine, folds, hashBytes, lexicon, meaningOf, tokenStart, tokenWord } from './lexState';
import { wordAs, wordFrom } from './loadedWords';

/** The longest import that is recognised, in bytes; the longest import list of a real module is far shorter. */
const maxImport: usize = 65536;

let failedTo: usize = 0;
let textEnd: usize = 0;
/** Whether a line end can end a statement. */
let endsWithLine: bool = true;

export function openImports(end: usize): void {
  failedTo = 0;
  textEnd = end;
  endsWithLine = (load<u32>(lexicon, flagsAt) & semicolonsFlag) == 0;
}

/**
 * The end of the import that begins with the word at `p` of `length` bytes, which has an import's meaning; 0 when it is
 * none. The end is after its `;` or at its line end.
 */
export function endOfImport(meaning: i32, p: usize, length: usize, end: usize): usize {
  const isFirst = firstTokenOfLine() == count;
  if (isFirst ? meaning == directiveMeaning || meaning == formMeaning : !modifiersOnly(meaning)) return 0;
  const limit = min(p + maxImport, end);
  if (meaning == formMeaning) return endOfList(p - 1, limit);
  const next = afterBlanks(p + length, limit);
  if (next == limit) return 0;
  const byte: u32 = load<u8>(next);
  // Python's `from . import a`, unlike import.meta.
  const isRelative = byte == period && next > p + length;
  switch (meaning) {
    case importMeaning:
      // Brackets make it a call: import(…).
      return byte == openRound || (isNameBefore(byte) && !isRelative) ? 0 : endOfStatement(next, limit, endsWithLine);
    case directiveMeaning:
      return isNameBefore(byte) ? 0 : endOfStatement(next, limit, true);
    case importCallMeaning:
    case requireMeaning:
      return isNameBefore(byte) ? 0 : endOfStatement(next, limit, endsWithLine);
    case headerMeaning:
      return endOfHeader(next, limit);
    case declarationMeaning:
      return endOfRequire(next, limit);
    case reexportMeaning:
      return endOfReexport(next, limit);
    default:
      return 0;
  }
}

/** Whether the word before `byte` is just a name: import.meta, import = 1, import: 1, (a, import). */
function isNameBefore(byte: u32): bool {
  return byte == period || byte == equalSign || byte == colon || byte == comma || byte == closeRound;
}

/** Whether all that came on this line is a modifier (`pub`, with brackets perhaps) or the mark of a directive. */
function modifiersOnly(meaning: i32): bool {
  const first = firstTokenOfLine();
  const before = count - first;
  const start = tokenStart(first);
  const byte: u32 = load<u8>(start);
  if (meaning == formMeaning) return before == 1 && byte == openRound;
  // # @ - ` %
  const mark = byte == numberSign || byte == atSign || byte == minus || byte == backtick || byte == percent;
  if (meaning == directiveMeaning) return before == 1 && mark;
  // pub(in crate::a) has 7 tokens.
  if (before > 8) return false;
  return (meaning == importMeaning && byte == atSign) || meaningOf(tokenWord(first) >> kindBits) == modifierMeaning;
}

/**
 * The end of a statement: after `;`, or, if that can end it, at a line end outside of brackets that no comma or backslash
 * carries over.
 */
function endOfStatement(p: usize, limit: usize, lineEnds: bool): usize {
  if (p < failedTo) return 0;
  let nesting: i32 = 0;
  // The last byte that is neither white nor comment; 0 when there was none yet.
  let last: u32 = 0;
  while (p < limit) {
    const byte: u32 = load<u8>(p);
    if (isLineEnd(byte)) {
      const ends = lineEnds && nesting == 0 && last != comma && last != backslash && last != 0;
      if (ends && !isContinued(p, limit)) return p;
    } else if (byte == semicolon && nesting == 0) {
      return p + 1;
    } else if (classAt(p) == ruleClass) {
      const rule = passableRuleAt(p, limit, false);
      if (rule != 0) {
        if (!isComment(rule)) last = byte;
        p = endOfRule(rule, p, limit, 0, false);
        continue;
      }
    }
    if (byte == openRound || byte == openSquare || byte == openCurly) nesting++;
    else if (byte == closeRound || byte == closeSquare || byte == closeCurly) {
      // The bracket closes something around the import.
      if (--nesting < 0) return p;
    }
    if (byte > space) last = byte;
    p++;
  }
  return nesting == 0 ? endAtLimit(limit) : fail(limit);
}

/** Whether the lines after the line end at `p` belong to the statement because they are indented. */
function isContinued(p: usize, limit: usize): bool {
  if (!(load<u32>(lexicon, flagsAt) & indentedImportsFlag)) return false;
  const next = afterWhite(p, limit);
  return next < limit && isBlank(load<u8>(next - 1)) && isFirstOnLine(next);
}

/** At the end of the text a statement ends as well; at the limit of looking it does not. */
function endAtLimit(limit: usize): usize {
  return limit == textEnd ? limit : fail(limit);
}

function fail(limit: usize): usize {
  failedTo = limit;
  return 0;
}

function isComment(rule: usize): bool {
  const type: i32 = load<u8>(rule, typeAt);
  return type == lineCommentRule || type == blockCommentRule || type == fencedCommentRule;
}

/** The end of `package a.b;` and the like: names, dots and commas only. */
function endOfHeader(p: usize, limit: usize): usize {
  const from = p;
  while (p < limit) {
    const byte: u32 = load<u8>(p);
    if (isLineEnd(byte) && endsWithLine) return p > from ? p : 0;
    if (byte == semicolon) return p + 1;
    if (classAt(p) == ruleClass) {
      const rule = passableRuleAt(p, limit, false);
      if (rule != 0 && !isComment(rule)) return 0;
      if (rule != 0) {
        p = endOfRule(rule, p, limit, 0, false);
        continue;
      }
    }
    // . : \ , * and white
    const joins =
      byte == period || byte == colon || byte == backslash || byte == comma || byte == asterisk || byte <= space;
    if (!joins && !isWordAt(p)) return 0;
    p++;
  }
  return limit == textEnd ? limit : 0;
}

/** The end of `const a = require('a')`, from the name on; also of more such declarations after commas. */
function endOfRequire(p: usize, limit: usize): usize {
  let imported: usize = 0;
  while (true) {
    p = endOfRequireCall(p, limit);
    if (p == 0) return imported;
    const after = afterBlanks(p, limit);
    if (after == limit || isLineEnd(load<u8>(after))) return after;
    if (load<u8>(after) == semicolon) return after + 1;
    if (load<u8>(after) != comma) return after;
    // Another declaration; where it is no import, the code goes on with it.
    p = afterWhite(after + 1, limit);
    if (p == limit) return p;
    imported = p;
  }
}

/** The end of `a = require('a').b`, or 0. */
function endOfRequireCall(p: usize, limit: usize): usize {
  const byte: u32 = load<u8>(p);
  if (byte == openCurly || byte == openSquare) p = endOfList(p, limit);
  else if (isWordAt(p)) p += wordLength(p, limit);
  else return 0;
  if (p == 0) return 0;
  p = afterWhite(p, limit);
  if (p >= limit || load<u8>(p) != equalSign) return 0;
  p = afterWhite(p + 1, limit);
  // Zig's require is written @import.
  if (p < limit && load<u8>(p) == atSign) p++;
  if (p >= limit || !isWordAt(p)) return 0;
  const length = wordLength(p, limit);
  if (meaningOf(hashBytes(p, length, 0, folds)) != requireMeaning) return 0;
  p = afterBlanks(p + length, limit);
  if (p >= limit) return 0;
  const next: u32 = load<u8>(p);
  if (next == openRound) p = endOfList(p, limit);
  else if (next == doubleQuote || next == singleQuote) p = endOfLiteral(p, limit);
  else return 0;
  if (p == 0) return 0;
  // A member of what was imported.
  while (p < limit && (load<u8>(p) == period || isWordAt(p))) p++;
  return p;
}

function endOfLiteral(p: usize, limit: usize): usize {
  const rule = passableRuleAt(p, limit, true);
  return rule == 0 ? 0 : endOfRule(rule, p, limit, 0, true);
}

/** The end of `export { a } from 'a'` and `export * from 'a'`, from the list on. */
function endOfReexport(p: usize, limit: usize): usize {
  // export type { A } from 'a'
  if (isWordAt(p)) p = afterBlanks(p + wordLength(p, limit), limit);
  if (p >= limit) return 0;
  const byte: u32 = load<u8>(p);
  if (byte == openCurly) p = endOfList(p, limit);
  else if (byte == asterisk) p = afterBlanks(p + 1, limit);
  else return 0;
  if (p == 0) return 0;
  p = afterWhite(p, limit);
  // … as name
  if (p + 3 < limit && load<u16>(p) == wordAs && load<u8>(p, 2) <= space) {
    p = afterWhite(p + 2, limit);
    p = afterWhite(p + wordLength(p, limit), limit);
  }
  // from
  if (p + 4 >= limit || load<u32>(p) != wordFrom || wordLength(p, limit) != 4) return 0;
  return endOfStatement(p + 4, limit, endsWithLine);
}

/** The end of a list in brackets that begins at `p`, or 0: then it has no end, or a `;` inside. */
function endOfList(p: usize, limit: usize): usize {
  if (p < failedTo) return 0;
  let nesting: i32 = 0;
  while (p < limit) {
    const byte: u32 = load<u8>(p);
    const rule = classAt(p) == ruleClass ? passableRuleAt(p, limit, false) : 0;
    if (rule != 0) {
      p = endOfRule(rule, p, limit, 0, false);
      continue;
    }
    if (byte == semicolon) return 0;
    if (byte == openRound || byte == openSquare || byte == openCurly) nesting++;
    else if (byte == closeRound || byte == closeSquare || byte == closeCurly) {
      if (--nesting == 0) return p + 1;
    }
    p++;
  }
  return fail(limit);
}
