/**
 * Where the things end that a lexicon has rules for: comments, strings, characters, regular expressions. Nothing here
 * hands out tokens. Whatever the bytes are, each function returns an address within its bounds, and none looks at a
 * byte more than a fixed number of times: what has no end runs to the end of its line or of the text.
 */
import {
  afterBlankRule,
  alone,
  blockCommentRule,
  characterRule,
  classMask,
  classesAt,
  closeAt,
  closeAtLineStartRule,
  closeLengthAt,
  continuedRule,
  digitClass,
  doubledRule,
  escapeAt,
  fenceAt,
  fenceEndAt,
  fenceEndLengthAt,
  fencedCommentRule,
  fencedRule,
  firstOnLineRule,
  firstRulesAt,
  holeCloseAt,
  holeLengthAt,
  holeOpenAt,
  lastRule,
  leastFencesAt,
  lineCommentRule,
  lineStartRule,
  multilineRule,
  namedFenceRule,
  nestedRule,
  noRule,
  openAt,
  openLengthAt,
  operatorClass,
  plainClassesAt,
  prefixRulesAt,
  regexRule,
  ruleBytes,
  ruleClass,
  ruleFlagsAt,
  rulesAt,
  stringRule,
  tokenRule,
  typeAt,
  valueMeaning,
  valueRule,
  wordClass,
} from './lexiconLayout';
import {
  count,
  keywordKind,
  lexicon,
  meaningOf,
  operatorKind,
  punctuationKind,
  source,
  sourceEnd,
  tokenStart,
  tokenWord,
} from './lexState';

/** How deep code in strings in code … is followed. Deeper than any program; it bounds the stack. */
const maxDepth: u32 = 16;

/** Whether the last string or comment that was passed had its closing. */
export let closed: bool = false;
/** Where the contents of the last string began and ended. */
export let bodyStart: usize = 0;
export let bodyEnd: usize = 0;

/** Until here no regular expression begins: an earlier look found no end. */
let regexFailedTo: usize = 0;

export function openRules(): void {
  regexFailedTo = 0;
}

// @ts-ignore: decorator
@inline
export function classAt(p: usize): u32 {
  return load<u8>(lexicon + load<u8>(p), classesAt) & classMask;
}

/** The class of the byte at `p` when no rule applies. */
// @ts-ignore: decorator
@inline
export function plainClassAt(p: usize): u32 {
  return load<u8>(lexicon + load<u8>(p), plainClassesAt);
}

/** Whether the byte at `p` is a letter or digit. */
// @ts-ignore: decorator
@inline
export function isWordAt(p: usize): bool {
  const plain = plainClassAt(p);
  return plain == wordClass || plain == digitClass;
}

// @ts-ignore: decorator
@inline
export function isLineEnd(byte: u32): bool {
  return byte == 10 || byte == 13;
}

/** Whether the `length` bytes at `p` are those of `bytes`; `length` is at most 8. */
// @ts-ignore: decorator
@inline
export function matches(p: usize, bytes: u64, length: u32): bool {
  return ((load<u64>(p) ^ bytes) << ((8 - length) << 3)) == 0;
}

/** The rule that applies at `p`, or 0. */
export function ruleAt(p: usize, end: usize): usize {
  const first: u32 = load<u8>(lexicon + load<u8>(p), firstRulesAt);
  return first == noRule ? 0 : ruleInChain(first, p, end);
}

/** The rule for a string whose prefix is the whole word of `length` bytes at `p`, or 0. */
export function prefixRuleAt(p: usize, end: usize, length: usize): usize {
  const first: u32 = load<u8>(lexicon, prefixRulesAt);
  if (first == noRule) return 0;
  const rule = ruleInChain(first, p, end);
  if (rule == 0) return 0;
  const openLength: usize = load<u8>(rule, openLengthAt);
  return openLength > length || (openLength == length && load<u8>(rule, typeAt) == fencedRule) ? rule : 0;
}

function ruleInChain(first: u32, p: usize, end: usize): usize {
  let rule = lexicon + load<u32>(lexicon, rulesAt) + first * ruleBytes;
  while (true) {
    const length: u32 = load<u8>(rule, openLengthAt);
    const flags = load<u32>(rule, ruleFlagsAt);
    if (p + length <= end && matches(p, load<u64>(rule, openAt), length) && applies(rule, flags, p, end)) return rule;
    if (flags & lastRule) return 0;
    rule += ruleBytes;
  }
}

