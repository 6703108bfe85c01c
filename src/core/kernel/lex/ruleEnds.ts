/**
 * Finds the ends of the tokens for which a lexicon has rules, including strings. These functions emit no tokens. They
 * always return an address within the given bounds, and read each byte at most a fixed number of times. An unclosed
 * token extends to the end of the line or of the text.
 */
import * as ascii from './ascii';
import {
  afterLineEnd,
  afterWhite,
  classAt,
  endOfLine,
  isBlank,
  isFirstOnLine,
  isLineEnd,
  isOperatorAt,
  isWordAt,
  matches,
} from './lexBytes';
import * as lexicon from './lexicon';
import {
  blockScalarAt,
  closeBody,
  endOfBlockScalar,
  endOfCharacter,
  endOfEscaped,
  endOfFenced,
  endOfHeredoc,
  endOfHeredocName,
  endOfQuoteLike,
  endOfRegex,
  fenceAfter,
  heredocAfter,
  leaveBodyOpen,
  literal,
  quoteLikeAt,
  regexAt,
} from './lexLiterals';
import { lexer } from './lexState';
import { endsPattern, isApart, valueMayStart } from './lexValues';
import { carriageReturnLineFeed } from './loadedWords';
import { itemOf } from '../records';

/** Maximum nesting depth of code in strings. Bounds the use of the stack; real programs stay below. */
const maxDepth: u32 = 16;
/** Values of `oneLine`. */
export const inOneLine: bool = true;
export const overLines: bool = false;
/** Maximum length of a YAML tag or anchor, in bytes. */
const maxTag: usize = 64;

/** Returns the rule that applies at `p`, or null if none does. */
export function ruleAt(p: usize, end: usize): lexicon.Rule | null {
  const first: u32 = load<u8>(lexer.lexicon + load<u8>(p), lexicon.firstRulesAt);
  return first == lexicon.noRule ? null : ruleInChain(first, p, end);
}

/**
 * If the word of `length` bytes at `p` is the prefix of a string, returns the rule of that string. Otherwise returns
 * null.
 */
export function prefixRuleAt(p: usize, end: usize, length: usize): lexicon.Rule | null {
  const first: u32 = load<u8>(lexer.lexicon, lexicon.prefixRulesAt);
  if (first == lexicon.noRule) return null;
  const rule = ruleInChain(first, p, end);
  if (rule == null) return null;
  const openLength: usize = rule.openLength;
  const type: i32 = rule.type;
  return openLength > length || (openLength == length && type != lexicon.stringRule) ? rule : null;
}

function ruleInChain(first: u32, p: usize, end: usize): lexicon.Rule | null {
  let rule = itemOf<lexicon.Rule>(lexer.lexicon + changetype<lexicon.Lexicon>(lexer.lexicon).rules, first);
  while (true) {
    const length: u32 = rule.openLength;
    const flags = rule.flags;
    if (p + length <= end && matches(p, rule.open, length)) {
      const type: i32 = rule.type;
      const sure = type < lexicon.regexRule || type > lexicon.blockScalarRule || confirmed(rule, type, p, end);
      if (sure && (!(flags & lexicon.placeRules) || isInPlace(rule, flags, p, end))) return rule;
    }
    if (flags & lexicon.lastRule) return null;
    rule = itemOf<lexicon.Rule>(changetype<usize>(rule), 1);
  }
}

function confirmed(rule: lexicon.Rule, type: i32, p: usize, end: usize): bool {
  switch (type) {
    case lexicon.regexRule:
      return regexAt(rule, p, end);
    case lexicon.heredocRule:
      return heredocAfter(rule, p, end) != 0;
    case lexicon.quoteLikeRule:
      return quoteLikeAt(rule, p, end);
    case lexicon.blockScalarRule:
      return blockScalarAt(p, end);
    case lexicon.escapedRule: {
      const q = p + rule.openLength;
      return q < end && !isLineEnd(load<u8>(q));
    }
    default:
      return fenceAfter(rule, p, end) != 0;
  }
}

