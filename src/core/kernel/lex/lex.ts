/**
 * The lexer: converts bytes of any language to tokens, using the language's compiled lexicon
 * (src/core/engine/languages/lexiconBytes.ts). It makes one pass over the text, with a switch over the class of the
 * next byte. ruleEnds.ts applies the rules of the lexicon, lexImports.ts finds imports, and lexProse.ts lexes prose. It
 * accepts any bytes. The tokens are always ascending, disjoint, and within the text.
 */
import * as ascii from './ascii';
import * as lexed from './lexed';
import {
  afterBlanks,
  afterLineEnd,
  classAt,
  endOfLine,
  isFirstOnLine,
  isLineEnd,
  plainClassAt,
  wordLength,
} from './lexBytes';
import { passComment } from './lexComments';
import * as lexicon from './lexicon';
import { isKeywordAt } from './lexContext';
import { endOfImport, openImports } from './lexImports';
import { endOfHeredoc, endOfHeredocName, literal, literalBytes, openLiterals } from './lexLiterals';
import { lexMarkup } from './lexMarkup';
import { lexDot, lexNumber, lexOperator } from './lexOperators';
import { lexProse, lexWordsOf } from './lexProse';
import { endOfHole, endOfRule, inOneLine, overLines, passableRuleAt, prefixRuleAt, ruleAt } from './ruleEnds';
import {
  beginLine,
  dropLine,
  emit,
  emitBytes,
  foldAscii,
  hashBlock,
  hashBytes,
  hashWord,
  hashEnd,
  hashStart,
  lastLineIsWhole,
  lexer,
  lexerBytes,
  loadPart,
  meaningOf,
  open,
  passLines,
  resumeLine,
  storeResults,
  tokenStart,
  tokenWord,
} from './lexState';
import { detachBrackets, hasPairs, hasWord, keepSigns, lexText, looksLikeCode } from './lexText';
import { byteOrderMark, threeBytes } from './loadedWords';

/** Maximum length in bytes of a string's content that becomes one token. Longer content is split into words. */
const maxStringToken: usize = 80;

/** Number of bytes after the text that may be read. Their values do not affect the result. */
const margin: usize = 32;

/** Maximum nesting depth of templates. Deeper templates are lexed as words only. */
const maxTemplateDepth: u32 = 8;

/** Returns the size in bytes of the scratch memory that `lex` needs. */
export function lexScratchBytes(): usize {
  return lexerBytes + literalBytes;
}

/**
 * Lexes the bytes [start, end) of a text with the compiled lexicon at `compiled`, and appends the tokens to `arrays`.
 * The caller must pass the segments of a text in ascending order. Lines between segments are counted, too.
 *
 * @param scratch   `lexScratchBytes()` bytes for the state of the lexer, aligned to 8
 * @param comments  output for the words of comments, or null if they are not needed
 */
export function lex(
  scratch: usize,
  text: lexed.LexedText,
  start: u32,
  end: u32,
  compiled: usize,
  arrays: lexed.LexedArrays,
  comments: lexed.LexedArrays | null,
): void {
  const source = text.source;
  if (source + text.length + margin > (<usize>memory.size()) << 16) memory.grow(1);
  open(scratch, text, compiled, arrays, comments);
  let p = source + start;
  const stop = source + end;
  passLines(lexer.lineStart, p);
  resumeLine();
  // Skip a byte order mark, which would otherwise count as a letter.
  if (start == 0 && end >= 3 && (load<u32>(p) & threeBytes) == byteOrderMark) p += 3;
  const flags = changetype<lexicon.Lexicon>(compiled).flags;
  if (flags & lexicon.proseFlag) {
    lexProse(p, stop);
  } else if (flags & lexicon.markupFlag) {
    lexMarkup(p, stop);
  } else {
    openLiterals(scratch + lexerBytes);
    openImports(stop);
    lexCode(p, stop);
  }
  storeResults(text, arrays, comments);
  text.flags |=
    (isAscii(source + start, stop) ? 0 : lexed.beyondAsciiFlag) | (lexer.blankless ? lexed.blanklessFlag : 0);
}

function isAscii(p: usize, end: usize): bool {
  let all = i8x16.splat(0);
  for (; p + 16 <= end; p += 16) all = v128.or(all, v128.load(p));
  if (p < end) all = v128.or(all, loadPart(p, end - p));
  return i8x16.bitmask(all) == 0;
}