// @ts-ignore: decorator
@inline
function applies(rule: usize, flags: u32, p: usize, end: usize): bool {
  const type: i32 = load<u8>(rule, typeAt);
  if (type >= regexRule && type <= fencedCommentRule) {
    if (type == regexRule ? !isRegex(p, end) : fenceEnd(rule, p, end) == 0) return false;
  }
  return (flags & (lineStartRule | firstOnLineRule | afterBlankRule | valueRule | alone)) == 0 || placed(rule, flags, p, end);
}

function placed(rule: usize, flags: u32, p: usize, end: usize): bool {
  const before: u32 = p > source ? load<u8>(p - 1) : 10;
  if (flags & lineStartRule && !isLineEnd(before)) return false;
  if (flags & firstOnLineRule && !isFirstOnLine(p)) return false;
  if (flags & afterBlankRule && !isBlankOrSeparator(before)) return false;
  if (flags & valueRule && !valueMayStart(p)) return false;
  if (flags & alone) {
    const next = p + load<u8>(rule, openLengthAt);
    if (next < end && plainClassAt(next) == operatorClass) return false;
    if (p > source && plainClassAt(p - 1) == operatorClass) return false;
  }
  return true;
}

export function isFirstOnLine(p: usize): bool {
  while (p > source && (load<u8>(p - 1) == 32 || load<u8>(p - 1) == 9)) p--;
  return p == source || isLineEnd(load<u8>(p - 1));
}

/** Blanks, line ends, brackets, and ; & | , */
function isBlankOrSeparator(byte: u32): bool {
  return (
    byte <= 32 || byte == 59 || byte == 38 || byte == 124 || byte == 44 || (byte | 32) == 123 || (byte | 32) == 125 ||
    byte == 40 || byte == 41
  );
}

/** Whether a value can begin at `p`: what comes before is an operator, an opening bracket or a keyword, or nothing. */
function valueMayStart(p: usize): bool {
  // The token before is the last one handed out, unless this is code that is only passed over; then look back.
  let q = p;
  while (q > source && load<u8>(q - 1) <= 32) q--;
  if (q == source) return true;
  if (count > 0 && tokenStart(count - 1) < p) {
    const start = tokenStart(count - 1);
    const word = tokenWord(count - 1);
    const kind = word & 15;
    const byte: u32 = load<u8>(start);
    if (kind == keywordKind) return meaningOf(word >> 4) != valueMeaning;
    // After ) ] } comes a division; so it does after ++ and --.
    if (kind == punctuationKind) return byte != 41 && byte != 93 && byte != 125 && byte != 46;
    if (kind == operatorKind) return !((byte == 43 || byte == 45) && load<u8>(start, 1) == byte);
    return false;
  }
  return true;
}

/** Whether the slash at `p` begins a regular expression: one can stand here, and it ends on this line. */
function isRegex(p: usize, end: usize): bool {
  if (p < regexFailedTo) return false;
  if (!valueMayStart(p)) return false;
  endOfRegex(p + 1, end);
  if (!closed) regexFailedTo = bodyEnd;
  return closed;
}

/** The end of the regular expression whose body begins at `p`, with its flags. */
function endOfRegex(p: usize, end: usize): usize {
  let inClass = false;
  bodyStart = p;
  closed = false;
  while (p < end) {
    const byte: u32 = load<u8>(p);
    if (isLineEnd(byte)) break;
    if (byte == 92) {
      p += 2;
      continue;
    }
    if (byte == 91) inClass = true;
    else if (byte == 93) inClass = false;
    else if (byte == 47 && !inClass) {
      closed = true;
      break;
    }
    p++;
  }
  bodyEnd = min(p, end);
  if (!closed) return bodyEnd;
  p++;
  while (p < end && (load<u8>(p) | 32) >= 97 && (load<u8>(p) | 32) <= 122) p++;
  return p;
}

/** The end of what `rule` begins at `p`; sets `closed` and the bounds of the body. */
export function endOfRule(rule: usize, p: usize, end: usize, depth: u32, oneLine: bool): usize {
  const start = p + load<u8>(rule, openLengthAt);
  switch (<i32>load<u8>(rule, typeAt)) {
    case lineCommentRule:
      return endOfLineComment(rule, start, end);
    case blockCommentRule:
      return endOfBlockComment(rule, start, end);
    case stringRule:
      return endOfString(rule, start, end, depth, oneLine);
    case characterRule:
      return endOfCharacter(rule, start, end);
    case regexRule:
      return endOfRegex(start, end);
    case fencedRule:
    case fencedCommentRule:
      return endOfFenced(rule, p, end);
    default:
      return start;
  }
}

/** Where the line ends that `p` is on: at its LF or CR, or at `end`. */
export function endOfLine(p: usize, end: usize): usize {
  const lineFeeds = i8x16.splat(10);
  const returns = i8x16.splat(13);
  while (p < end) {
    const bytes = v128.load(p);
    const found = i8x16.bitmask(v128.or(i8x16.eq(bytes, lineFeeds), i8x16.eq(bytes, returns)));
    if (found) return min(p + ctz(found), end);
    p += 16;
  }
  return end;
}

