// Records of the module `pairs`. scripts/build.mjs writes pairLayout.ts from this file.

@unmanaged export class Pair {
  a: u64;
  b: u64;
}

/** A choice of blocks: its mask, and the number of masks that it leaves out, which are behind it. */
@unmanaged export class ChoiceHead {
  mask: u64;
  leftOut: u64;
}

/** All bits set: returned instead of the number of pairs if two fingerprints are equal. */
export const equalFoundBits = -1;

/** Words for counting when sorting pairs: one for each value of a digit of 11 bits; 6 digits cover 64 bits. */
export const pairCounts: u32 = 2048;
