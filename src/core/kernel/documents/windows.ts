// Positions of windows in prose, and the fingerprint distance between windows of two passages.
import { kindMask, wordKind } from '../lex/lexed';
import { partEnd } from './separators';
import { golden32 } from './hashFactors';
import { itemOf, setItem } from '../records';

/**
 * Writes the positions at which windows of prose begin, and returns their number. One in `modulus` words begins a
 * window. These words are selected by content, so copies of a passage have windows at the same words, even if their
 * lines are broken differently (Broder 1997, section 4: MOD_m).
 *
 * @param maxCode  maximum number of tokens in quoted code that gets windows of prose. Longer code has windows of code
 */
export function anchors(tokens: usize, count: u32, size: u32, modulus: u32, maxCode: u32, out: usize): u32 {
  let n: u32 = 0;
  let from: u32 = 0;
  for (let i: u32 = 0; i + size <= count; i++) {
    if (i == from) {
      // Prose and code have different kinds of tokens, so these tokens are quoted code.
      const end = partEnd(tokens, count, i);
      from = end + 1;
      if (end - i > maxCode && (itemOf<u32>(tokens, i) & kindMask) < <u32>wordKind) i = end;
      if (i + size > count) break;
    }
    let hash: u32 = 0;
    for (let j: u32 = 0; j < 2; j++) hash = (hash ^ itemOf<u32>(tokens, i + j)) * golden32;
    if ((hash >> 12) % modulus) continue;
    setItem<u32>(out, n, i);
    n++;
  }
  return n;
}

/**
 * Returns the smallest distance between a fingerprint of one list and a fingerprint of the other. Ignores fingerprints
 * that are 0. Returns 64 if one of the lists contains only zeros.
 */
export function nearestBits(a: usize, aCount: u32, b: usize, bCount: u32): u32 {
  let minBits: u32 = 64;
  for (let i: u32 = 0; i < aCount; i++) {
    const fingerprint = itemOf<u64>(a, i);
    if (!fingerprint) continue;
    for (let j: u32 = 0; j < bCount; j++) {
      const other = itemOf<u64>(b, j);
      if (other) minBits = min(minBits, <u32>popcnt(fingerprint ^ other));
    }
    if (!minBits) return 0;
  }
  return minBits;
}