/** Where `byte` is next, or `end`. */
export function find(byte: u32, p: usize, end: usize): usize {
  const wanted = i8x16.splat(<i8>byte);
  while (p < end) {
    const found = i8x16.bitmask(i8x16.eq(v128.load(p), wanted));
    if (found) return min(p + ctz(found), end);
    p += 16;
  }
  return end;
}

function endOfLineComment(rule: usize, p: usize, end: usize): usize {
  const continued = (load<u32>(rule, ruleFlagsAt) & continuedRule) != 0;
  p = endOfLine(p, end);
  while (continued && p < end && load<u8>(p - 1) == 92) {
    p += load<u8>(p) == 13 && p + 1 < end && load<u8>(p, 1) == 10 ? 2 : 1;
    p = endOfLine(p, end);
  }
  return p;
}

function endOfBlockComment(rule: usize, p: usize, end: usize): usize {
  const flags = load<u32>(rule, ruleFlagsAt);
  const opening = load<u64>(rule, openAt);
  const openLength: u32 = load<u8>(rule, openLengthAt);
  const closing = load<u64>(rule, closeAt);
  const closeLength: u32 = load<u8>(rule, closeLengthAt);
  const wanted = i8x16.splat(<i8>closing);
  const other = i8x16.splat(<i8>(flags & nestedRule ? opening : closing));
  let depth: u32 = 1;
  closed = false;
  while (p < end) {
    const bytes = v128.load(p);
    const found = i8x16.bitmask(v128.or(i8x16.eq(bytes, wanted), i8x16.eq(bytes, other)));
    if (!found) {
      p += 16;
      continue;
    }
    p += ctz(found);
    if (p + closeLength <= end && matches(p, closing, closeLength) && (!(flags & closeAtLineStartRule) || isLineEnd(load<u8>(p - 1)))) {
      p += closeLength;
      if (--depth == 0) {
        closed = true;
        return p;
      }
    } else if (flags & nestedRule && p + openLength <= end && matches(p, opening, openLength)) {
      p += openLength;
      depth++;
    } else {
      p++;
    }
  }
  return end;
}

function endOfString(rule: usize, p: usize, end: usize, depth: u32, inLine: bool): usize {
  const flags = load<u32>(rule, ruleFlagsAt);
  const closing = load<u64>(rule, closeAt);
  const closeLength: u32 = load<u8>(rule, closeLengthAt);
  const closeByte = <u32>closing & 255;
  const escape: u32 = load<u8>(rule, escapeAt);
  const holeLength: u32 = load<u8>(rule, holeLengthAt);
  const holeOpen: u32 = load<u16>(rule, holeOpenAt);
  const holeByte = holeOpen & 255;
  const oneLine = inLine || !(flags & multilineRule);
  const closes = i8x16.splat(<i8>closeByte);
  const escapes = i8x16.splat(<i8>(escape ? escape : closeByte));
  const holes = i8x16.splat(<i8>(holeLength ? holeByte : closeByte));
  const lineFeeds = i8x16.splat(<i8>(oneLine ? 10 : closeByte));
  const returns = i8x16.splat(<i8>(oneLine ? 13 : closeByte));
  const from = p;
  closed = false;
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
    if (byte == closeByte && p + closeLength <= end && matches(p, closing, closeLength)) {
      if (flags & closeAtLineStartRule && !isFirstOnLine(p)) {
        p++;
      } else if (flags & doubledRule && p + 2 * closeLength <= end && matches(p + closeLength, closing, closeLength)) {
        p += 2 * closeLength;
      } else {
        // Of four quotes at the end of a string in three, the first is still text.
        if (closeLength == 3) while (p + 3 < end && load<u8>(p, 3) == closeByte) p++;
        closed = true;
        bodyStart = from;
        bodyEnd = p;
        return p + closeLength;
      }
    } else if (byte == escape) {
      p += p + 2 < end && load<u16>(p, 1) == 0x0a0d ? 3 : 2;
    } else if (oneLine && isLineEnd(byte)) {
      break;
    } else if (holeLength && depth < maxDepth && (holeLength == 1 ? byte == holeByte : p + 1 < end && <u32>load<u16>(p) == holeOpen)) {
      if (holeLength == 1 && p + 1 < end && load<u8>(p, 1) == byte) {
        p += 2;
        continue;
      }
      p = endOfHole(p + holeLength, end, load<u8>(rule, holeCloseAt), depth + 1, oneLine);
      if (!closed) break;
      closed = false;
    } else {
      p++;
    }
  }
  bodyStart = from;
  bodyEnd = min(p, end);
  closed = false;
  return bodyEnd;
}

