// Records of the module `pairs`. scripts/build.mjs derives pairLayout.ts from this file.

@unmanaged export class Pair {
  a: u64;
  b: u64;
}

/** A choice of blocks: its mask, and the number of masks that it excludes. These masks follow the record. */
@unmanaged export class ChoiceHead {
  mask: u64;
  leftOut: u64;
}

/** All bits set: returned instead of the number of pairs if two fingerprints are equal. */
export const equalFoundBits = -1;

/** Number of counters for sorting pairs: one for each value of a digit of 11 bits. Six digits cover 64 bits. */
export const pairCounts: u32 = 2048;