function lexCode(p: usize, end: usize): void {
  while (p < end) {
    let byteClass = classAt(p);
    if (byteClass == lexicon.ruleClass) {
      const rule = ruleAt(p, end);
      if (rule != null) {
        p = lexRule(rule, p, end);
        continue;
      }
      byteClass = plainClassAt(p);
    }
    switch (<i32>byteClass) {
      case lexicon.blankClass:
        p++;
        break;
      case lexicon.lineEndClass:
        p = lexLineEnd(p, end);
        break;
      case lexicon.wordClass:
        p = lexWord(p, end);
        break;
      case lexicon.digitClass:
        p = lexNumber(p, end);
        break;
      case lexicon.punctuationClass:
        if (load<u8>(p) == ascii.period) {
          p = lexDot(p, end);
        } else {
          emitBytes(p, 1, lexed.punctuationKind);
          p++;
        }
        break;
      default:
        p = lexOperator(p, end);
    }
  }
}

function lexLineEnd(p: usize, end: usize): usize {
  if (lexer.pendingHeredoc) return lexHeredocs(p, end);
  // CRLF is one line break, even if its line feed is in the next segment of the text.
  const crlf = load<u8>(p) == ascii.carriageReturn && p + 1 < lexer.sourceEnd && load<u8>(p, 1) == ascii.lineFeed;
  p++;
  if (!crlf) beginLine(p);
  while (p < end) {
    const bytes = v128.load(p);
    const blanks = i8x16.bitmask(
      v128.or(i8x16.eq(bytes, i8x16.splat(<i8>ascii.space)), i8x16.eq(bytes, i8x16.splat(<i8>ascii.tab))),
    );
    const run = ctz(~blanks);
    p += run;
    if (run < 16) break;
  }
  return min(p, end);
}

/**
 * Lexes the words of the heredocs that were opened on the line that ends at `p`. Returns the position after the
 * heredocs.
 */
function lexHeredocs(p: usize, end: usize): usize {
  const lineEnd = p;
  p = afterLineEnd(p, end);
  passLines(lineEnd, p);
  for (let q = lexer.pendingHeredoc; q < lineEnd;) {
    const rule = classAt(q) == lexicon.ruleClass ? passableRuleAt(q, end, inOneLine) : null;
    if (rule == null) {
      q++;
    } else if (rule.type == lexicon.heredocRule) {
      const after = endOfHeredoc(rule, q, p, end);
      if (after > p) lexText(literal.bodyStart, literal.bodyEnd, p, after, keepSigns);
      p = after;
      q = endOfHeredocName(rule, q, end);
    } else {
      q = endOfRule(rule, q, end, 0, inOneLine);
    }
  }
  lexer.pendingHeredoc = 0;
  return p;
}

function lexWord(p: usize, end: usize): usize {
  const length = wordLength(p, end);
  let hash: u32;
  if (length <= 16) {
    let bytes = loadPart(p, length);
    if (lexer.folds) bytes = foldAscii(bytes);
    hash = hashEnd(hashBlock(hashStart(length, 0), i64x2.extract_lane(bytes, 0), i64x2.extract_lane(bytes, 1)));
  } else {
    hash = hashWord(p, length);
  }
  const after = p + length;
  const next: u32 = after < end ? load<u8>(after) : 10;
  if (
    load<u8>(lexer.lexicon + next, lexicon.classesAt) & lexicon.afterPrefix &&
    length < <usize>load<u8>(lexer.lexicon, lexicon.longestPrefixAt)
  ) {
    const rule = prefixRuleAt(p, end, length);
    if (rule != null) return lexRule(rule, p, end);
  }
  const meaning = meaningOf(hash);
  if (meaning == 0) {
    emit(hash, kindOfName(after, end), p, length);
    return after;
  }
  if (meaning >= lexicon.importMeaning) {
    if (meaning >= lexicon.introducingMeaning || meaning == lexicon.typeMeaning) {
      emit(hash, isKeywordAt(meaning, p, length, end) ? lexed.keywordKind : kindOfName(after, end), p, length);
      return after;
    }
    const skipped = endOfSpecialWord(meaning, p, length, end);
    if (skipped != 0) return skipped;
    if (!isKeywordToo(meaning)) {
      emit(hash, next == ascii.openRound ? lexed.callKind : lexed.identifierKind, p, length);
      return after;
    }
  }
  emit(hash, lexed.keywordKind, p, length);
  return after;
}

/** Returns the kind of a name that ends at `after`. */
@inline function kindOfName(after: usize, end: usize): u32 {
  const next = afterBlanks(after, end);
  return next < end && load<u8>(next) == ascii.openRound ? lexed.callKind : lexed.identifierKind;
}

/**
 * If a special word begins an import, a comment, or the end of the code at this position, returns where that ends.
 * Otherwise returns 0.
 */