function isInPlace(rule: lexicon.Rule, flags: u32, p: usize, end: usize): bool {
  const before: u32 = p > lexer.source ? load<u8>(p - 1) : 10;
  if (flags & lexicon.firstColumnRule && !isLineEnd(before)) return false;
  if (flags & lexicon.firstOnLineRule && !isFirstOnLine(p)) return false;
  if (flags & lexicon.afterBlankRule && !isBlankOrSeparator(before)) return false;
  if (flags & lexicon.valueRule && !valueMayStart(p)) return false;
  if (flags & lexicon.apartRule && !isApart(p)) return false;
  if (flags & lexicon.patternRule && !endsPattern(p)) return false;
  if (flags & (lexicon.scalarRule | lexicon.flowRule) && !isScalarStart(flags, p)) return false;
  if (flags & lexicon.aloneRule) {
    const next = p + rule.openLength;
    if ((next < end && isOperatorAt(next)) || (p > lexer.source && isOperatorAt(p - 1))) return false;
  }
  return true;
}

/** Returns true for blanks, line breaks, and ( ) { } [ ] ; & | and the comma. */
function isBlankOrSeparator(byte: u32): bool {
  if (
    byte <= ascii.space ||
    byte == ascii.semicolon ||
    byte == ascii.ampersand ||
    byte == ascii.comma ||
    byte == ascii.openRound ||
    byte == ascii.closeRound
  )
    return true;
  return (
    byte == ascii.openCurly ||
    byte == ascii.bar ||
    byte == ascii.closeCurly ||
    byte == ascii.openSquare ||
    byte == ascii.closeSquare
  );
}

/**
 * Returns true if a YAML scalar can start at `p`. Then : - or ? and a blank must precede it on the line, or [ { or a
 * comma.
 */
function isScalarStart(flags: u32, p: usize): bool {
  let q = beforeTag(p);
  while (q > lexer.source && isBlank(load<u8>(q - 1))) q--;
  if (q == lexer.source) return false;
  const byte: u32 = load<u8>(q - 1);
  if (flags & lexicon.flowRule) return byte == ascii.openSquare || byte == ascii.openCurly || byte == ascii.comma;
  return q < p && (byte == ascii.colon || byte == ascii.minus || byte == ascii.questionMark);
}

/** If a YAML tag or anchor ends before `p`, as in `!Sub "a"`, returns its start. Otherwise returns `p`. */
function beforeTag(p: usize): usize {
  let q = p;
  while (q > lexer.source && isBlank(load<u8>(q - 1))) q--;
  if (q == p) return p;
  const limit = max(lexer.source, q - min(maxTag, q));
  while (q > limit && load<u8>(q - 1) > ascii.space) q--;
  const first: u32 = load<u8>(q);
  return first == ascii.exclamationMark || first == ascii.ampersand ? q : p;
}

/**
 * Returns the end of the token that begins at `p` by the given rule. For a heredoc, returns the end of its opening.
 * Also sets `isClosed` and the bounds of the content.
 *
 * @param oneLine  true if a string ends with its line even if its rule allows more lines
 */
export function endOfRule(rule: lexicon.Rule, p: usize, end: usize, depth: u32, oneLine: bool): usize {
  const start = p + rule.openLength;
  const type: i32 = rule.type;
  switch (type) {
    case lexicon.lineCommentRule:
      return endOfLineComment(rule, start, end);
    case lexicon.blockCommentRule:
      return endOfBlockComment(rule, start, end);
    case lexicon.stringRule:
      return endOfString(rule, start, end, depth, oneLine);
    case lexicon.characterRule:
      return endOfCharacter(rule, start, end);
    case lexicon.regexRule:
      return endOfRegex(rule, start, end);
    case lexicon.fencedRule:
    case lexicon.fencedCommentRule:
      return endOfFenced(rule, p, end);
    case lexicon.heredocRule:
      return endOfHeredocName(rule, p, end);
    case lexicon.quoteLikeRule:
      return endOfQuoteLike(rule, p, end);
    case lexicon.escapedRule:
      return endOfEscaped(start, end);
    case lexicon.blockScalarRule:
      return endOfBlockScalar(p, end);
    case lexicon.discardRule:
      return endOfForm(start, end, depth);
    default:
      return start;
  }
}

function endOfLineComment(rule: lexicon.Rule, p: usize, end: usize): usize {
  const continued = (rule.flags & lexicon.continuedRule) != 0;
  p = endOfLine(p, end);
  while (continued && p < end && load<u8>(p - 1) == ascii.backslash) {
    p += load<u8>(p) == ascii.carriageReturn && p + 1 < end && load<u8>(p, 1) == ascii.lineFeed ? 2 : 1;
    p = endOfLine(p, end);
  }
  return p;
}

