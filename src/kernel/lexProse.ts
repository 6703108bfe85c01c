/**
 * Prose: words and nothing else. Markup, punctuation and line breaks never count; case does not either, for letters of
 * the scripts that have it. Scripts written without blanks give one token a character.
 */
import { beginLine, emit, foldAscii, hashBlock, hashEnd, hashStart, headingKind, loadPart, wordKind } from './lexState';
import { endOfLine } from './lexRules';

/** Lexes the prose from `p` to `end`. */
export function lexProse(p: usize, end: usize): void {
  while (p < end) {
    const lineEnd = endOfLine(p, end);
    lexProseLine(p, lineEnd, headingStart(p, lineEnd) ? headingKind : wordKind);
    p = lineEnd;
    if (p < end) {
      const crlf = load<u8>(p) == 13 && p + 1 < end && load<u8>(p, 1) == 10;
      p += crlf ? 2 : 1;
      beginLine(p);
    }
  }
}

/** Whether the line begins as a heading does: one to six # or =, then a blank. */
function headingStart(p: usize, end: usize): bool {
  const mark: u32 = load<u8>(p);
  if (mark != 35 && mark != 61) return false;
  let q = p + 1;
  while (q < end && load<u8>(q) == mark) q++;
  return q - p <= 6 && q < end && load<u8>(q) == 32;
}

function lexProseLine(p: usize, end: usize, kind: u32): void {
  while (p < end) {
    const length = proseWordLength(p, end);
    if (length == 0) {
      p++;
      continue;
    }
    emit(hashProseWord(p, length), kind, p, length);
    p += length;
  }
}

function isProseLetter(byte: u32): bool {
  return (byte | 32) - 97 < 26 || byte - 48 < 10 || byte >= 128;
}

function proseWordLength(p: usize, end: usize): usize {
  let q = p;
  while (q < end) {
    const byte: u32 = load<u8>(q);
    const inner = byte == 39 && q > p && q + 1 < end && isProseLetter(load<u8>(q, 1));
    if (!isProseLetter(byte) && !inner) break;
    q++;
  }
  return q - p;
}

function hashProseWord(p: usize, length: usize): u32 {
  let hash = hashStart(length, 0);
  for (let left = length; left > 0;) {
    const part: usize = left < 16 ? left : 16;
    const bytes = foldAscii(loadPart(p, part));
    hash = hashBlock(hash, i64x2.extract_lane(bytes, 0), i64x2.extract_lane(bytes, 1));
    p += part;
    left -= part;
  }
  return hashEnd(hash);
}