function endOfSpecialWord(meaning: i32, p: usize, length: usize, end: usize): usize {
  let stop: usize;
  switch (meaning) {
    case lexicon.commentMeaning:
      if (!isFirstOnLine(p) && !(p > lexer.source && load<u8>(p - 1) == ascii.atSign && isFirstOnLine(p - 1))) return 0;
      stop = endOfWordComment(p + length, end);
      break;
    case lexicon.endMeaning:
      if (p > lexer.source && !isLineEnd(load<u8>(p - 1))) return 0;
      stop = end;
      break;
    default:
      stop = endOfImport(meaning, p, length, end);
  }
  if (stop == 0) return 0;
  dropLine();
  if (meaning == lexicon.commentMeaning) passComment(p + length, stop);
  else passLines(p, stop);
  return stop;
}

/**
 * Returns the end of a comment that begins with a word, which ends at `p`: the end of the line, or of the first string
 * that begins on the line and ends on another one.
 */
function endOfWordComment(p: usize, end: usize): usize {
  const stop = endOfLine(p, end);
  while (p < stop) {
    const rule = classAt(p) == lexicon.ruleClass ? passableRuleAt(p, end, overLines) : null;
    const type: i32 = rule == null ? 0 : rule.type;
    if (type == lexicon.lineCommentRule) return stop;
    if (rule != null && (type == lexicon.stringRule || type == lexicon.quoteLikeRule))
      p = endOfRule(rule, p, end, 0, overLines);
    else p++;
  }
  return max(p, stop);
}

/** Returns true if a special word with this meaning is a keyword when it does not begin an import. */
function isKeywordToo(meaning: i32): bool {
  switch (meaning) {
    case lexicon.importMeaning:
    case lexicon.headerMeaning:
    case lexicon.declarationMeaning:
    case lexicon.reexportMeaning:
    case lexicon.modifierMeaning:
      return true;
    default:
      return false;
  }
}

/** Emits the tokens of the text that `rule` matches at `p`. Returns the end of that text. */
function lexRule(rule: lexicon.Rule, p: usize, end: usize): usize {
  const type: i32 = rule.type;
  const seed = rule.seed;
  const stop = endOfRule(rule, p, end, 0, overLines);
  switch (type) {
    case lexicon.lineCommentRule:
    case lexicon.blockCommentRule:
    case lexicon.fencedCommentRule:
      passComment(p, stop);
      return stop;
    case lexicon.discardRule:
      // This form is code that is never evaluated, so treat it as a comment.
      if (lexer.keepsComments) lexWordsOf(p, stop, lexed.commentKind);
      else passLines(p, stop);
      return stop;
    case lexicon.stringRule:
      if (rule.flags & lexicon.docstringRule && isStatement(rule, p, stop, end)) passComment(p, stop);
      else lexString(rule, p, stop);
      return stop;
    case lexicon.fencedRule:
    case lexicon.quoteLikeRule:
      lexString(rule, p, stop);
      return stop;
    case lexicon.blockScalarRule:
      lexText(literal.bodyStart, literal.bodyEnd, p, stop, keepSigns);
      return stop;
    case lexicon.characterRule:
      if (literal.isClosed) emitString(seed, p, stop);
      else emit(hashWord(p, stop - p), stop - p > 1 ? lexed.identifierKind : lexed.operatorKind, p, stop - p);
      return stop;
    case lexicon.regexRule:
      if (endOfLine(p, stop) == stop) emitString(seed, p, stop);
      else lexString(rule, p, stop);
      return stop;
    case lexicon.heredocRule:
      if (!lexer.pendingHeredoc) lexer.pendingHeredoc = p;
      emitBytes(p, 2, lexed.operatorKind);
      return stop;
    default:
      emit(hashWord(p, stop - p), lexed.operatorKind, p, stop - p);
      return stop;
  }
}

/**
 * Emits one token for the string at `p`. Precondition: `literal` describes this string, because its end was the last
 * one searched for.
 */
function emitString(seed: u32, p: usize, stop: usize): void {
  emit(hashBytes(literal.bodyStart, literal.bodyEnd - literal.bodyStart, seed), lexed.stringKind, p, stop - p);
}

/**
 * Lexes the string at `p`. A short string becomes one token. In a long or multiline string, the words and the code in
 * holes become tokens. If its lines look like code, all of it is lexed as code. Precondition: `literal` describes this
 * string, because its end was the last one searched for.
 */
function lexString(rule: lexicon.Rule, p: usize, stop: usize): void {
  const seed = rule.seed;
  if (isShortString(p, stop)) {
    emitString(seed, p, stop);
  } else if (
    rule.flags & lexicon.codeRule &&
    lexer.templateDepth < maxTemplateDepth &&
    looksLikeCode(literal.bodyStart, literal.bodyEnd)
  ) {
    lexInner(p, stop);
  } else if (rule.holeLength) {
    lexTemplate(rule, p, stop);
  } else if (hasWord(literal.bodyStart, literal.bodyEnd)) {
    lexText(literal.bodyStart, literal.bodyEnd, p, stop, endOfLine(p, stop) < stop);
  } else {
    // Also emit a token for a string without words, such as a line of dashes.
    emitString(seed, p, endOfLine(p, stop));
    passLines(p, stop);
  }
}

