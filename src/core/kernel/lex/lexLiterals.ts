/**
 * Finds the ends of literals that are not determined by their opening alone: regular expressions, characters, fenced
 * strings, heredocs, strings with custom delimiters, and YAML's block scalars. For each kind, one function tests if a
 * literal begins (`…At`, `…After`), and a second one finds its end. Failed tests are recorded, so that bytes are not
 * scanned repeatedly. ruleEnds.ts finds the ends of strings with fixed delimiters.
 */
import * as ascii from './ascii';
import {
  afterBlanks,
  afterLineEnd,
  afterWhite,
  endOfLine,
  equal,
  find,
  isAsciiLetter,
  isBlank,
  isDigit,
  isLineEnd,
  isWordAt,
  matches,
} from './lexBytes';
import { characterBytes } from './lexCharacters';
import * as lexicon from './lexicon';
import { lexer } from './lexState';
import { newRecord, recordBytes } from '../records';
import { beginsStatement, isArgument, valueMayStart } from './lexValues';

/** State of this module: data about the last literal, and failed searches in the current text. */
@unmanaged class Literals {
  /** Start and end of the content of the last string. */
  bodyStart: usize;
  bodyEnd: usize;
  /**
   * Range of a failed search for the end of a regular expression. No regular expression begins in this range. The next
   * two fields are the same for quote-like strings.
   */
  regexFailedFrom: usize;
  regexFailedTo: usize;
  quoteFailedFrom: usize;
  quoteFailedTo: usize;
  /**
   * Number of failed searches for the end of a heredoc, and number of heredocs on the line that ends at
   * `heredocLineEnd`.
   */
  heredocFailures: u32;
  heredocsOnLine: u32;
  heredocLineEnd: usize;
  /** Position and length of the name of the heredoc that was tested last. */
  nameStart: usize;
  nameEnd: usize;
  /** True if the last string or comment has a closing. */
  isClosed: bool;
}

export let literal = changetype<Literals>(0);

/** Maximum length in bytes of strings with custom delimiters, of fences, and of names. */
const maxQuoteLike: usize = 65536;
const maxFence: usize = 200;
/**
 * Maximum number of heredocs on a line, and maximum number of failed searches for the end of a heredoc in a text. Real
 * programs stay below.
 */
const maxHeredocs: u32 = 8;
const maxHeredocFailures: u32 = 64;

/** Size in bytes of the scratch memory that `openLiterals` initializes. */
export const literalBytes: usize = recordBytes<Literals>();

export function openLiterals(scratch: usize): void {
  literal = newRecord<Literals>(scratch);
}

/**
 * Returns true if the slash at `p` begins a regular expression: an expression may start at this position, and it ends
 * on this line.
 */
export function regexAt(rule: lexicon.Rule, p: usize, end: usize): bool {
  if (p >= literal.regexFailedFrom && p < literal.regexFailedTo) return false;
  if (!valueMayStart(p) && !beginsStatement(p, end)) {
    if (!(rule.flags & lexicon.commandRule && isArgument(p, end))) return false;
  }
  endOfRegex(rule, p + rule.openLength, end);
  if (!literal.isClosed) {
    literal.regexFailedFrom = p;
    literal.regexFailedTo = endOfLine(p, literal.bodyEnd);
  }
  return literal.isClosed;
}

/**
 * Returns the end of the regular expression whose body begins at `p`, including its flags. It must end on its line. If
 * the rule allows it and the opening ends its line, it may end on a later line, as in /…/x.
 */
export function endOfRegex(rule: lexicon.Rule, p: usize, end: usize): usize {
  let inClass = false;
  const goesOn = rule.flags & lexicon.multilineRule && endOfLine(p, end) == afterBlanks(p, end);
  if (goesOn) end = min(p + maxQuoteLike, end);
  literal.bodyStart = p;
  literal.isClosed = false;
  while (p < end) {
    const byte: u32 = load<u8>(p);
    if (isLineEnd(byte) && !goesOn) break;
    if (byte == ascii.backslash) {
      // A line break after a backslash still ends the line.
      p += p + 1 < end && isLineEnd(load<u8>(p, 1)) ? 1 : 2;
      continue;
    }
    if (byte == ascii.openSquare) inClass = true;
    else if (byte == ascii.closeSquare) inClass = false;
    else if (byte == ascii.slash && !inClass) {
      literal.isClosed = true;
      break;
    }
    p++;
  }
  literal.bodyEnd = min(p, end);
  return literal.isClosed ? afterLetters(p + 1, end) : literal.bodyEnd;
}