/** The end of code inside a string, after its closing byte, which is ) or }. `closed` is set when there was one. */
function endOfHole(p: usize, end: usize, closeByte: u32, depth: u32, oneLine: bool): usize {
  const openByte: u32 = closeByte == 41 ? 40 : 123;
  let nesting: u32 = 1;
  while (p < end) {
    const byte: u32 = load<u8>(p);
    if (byte == closeByte) {
      p++;
      if (--nesting == 0) {
        closed = true;
        return p;
      }
      continue;
    }
    if (oneLine && isLineEnd(byte)) break;
    if (byte == openByte) nesting++;
    const rule = classAt(p) == ruleClass ? passableRuleAt(p, end, oneLine) : 0;
    p = rule == 0 ? p + 1 : endOfRule(rule, p, end, depth, oneLine);
  }
  closed = false;
  return min(p, end);
}

/** The rule at `p` for a string or block comment: what may hide a closing bracket. */
export function passableRuleAt(p: usize, end: usize, oneLine: bool): usize {
  const rule = ruleAt(p, end);
  if (rule == 0) return 0;
  const type: i32 = load<u8>(rule, typeAt);
  if (type == tokenRule || type == regexRule) return 0;
  return oneLine && type == lineCommentRule ? 0 : rule;
}

/** A character in quotes, or, where no quote closes it, a label: then `closed` is false and the end is after the name. */
function endOfCharacter(rule: usize, p: usize, end: usize): usize {
  const quote = <u32>load<u64>(rule, closeAt) & 255;
  bodyStart = p;
  closed = false;
  if (p < end && load<u8>(p) == 92) {
    // An escape: its closing quote is near, as in '\u{10FFFF}'.
    const limit = min(p + 12, end);
    for (let q = p + 2; q < limit; q++) {
      if (load<u8>(q) == quote) {
        closed = true;
        bodyEnd = q;
        return q + 1;
      }
    }
  } else if (p < end && !isLineEnd(load<u8>(p))) {
    const q = p + bytesOfCharacter(load<u8>(p));
    if (q < end && load<u8>(q) == quote) {
      closed = true;
      bodyEnd = q;
      return q + 1;
    }
  }
  while (p < end && isWordAt(p)) p++;
  bodyEnd = p;
  return p;
}

/** Bytes of the UTF-8 character that begins with `byte`. */
// @ts-ignore: decorator
@inline
export function bytesOfCharacter(byte: u32): usize {
  return byte < 0xc0 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
}

/** The end of the opening of a fenced string at `p`, or 0 when it is none. */
function fenceEnd(rule: usize, p: usize, end: usize): usize {
  const fence: u32 = load<u8>(rule, fenceAt);
  const least: usize = load<u8>(rule, leastFencesAt);
  const endLength: u32 = load<u8>(rule, fenceEndLengthAt);
  const from = p + load<u8>(rule, openLengthAt);
  let q = from;
  if (load<u32>(rule, ruleFlagsAt) & namedFenceRule) {
    const limit = min(from + 32, end);
    while (q < limit && isWordAt(q)) q++;
  } else {
    const limit = min(from + 64, end);
    while (q < limit && load<u8>(q) == fence) q++;
  }
  if (q - from < least || q + endLength > end) return 0;
  return endLength == 0 || matches(q, load<u32>(rule, fenceEndAt), endLength) ? q + endLength : 0;
}

function endOfFenced(rule: usize, p: usize, end: usize): usize {
  const from = p + load<u8>(rule, openLengthAt);
  const body = fenceEnd(rule, p, end);
  const fences = body - load<u8>(rule, fenceEndLengthAt) - from;
  const closing = load<u64>(rule, closeAt);
  const closeLength: u32 = load<u8>(rule, closeLengthAt);
  // The closing is: closing bytes before the fence (0 to 3), the fence, closing bytes after it.
  const before: u32 = load<u8>(rule, escapeAt);
  const first: u32 = before ? <u32>closing & 255 : <u32>load<u8>(from);
  bodyStart = body;
  closed = false;
  for (let q = find(first, body, end); q + closeLength + fences <= end; q = find(first, q + 1, end)) {
    if (before && !matches(q, closing, before)) continue;
    if (memory.compare(q + before, from, fences) != 0) continue;
    const after = closeLength - before;
    if (after && !matches(q + before + fences, closing >> (before << 3), after)) continue;
    closed = true;
    bodyEnd = q;
    return q + closeLength + fences;
  }
  bodyEnd = end;
  return end;
}
