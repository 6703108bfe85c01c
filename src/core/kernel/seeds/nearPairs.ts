// Records of a join of fingerprints (join.ts), and the form of its pairs in a scan: 64-bit numbers. When pairs are
// sorted, those with the same greater fingerprint are adjacent, nearest partners first:
//
// index of the greater fingerprint, 29 bits | number of differing bits, 6 | index of the smaller one, 29
//
// scripts/build.mjs derives nearPairsLayout.ts from this file.

/** Size of a pair in bytes. */
export const pairBytes: usize = sizeof<u64>();

/**
 * A choice of blocks: the mask of their bits, and the number of masks that the choice excludes. The excluded masks
 * follow the record in memory.
 */
@unmanaged export class ChoiceHead {
  mask: u64;
  leftOut: u64;
}

/** A join: the fingerprints in their parts, the memory for chains, the pairs, and the progress. */
@unmanaged export class Join {
  distance: u32;
  /** Maximum number of partners of a fingerprint in a choice, for a scan. */
  maxPartners: u32;
  /** log2 of the number of parts. */
  partBits: u32;
  /** Fingerprints, ordered by part. Part p has the indices [starts[p], starts[p + 1]). */
  parts: usize;
  starts: usize;
  /** Index in the input of each fingerprint in `parts`, for a scan; otherwise 0. */
  numbers: usize;
  /** Records of `choiceBytes` bytes each; see `ChoiceHead`. */
  choices: usize;
  choiceCount: u32;
  choiceBytes: u32;
  /** Four words for each fingerprint of the longest part, and twice one word. */
  heads: usize;
  next: usize;
  linked: usize;
  /** Address of memory for `room` pairs, of which the first `count` have been written. */
  pairs: usize;
  room: u32;
  count: u32;
  /** 1 if the last call has ended because the room may be too small for the pairs of the next fingerprint. */
  isFull: u32;
  /** Number of steps until the current call ends. */
  left: i32;
  // The place to continue at.
  part: u32;
  choice: u32;
  /** Address in `linked` of the next fingerprint, or 0 before the chains of the choice are built. */
  reached: usize;
  linkedEnd: usize;
}

const greaterShift: u64 = 35;
const bitsShift: u64 = 29;
const lesserMask: u64 = (1 << 29) - 1;

@inline export function pairOf(greater: u32, bits: u32, lesser: u32): u64 {
  return ((<u64>greater) << greaterShift) | ((<u64>bits) << bitsShift) | (<u64>lesser);
}

@inline export function greaterOf(pair: u64): u32 {
  return <u32>(pair >> greaterShift);
}

@inline export function bitsOf(pair: u64): u32 {
  return (<u32>(pair >> bitsShift)) & 63;
}

@inline export function lesserOf(pair: u64): u32 {
  return <u32>(pair & lesserMask);
}