function afterLetters(p: usize, end: usize): usize {
  while (p < end && isAsciiLetter(load<u8>(p))) p++;
  return p;
}

/**
 * Returns the end of a quoted character. If there is no closing quote, it is a label; in this case, returns the end of
 * the label's name and sets `isClosed` to false.
 */
export function endOfCharacter(rule: lexicon.Rule, p: usize, end: usize): usize {
  const quote = (<u32>rule.close) & 255;
  literal.bodyStart = p;
  literal.isClosed = false;
  if (p < end && load<u8>(p) == ascii.backslash) {
    // The closing quote of an escape must be near, as in '\u{10FFFF}', and on the same line.
    const limit = p + 1 < end && isLineEnd(load<u8>(p + 1)) ? p : min(p + 12, end);
    for (let q = p + 2; q < limit && !isLineEnd(load<u8>(q)); q++) {
      if (load<u8>(q) == quote) return closeBody(q, q + 1);
    }
  } else if (p < end && !isLineEnd(load<u8>(p))) {
    const q = p + characterBytes(p, end);
    if (q < end && load<u8>(q) == quote) return closeBody(q, q + 1);
  }
  while (p < end && isWordAt(p)) p++;
  literal.bodyEnd = p;
  return p;
}

/** Sets the end of an unclosed string's content to `p`. */
@inline export function leaveBodyOpen(p: usize): usize {
  literal.isClosed = false;
  literal.bodyEnd = p;
  return p;
}

/** Sets the end of a closed string's content to `q`. The next token begins at `after`. */
export function closeBody(q: usize, after: usize): usize {
  literal.isClosed = true;
  literal.bodyEnd = q;
  return after;
}

/** Returns the end of the opening of the fenced string at `p`, or 0 if there is none. */
export function fenceAfter(rule: lexicon.Rule, p: usize, end: usize): usize {
  const fence: u32 = rule.fence;
  const minLength: usize = rule.minFences;
  const endLength: u32 = rule.fenceEndLength;
  const from = p + rule.openLength;
  const limit = min(from + maxFence, end);
  let q = from;
  const flags = rule.flags;
  if (flags & lexicon.markedFenceRule) while (q < limit && isFenceMark(load<u8>(q))) q++;
  else if (flags & lexicon.namedFenceRule) while (q < limit && isWordAt(q)) q++;
  else while (q < limit && load<u8>(q) == fence) q++;
  if (q - from < minLength || q + endLength > end) return 0;
  return endLength == 0 || matches(q, rule.fenceEnd, endLength) ? q + endLength : 0;
}

/** Returns true for bytes that a fence may contain: all except blanks, quotes, backslashes, and brackets. */
function isFenceMark(byte: u32): bool {
  return (
    byte > ascii.space &&
    byte != ascii.doubleQuote &&
    byte != ascii.backslash &&
    byte != ascii.openRound &&
    byte != ascii.closeRound
  );
}

export function endOfFenced(rule: lexicon.Rule, p: usize, end: usize): usize {
  const from = p + rule.openLength;
  const body = fenceAfter(rule, p, end);
  const fences = body - rule.fenceEndLength - from;
  // The closing consists of some bytes, the fence, and more bytes. The number of bytes before the fence is in the field
  // `escape` of the rule.
  const closing = rule.close;
  const closeLength: u32 = rule.closeLength;
  const before: u32 = rule.escape;
  const after = closeLength - before;
  const first: u32 = before ? (<u32>closing) & 255 : <u32>load<u8>(from);
  literal.bodyStart = body;
  literal.isClosed = false;
  for (let q = find(first, body, end); q + closeLength + fences <= end; q = find(first, q + 1, end)) {
    if (before && !matches(q, closing, before)) continue;
    if (!equal(q + before, from, fences)) continue;
    if (after && !matches(q + before + fences, closing >> (before << 3), after)) continue;
    return closeBody(q, q + closeLength + fences);
  }
  literal.bodyEnd = end;
  return end;
}

/** Returns the end of the opening of the heredoc at `p`, or 0 if the heredoc has no name or no end. */
export function heredocAfter(rule: lexicon.Rule, p: usize, end: usize): usize {
  const after = endOfHeredocName(rule, p, end);
  if (after == 0 || literal.heredocFailures >= maxHeredocFailures) return 0;
  const lineEnd = endOfLine(after, end);
  if (lineEnd != literal.heredocLineEnd) {
    literal.heredocLineEnd = lineEnd;
    literal.heredocsOnLine = 0;
  }
  if (lineEnd == end || literal.heredocsOnLine++ >= maxHeredocs) return 0;
  if (endOfNamed(afterLineEnd(lineEnd, end), end) != 0) return after;
  literal.heredocFailures++;
  return 0;
}