function endOfBlockComment(rule: lexicon.Rule, p: usize, end: usize): usize {
  const flags = rule.flags;
  const opening = rule.open;
  const openLength: u32 = rule.openLength;
  const closing = rule.close;
  const closeLength: u32 = rule.closeLength;
  const closings = i8x16.splat(<i8>closing);
  const other = i8x16.splat(<i8>(flags & lexicon.nestedRule ? opening : closing));
  let depth: u32 = 1;
  literal.isClosed = false;
  while (p < end) {
    const bytes = v128.load(p);
    const found = i8x16.bitmask(v128.or(i8x16.eq(bytes, closings), i8x16.eq(bytes, other)));
    if (!found) {
      p += 16;
      continue;
    }
    p += ctz(found);
    if (p + closeLength <= end && matches(p, closing, closeLength) && closesHere(flags, p)) {
      p += closeLength;
      if (--depth == 0) return closeBody(p - closeLength, p);
    } else if (flags & lexicon.nestedRule && p + openLength <= end && matches(p, opening, openLength)) {
      p += openLength;
      depth++;
    } else {
      p++;
    }
  }
  return end;
}

/** Returns true if the rule accepts a closing at `p`. */
@inline function closesHere(flags: u32, p: usize): bool {
  if (!(flags & (lexicon.closeInFirstColumnRule | lexicon.closeFirstOnLineRule))) return true;
  return flags & lexicon.closeFirstOnLineRule ? isFirstOnLine(p) : isLineEnd(load<u8>(p - 1));
}

function endOfString(rule: lexicon.Rule, p: usize, end: usize, depth: u32, inLine: bool): usize {
  const flags = rule.flags;
  const closing = rule.close;
  const closeLength: u32 = rule.closeLength;
  const closeByte = (<u32>closing) & 255;
  const escape: u32 = rule.escape;
  const holeLength: u32 = depth < maxDepth ? <u32>rule.holeLength : 0;
  const holeOpen: u32 = rule.holeOpen;
  const oneLine = inLine || !(flags & lexicon.multilineRule);
  const closes = i8x16.splat(<i8>closeByte);
  const escapes = i8x16.splat(<i8>(escape ? escape : closeByte));
  const holes = i8x16.splat(<i8>(holeLength ? holeOpen : closeByte));
  const lineFeeds = i8x16.splat(<i8>(oneLine ? 10 : closeByte));
  const returns = i8x16.splat(<i8>(oneLine ? 13 : closeByte));
  const from = p;
  while (p < end) {
    const bytes = v128.load(p);
    const found = i8x16.bitmask(
      v128.or(
        v128.or(i8x16.eq(bytes, closes), i8x16.eq(bytes, escapes)),
        v128.or(i8x16.eq(bytes, holes), v128.or(i8x16.eq(bytes, lineFeeds), i8x16.eq(bytes, returns))),
      ),
    );
    if (!found) {
      p += 16;
      continue;
    }
    p += ctz(found);
    if (p >= end) break;
    const byte: u32 = load<u8>(p);
    if (holeLength == 2 && p + 1 < end && <u32>load<u16>(p) == holeOpen) {
      p = endOfHole(p + 2, end, rule.holeClose, depth + 1, oneLine);
      if (!literal.isClosed) break;
    } else if (
      byte == closeByte &&
      p + closeLength <= end &&
      matches(p, closing, closeLength) &&
      closesHere(flags, p)
    ) {
      if (flags & lexicon.doubledRule && p + 2 * closeLength <= end && matches(p + closeLength, closing, closeLength)) {
        p += 2 * closeLength;
        continue;
      }
      // If a string in triple quotes ends with four quotes, the first one is text.
      if (closeLength == 3) while (p + 3 < end && load<u8>(p, 3) == closeByte) p++;
      literal.bodyStart = from;
      return closeBody(p, p + closeLength);
    } else if (oneLine && isLineEnd(byte)) {
      if (closeByte != ascii.lineFeed) break;
      // If the rule lets a string extend to the end of its line, any kind of line break closes the string.
      literal.bodyStart = from;
      return closeBody(p, afterLineEnd(p, end));
    } else if (byte == escape) {
      if (
        flags & lexicon.escapeInWordRule &&
        p + 1 < end &&
        <u32>load<u8>(p, 1) == closeByte &&
        !(p + 2 < end && isWordAt(p + 2))
      ) {
        p++;
        continue;
      }
      p += p + 2 < end && load<u16>(p, 1) == carriageReturnLineFeed ? 3 : 2;
    } else if (holeLength == 1 && byte == (holeOpen & 255)) {
      // Two openings of a hole in a row are text.
      if (p + 1 < end && <u32>load<u8>(p, 1) == byte) {
        p += 2;
        continue;
      }
      p = endOfHole(p + 1, end, rule.holeClose, depth + 1, oneLine);
      if (!literal.isClosed) break;
    } else {
      p++;
    }
  }
  literal.bodyStart = from;
  return leaveBodyOpen(min(p, end));
}

