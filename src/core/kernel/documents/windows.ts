// Windows of a document: where those of prose begin, and how near those of two parts of a text are.
import { kindMask, wordKind } from '../lex/lexed';
import { partEnd } from './separators';
import { golden32 } from './hashFactors';

/**
 * Where the windows of prose begin: at words chosen by content, one in `modulus`, so that both copies of a passage
 * choose the same ones wherever their lines break (Broder 1997, section 4: MOD_m). Returns how many.
 *
 * @param mostCode  none begin in code with more tokens that the text quotes: it has windows of its own
 */
export function anchors(tokens: usize, count: u32, size: u32, modulus: u32, mostCode: u32, out: usize): u32 {
  let n: u32 = 0;
  let from: u32 = 0;
  for (let i: u32 = 0; i + size <= count; i++) {
    if (i == from) {
      // Prose has tokens of other kinds than code.
      const end = partEnd(tokens, count, i);
      from = end + 1;
      if (end - i > mostCode && (load<u32>(tokens + ((<usize>i) << 2)) & kindMask) < <u32>wordKind) i = end;
      if (i + size > count) break;
    }
    let hash: u32 = 0;
    for (let j: u32 = 0; j < 2; j++) hash = (hash ^ load<u32>(tokens + ((<usize>(i + j)) << 2))) * golden32;
    if ((hash >> 12) % modulus) continue;
    store<u32>(out + ((<usize>n) << 2), i);
    n++;
  }
  return n;
}

/** The least bits that differ between a fingerprint of one list and one of the other, those of 0 left out; 64 if none is left. */
export function nearestBits(a: usize, aCount: u32, b: usize, bCount: u32): u32 {
  let least: u32 = 64;
  for (let i: u32 = 0; i < aCount; i++) {
    const fingerprint = load<u64>(a + ((<usize>i) << 3));
    if (!fingerprint) continue;
    for (let j: u32 = 0; j < bCount; j++) {
      const other = load<u64>(b + ((<usize>j) << 3));
      if (other) least = min(least, <u32>popcnt(fingerprint ^ other));
    }
    if (!least) return 0;
  }
  return least;
}