/**
 * Lexes the content of a string as code. If not all of its brackets have partners, they become operators, so that none
 * pairs with a bracket around the string. Precondition: the last search for the end of a literal was for this string.
 */
function lexInner(p: usize, stop: usize): void {
  const to = literal.bodyEnd;
  passLines(p, literal.bodyStart);
  const heredoc = lexer.pendingHeredoc;
  lexer.pendingHeredoc = 0;
  lexer.templateDepth++;
  const before = lexer.count;
  lexCode(literal.bodyStart, to);
  if (!hasPairs(before)) detachBrackets(before);
  lexer.templateDepth--;
  lexer.pendingHeredoc = heredoc;
  passLines(to, stop);
}

/**
 * Returns true if the string from `p` to `stop` becomes one token. Precondition: `literal` describes this string,
 * because its end was the last one searched for.
 */
function isShortString(p: usize, stop: usize): bool {
  return literal.bodyEnd - literal.bodyStart <= maxStringToken && endOfLine(p, stop) == stop;
}

/** Lexes a long string with holes: the words between the holes, and the code in them. */
function lexTemplate(rule: lexicon.Rule, p: usize, stop: usize): void {
  const to = literal.bodyEnd;
  const holeLength: u32 = rule.holeLength;
  const holeOpen: u32 = rule.holeOpen;
  const holeClose: u32 = rule.holeClose;
  const escape: u32 = rule.escape;
  const withSigns = endOfLine(p, stop) < stop;
  let from = literal.bodyStart;
  let passed = p;
  for (let q = from; q < to && lexer.templateDepth < maxTemplateDepth;) {
    const byte: u32 = load<u8>(q);
    const isHole = holeLength == 1 ? byte == holeOpen : q + 1 < to && <u32>load<u16>(q) == holeOpen;
    if (!isHole || (holeLength == 1 && q + 1 < to && <u32>load<u8>(q, 1) == byte)) {
      // Both bytes of an escape sequence, or of a doubled opening, are text.
      q += (byte == escape && escape != 0) || isHole ? 2 : 1;
      continue;
    }
    const after = endOfHole(q + holeLength, to, holeClose, 1, overLines);
    if (!literal.isClosed) break;
    lexText(from, q, passed, q, withSigns);
    emitHoleOpening(q, holeLength, holeClose);
    lexer.templateDepth++;
    const heredoc = lexer.pendingHeredoc;
    lexer.pendingHeredoc = 0;
    lexCode(q + holeLength, after - 1);
    lexer.pendingHeredoc = heredoc;
    lexer.templateDepth--;
    emitBytes(after - 1, 1, lexed.punctuationKind);
    from = passed = q = after;
  }
  lexText(from, to, passed, stop, withSigns);
}

/**
 * Emits the opening bracket of a hole without the signs before it ({ for ${ and #{). So brackets are balanced, and
 * holes have the same tokens in all languages.
 */
function emitHoleOpening(p: usize, length: usize, close: u32): void {
  const bracket = close == ascii.closeRound ? 40 : close - 2;
  emit(hashEnd(hashBlock(hashStart(1, 0), bracket, 0)), lexed.punctuationKind, p, length);
}

/**
 * Returns true if the string from `p` to `stop` is a complete statement: it begins and ends its line, and the previous
 * line is complete.
 */
function isStatement(rule: lexicon.Rule, p: usize, stop: usize, end: usize): bool {
  if (!isFirstOnLine(p)) return false;
  const q = afterBlanks(stop, end);
  if (q < end && !isLineEnd(load<u8>(q)) && load<u8>(q) != ascii.numberSign && load<u8>(q) != ascii.semicolon)
    return false;
  if (lexer.count == lexer.segmentBase) return true;
  const word = tokenWord(lexer.count - 1);
  const byte: u32 = load<u8>(tokenStart(lexer.count - 1));
  switch (<i32>(word & lexed.kindMask)) {
    // After ( [ { and the comma, the string is an element of a list.
    case lexed.punctuationKind:
      return (
        byte == ascii.closeRound || byte == ascii.closeSquare || byte == ascii.closeCurly || byte == ascii.semicolon
      );
    case lexed.operatorKind:
      return byte == ascii.colon;
    case lexed.stringKind:
      // A string directly after another one usually continues it, because adjacent strings are joined. Strings in
      // triple quotes are rarely joined on purpose.
      return rule.closeLength == 3 && lastLineIsWhole();
    case lexed.keywordKind:
      return meaningOf(word >> lexed.kindBits) == lexicon.valueMeaning;
    default:
      return true;
  }
}