/**
 * Reads the name of the heredoc at `p`: <<-NAME, <<~'NAME', << "NAME". Returns the end of the name, or 0 if there is
 * none.
 */
export function endOfHeredocName(rule: lexicon.Rule, p: usize, end: usize): usize {
  let q = p + rule.openLength;
  if (q < end && (load<u8>(q) == ascii.minus || load<u8>(q) == ascii.tilde)) q++;
  if (rule.flags & lexicon.blankBeforeNameRule) q = afterBlanks(q, end);
  if (q >= end) return 0;
  const quote: u32 = load<u8>(q);
  const limit = min(q + maxFence, end);
  if (quote == ascii.singleQuote || quote == ascii.doubleQuote || quote == ascii.backtick) {
    literal.nameStart = q + 1;
    literal.nameEnd = find(quote, q + 1, limit);
    return literal.nameEnd > literal.nameStart &&
      literal.nameEnd < limit &&
      endOfLine(q, literal.nameEnd) == literal.nameEnd
      ? literal.nameEnd + 1
      : 0;
  }
  if (quote == ascii.backslash) q++;
  if (q >= end || isDigit(load<u8>(q))) return 0;
  literal.nameStart = q;
  while (q < limit && isWordAt(q)) q++;
  literal.nameEnd = q;
  return q > literal.nameStart ? q : 0;
}

/**
 * Finds the next line, from `p` on, that contains only the name that was read last. Returns the position after the
 * name, or 0 if there is no such line.
 */
function endOfNamed(p: usize, end: usize): usize {
  const length = literal.nameEnd - literal.nameStart;
  literal.bodyStart = p;
  while (p < end) {
    const q = afterBlanks(p, end);
    if (q + length <= end && equal(q, literal.nameStart, length) && (q + length == end || !isWordAt(q + length))) {
      return closeBody(p, q + length);
    }
    const lineEnd = endOfLine(q, end);
    if (lineEnd == end) break;
    p = afterLineEnd(lineEnd, end);
  }
  return 0;
}

/** Returns the end of the heredoc whose opening is at `p`. Its content begins at `lines`. */
export function endOfHeredoc(rule: lexicon.Rule, p: usize, lines: usize, end: usize): usize {
  endOfHeredocName(rule, p, end);
  const after = endOfNamed(lines, end);
  return after == 0 ? lines : after;
}

/** Returns true if a string with custom delimiters begins at `p` and ends within the maximum distance. */
export function quoteLikeAt(rule: lexicon.Rule, p: usize, end: usize): bool {
  const q = p + rule.openLength;
  if ((p >= literal.quoteFailedFrom && p < literal.quoteFailedTo) || q >= end || isWordAt(q)) return false;
  const delimiter: u32 = load<u8>(q);
  // These characters are not delimiters: ; ) = > ] }. Examples are `{s}`, `y => 1`, `tr;`.
  if (
    delimiter <= ascii.space ||
    delimiter == ascii.semicolon ||
    delimiter == ascii.closeRound ||
    delimiter == ascii.equalSign
  )
    return false;
  if (delimiter == ascii.greaterThan || delimiter == ascii.closeSquare || delimiter == ascii.closeCurly) return false;
  if (p > lexer.source) {
    const before: u32 = load<u8>(p - 1);
    // These are names: $s{…}, @y[…], %tr{…}, &q(…), ->s(…), -s {…}.
    const sigil =
      before == ascii.dollar ||
      before == ascii.atSign ||
      before == ascii.percent ||
      before == ascii.ampersand ||
      before == ascii.greaterThan ||
      before == ascii.minus;
    if (sigil) return false;
    if (!isWordAt(p) && !isBlank(before) && !valueMayStart(p)) return false;
    if (!isWordAt(p) && isBlank(before) && !valueMayStart(p) && rule.openLength == 1) return false;
  }
  // If the delimiters are commas, the string must end on its line, as in s,a,b,.
  const limit = min(p + maxQuoteLike, end);
  endOfQuoteLike(rule, p, delimiter == ascii.comma ? endOfLine(p, limit) : limit);
  if (!literal.isClosed) {
    literal.quoteFailedFrom = p;
    literal.quoteFailedTo = literal.bodyEnd;
  }
  return literal.isClosed;
}

