// Window fingerprints: weighted simhash (Charikar 2002, section 3) of every window of tokens that begins at a line.
//
// The shingles of a window vote on 64 bits (votes.ts). When the window moves, the votes of the shingles that leave it
// are subtracted, and the votes of the shingles that enter it are added. So each token costs two updates, regardless of
// the window's length.
import { firstNameKind, kindMask, lastNameKind } from '../lex/lexed';
import { clearVotes, storeFingerprint, vote } from './votes';
import { golden32 } from './hashFactors';
import { Windowing } from './windowing';
import { addressAt, itemOf, setItem } from '../records';

/** Returns true if renaming may change tokens of this kind: identifiers, calls, numbers, and strings. */
@inline export function isName(token: u32): bool {
  return (token & kindMask) - firstNameKind <= <u32>(lastNameKind - firstNameKind);
}

/** Returns a mask with all bits set in each lane whose token `isName`. */
@inline export function areNames(tokens: v128): v128 {
  const kinds = v128.and(tokens, i32x4.splat(kindMask));
  return i32x4.le_u(i32x4.sub(kinds, i32x4.splat(firstNameKind)), i32x4.splat(lastNameKind - firstNameKind));
}

/** Forms in which tokens are compared: as written, or with names replaced by their kind. */
export const asWritten: bool = false;
export const namesAbstracted: bool = true;

/**
 * Returns the form of a token that is used to compare renamed copies. For a name or literal, this is its kind; for
 * other tokens, the token itself.
 */
@inline export function abstractToken(token: u32): u32 {
  return isName(token) ? token & kindMask : token;
}

/** The finalizer of MurmurHash3 (Appleby 2011): every input bit affects every output bit. */
@inline export function mix64(value: u64): u64 {
  value ^= value >> 33;
  value *= 0xff51afd7ed558ccd;
  value ^= value >> 33;
  value *= 0xc4ceb9fe1a85ec53;
  return value ^ (value >> 33);
}

// Writes the hash (u64) of each shingle to hashes + 8 i, and its weight (u16) to shingleWeights + 2 i. Both arrays must
// have room for as many items as there are tokens.
export function hashShingles(
  tokens: usize,
  count: u32,
  size: u32,
  renamed: u32,
  weights: usize,
  hashes: usize,
  shingleWeights: usize,
): void {
  if (count < size) return;
  // 2⁶⁴ divided by the golden ratio.
  const base: u64 = 0x9e3779b97f4a7c15;
  let leading: u64 = 1;
  for (let i: u32 = 1; i < size; i++) leading *= base;
  let hash: u64 = 0;
  let weight: u32 = 0;
  const half = size >> 1;
  for (let i: u32 = 0; i < count; i++) {
    const token = itemOf<u32>(tokens, i);
    const value = mix64(<u64>(renamed ? abstractToken(token) : token));
    hash = hash * base + value;
    // Store the token's value where the hash of the shingle that begins here will be. The value is needed once more,
    // when the token leaves the rolling sum.
    setItem<u64>(hashes, i, value);
    weight += <u32>itemOf<u16>(weights, token & kindMask);
    if (i + 1 >= size) {
      const first = i + 1 - size;
      const at = addressAt<u64>(hashes, first);
      const leavingValue = load<u64>(at);
      store<u64>(at, mix64(hash));
      setItem<u16>(shingleWeights, first, <u16>((weight + half) / size));
      const leaving = itemOf<u32>(tokens, first);
      hash -= leading * leavingValue;
      weight -= <u32>itemOf<u16>(weights, leaving & kindMask);
    }
  }
}

/**
 * Writes the fingerprints of the windows of one document. A window that must not become a seed has the fingerprint 0:
 * if it is shorter than `minTokens`, or has fewer than `minDistinct` distinct tokens.
 *
 * @param windows         address of the first token of each window; the tokens are ascending, `stride` bytes apart
 * @param scratch         10 bytes for each token
 * @param out             u64 for each window
 */
export function fingerprint(
  tokens: usize,
  count: u32,
  windows: usize,
  stride: usize,
  windowCount: u32,
  windowing: Windowing,
  scratch: usize,
  out: usize,
): void {
  const shingleSize = windowing.shingleSize;
  const renamed = windowing.renamed;
  const votes = windowing.votes;
  const hashes = scratch;
  const shingleWeights = addressAt<u64>(scratch, count);
  hashShingles(tokens, count, shingleSize, renamed, windowing.weights, hashes, shingleWeights);
  // The votes contain the shingles [from, to).
  let from: u32 = 0;
  let to: u32 = 0;
  for (let window: u32 = 0; window < windowCount; window++) {
    const first = load<u32>(windows + <usize>window * stride);
    const end = min<u32>(first + windowing.windowTokens, count);
    const target = addressAt<u64>(out, window);
    if (
      end - first < windowing.minTokens ||
      end - first < shingleSize ||
      distinct(tokens, first, end, renamed) < windowing.minDistinct
    ) {
      store<u64>(target, 0);
      continue;
    }
    const last = end - shingleSize + 1;
    if (first >= to) {
      clearVotes(votes);
      from = to = first;
    }
    vote(votes, hashes, shingleWeights, from, first, -1);
    vote(votes, hashes, shingleWeights, to, last, 1);
    from = first;
    to = max(to, last);
    storeFingerprint(votes, target);
  }
}

/** Number of neighbors with which a window is compared, to detect repetitive text. */
const periodWindows: u32 = 4;

/**
 * Sets a fingerprint to 0 if one of the next windows of the document has the same fingerprint. This happens in tables,
 * lists of cases, and uniform getters. Such windows would match each other, and similar rows elsewhere, at every
 * offset.
 *
 * @param marks  scratch memory, one byte for each window
 */
export function dropRepeating(fingerprints: usize, count: u32, marks: usize): void {
  memory.fill(marks, 0, count);
  for (let i: u32 = 0; i < count; i++) {
    const fingerprint = itemOf<u64>(fingerprints, i);
    if (!fingerprint) continue;
    for (let j = i + 1; j < count && j <= i + periodWindows; j++) {
      if (itemOf<u64>(fingerprints, j) != fingerprint) continue;
      store<u8>(marks + i, 1);
      store<u8>(marks + j, 1);
    }
  }
  dropMarked(fingerprints, count, marks);
}

/**
 * Sets a fingerprint to 0 if one of the few windows before it has the same fingerprint. So only the first of several
 * equal rows can become a seed.
 */
export function dropRepeated(fingerprints: usize, count: u32, marks: usize): void {
  memory.fill(marks, 0, count);
  for (let i: u32 = 0; i < count; i++) {
    const fingerprint = itemOf<u64>(fingerprints, i);
    for (let j = i + 1; j < count && j <= i + periodWindows; j++) {
      if (itemOf<u64>(fingerprints, j) == fingerprint) store<u8>(marks + j, 1);
    }
  }
  dropMarked(fingerprints, count, marks);
}

function dropMarked(fingerprints: usize, count: u32, marks: usize): void {
  for (let i: u32 = 0; i < count; i++) {
    if (load<u8>(marks + i)) setItem<u64>(fingerprints, i, 0);
  }
}

// Returns the approximate number of distinct tokens in [first, end). Each token sets one bit of a 64-bit map, and the
// set bits are counted.
@inline function distinct(tokens: usize, first: u32, end: u32, renamed: u32): u32 {
  let seen: u64 = 0;
  for (let i = first; i < end; i++) {
    const token = itemOf<u32>(tokens, i);
    seen |= (<u64>1) << ((renamed ? abstractToken(token) * golden32 : token * golden32) >> 26);
  }
  return <u32>popcnt(seen);
}