/**
 * Returns the position after a hole: after the ) ] or } that closes it. Sets `isClosed` to false if there is no such
 * bracket.
 */
export function endOfHole(p: usize, end: usize, closeByte: u32, depth: u32, oneLine: bool): usize {
  const openByte = closeByte == ascii.closeRound ? 40 : closeByte - 2;
  let nesting: u32 = 1;
  // Rule of the heredoc opened on this line, or null if there is none.
  let heredoc: lexicon.Rule | null = null;
  let heredocStart: usize = 0;
  while (p < end) {
    const byte: u32 = load<u8>(p);
    if (byte == closeByte) {
      p++;
      if (--nesting == 0) {
        literal.isClosed = true;
        return p;
      }
      continue;
    }
    if (isLineEnd(byte)) {
      if (oneLine) break;
      if (heredoc != null) p = endOfHeredoc(heredoc, heredocStart, afterLineEnd(p, end), end);
      else p++;
      heredoc = null;
      continue;
    }
    if (byte == openByte) nesting++;
    const rule = classAt(p) == lexicon.ruleClass ? passableRuleAt(p, end, oneLine) : null;
    if (rule != null && rule.type == lexicon.heredocRule) {
      heredoc = rule;
      heredocStart = p;
    }
    p = rule == null ? p + 1 : endOfRule(rule, p, end, depth, oneLine);
  }
  literal.isClosed = false;
  return min(p, end);
}

/**
 * If a string or comment begins at `p`, returns its rule, so that the caller can skip brackets inside it.
 *
 * @param oneLine  true if the caller reads only one line, which a line comment ends
 */
export function passableRuleAt(p: usize, end: usize, oneLine: bool): lexicon.Rule | null {
  lexer.isPassing = true;
  const rule = ruleAt(p, end);
  lexer.isPassing = false;
  if (rule == null) return null;
  const type: i32 = rule.type;
  if (type == lexicon.tokenRule || type == lexicon.blockScalarRule) return null;
  return oneLine && type == lexicon.lineCommentRule ? null : rule;
}

/** Returns the end of the Lisp form at `p`, which is a pair of brackets with its content, a string, or a word. */
function endOfForm(p: usize, end: usize, depth: u32): usize {
  literal.isClosed = true;
  if (depth >= maxDepth) return p;
  p = afterWhite(p, end);
  let from = p;
  // Real forms are shorter than this limit. If a form seems longer, a bracket is missing.
  const limit = min(p + 65536, end);
  let nesting: i32 = 0;
  while (p < limit) {
    const byte: u32 = load<u8>(p);
    if (
      nesting == 0 &&
      p > from &&
      (byte <= ascii.space || byte == ascii.openRound || byte == ascii.openSquare || byte == ascii.openCurly)
    )
      return p;
    const rule = classAt(p) == lexicon.ruleClass ? passableRuleAt(p, limit, overLines) : null;
    if (rule != null) {
      const type: i32 = rule.type;
      p = endOfRule(rule, p, limit, depth + 1, overLines);
      literal.isClosed = true;
      if (nesting != 0) continue;
      // A comment is not a form, so continue after it. `#_ #_ a b` discards two forms.
      if (type != lexicon.discardRule && type != lexicon.lineCommentRule && type != lexicon.blockCommentRule) return p;
      from = p = afterWhite(p, limit);
      continue;
    }
    if (byte == ascii.openRound || byte == ascii.openSquare || byte == ascii.openCurly) nesting++;
    else if (byte == ascii.closeRound || byte == ascii.closeSquare || byte == ascii.closeCurly) {
      if (nesting == 0) return p;
      if (--nesting == 0) return p + 1;
    }
    p++;
  }
  return nesting == 0 ? p : from;
}