export function endOfQuoteLike(rule: lexicon.Rule, p: usize, end: usize): usize {
  const open = p + rule.openLength;
  let q = endOfDelimited(open, end);
  const from = literal.bodyStart;
  if (literal.isClosed && rule.flags & lexicon.twoPartsRule) {
    if (closingOf(load<u8>(open)) == <u32>load<u8>(open)) {
      q = endOfDelimited(q - 1, end);
    } else {
      q = afterWhite(q, end);
      literal.isClosed = false;
      // A delimiter must be one ASCII byte, so it is not part of a multibyte character.
      if (q < end && load<u8>(q) < ascii.nonAscii) q = endOfDelimited(q, end);
      else literal.bodyEnd = q;
    }
    literal.bodyStart = from;
  }
  return literal.isClosed ? afterLetters(q, end) : end;
}

/** Returns the end of the string whose opening delimiter is at `p`. If the delimiters are brackets, they may nest. */
function endOfDelimited(p: usize, end: usize): usize {
  const opening: u32 = load<u8>(p);
  const closing = closingOf(opening);
  let nesting: u32 = 1;
  literal.bodyStart = p + 1;
  literal.isClosed = false;
  for (let q = p + 1; q < end; q++) {
    const byte: u32 = load<u8>(q);
    if (byte == ascii.backslash) q++;
    else if (byte == closing) {
      if (--nesting == 0) return closeBody(q, q + 1);
    } else if (byte == opening) nesting++;
  }
  literal.bodyEnd = end;
  return end;
}

/** Returns the closing bracket of an opening one: ) ] } or >. Returns any other byte unchanged. */
function closingOf(byte: u32): u32 {
  return byte == ascii.openRound
    ? 41
    : byte == ascii.openSquare || byte == ascii.openCurly || byte == ascii.lessThan
      ? byte + 2
      : byte;
}

/** Returns the end of the escape sequence whose backslash is at `p`: \a, \", or a backslash before a line break. */
export function endOfEscaped(p: usize, end: usize): usize {
  const word = isWordAt(p);
  p += characterBytes(p, end);
  if (word) while (p < end && isWordAt(p)) p++;
  return p;
}

/**
 * Returns true if the | or > at `p` begins a block scalar. Then only indicators and a comment may follow on its line.
 */
export function blockScalarAt(p: usize, end: usize): bool {
  if (p == lexer.source || !isBlank(load<u8>(p - 1))) return false;
  let q = p + 1;
  while (q < end && (isDigit(load<u8>(q)) || load<u8>(q) == ascii.plus || load<u8>(q) == ascii.minus)) q++;
  const after = afterBlanks(q, end);
  if (after == end) return false;
  return isLineEnd(load<u8>(after)) || (after > q && load<u8>(after) == ascii.numberSign);
}

/**
 * Returns the end of the block scalar at `p`: the start of the next line that is neither blank nor indented further.
 */
export function endOfBlockScalar(p: usize, end: usize): usize {
  let lineStart = p;
  while (lineStart > lexer.source && !isLineEnd(load<u8>(lineStart - 1))) lineStart--;
  const indent = parentOfScalar(afterSpaces(lineStart, end), p) - lineStart;
  p = endOfLine(p, end);
  if (p < end) p = afterLineEnd(p, end);
  literal.bodyStart = p;
  while (p < end) {
    const q = afterSpaces(p, end);
    if (q < end && !isLineEnd(load<u8>(q)) && q - p <= indent) break;
    p = endOfLine(q, end);
    if (p < end) p = afterLineEnd(p, end);
  }
  return closeBody(p, p);
}

/**
 * Returns the position of the YAML node to which the block scalar at `scalar` belongs. `p` is the first item on the
 * line. In `- - a: |`, the node is the key after the dashes.
 */
function parentOfScalar(p: usize, scalar: usize): usize {
  let last = scalar;
  while (last > p && load<u8>(last - 1) != ascii.colon) last--;
  if (last == p) return p;
  while (p + 1 < last && (load<u8>(p) == ascii.minus || load<u8>(p) == ascii.questionMark) && isBlank(load<u8>(p, 1)))
    p = afterBlanks(p + 1, last);
  return p;
}

function afterSpaces(p: usize, end: usize): usize {
  while (p < end && load<u8>(p) == ascii.space) p++;
  return p;
}
