// Pairs of near fingerprints. A pair is a 64-bit number. When pairs are sorted, those with the same greater fingerprint
// are adjacent, nearest partners first:
//
// index of the greater fingerprint, 29 bits | number of differing bits, 6 | index of the smaller one, 29
//
// scripts/build.mjs derives nearPairsLayout.ts from this file.

/** Size of a pair in bytes. */
export const pairBytes: usize = sizeof<u64>();

/** The pairs that have been found, and the progress of the search in the current table. */
@unmanaged export class NearPairs {
  /** Address of memory for `room` pairs, of which the first `count` have been written. */
  address: usize;
  room: u32;
  count: u32;
  /** Index of the table's next fingerprint: the number of all fingerprints at the end. */
  next: u32;
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
