// Records of the module `pairs`. scripts/build.mjs derives pairLayout.ts from this file.

@unmanaged export class Pair {
  a: u64;
  b: u64;
}

/**
 * A choice of blocks: the mask of their bits, and the number of masks that the choice excludes. The excluded masks
 * follow the record in memory.
 */
@unmanaged export class ChoiceHead {
  mask: u64;
  leftOut: u64;
}

/** Result instead of a number of pairs if two fingerprints are equal. All bits are set. */
export const equalFoundBits = -1;

/**
 * Number of counters for sorting pairs. Pairs are sorted by digits of 11 bits, and there is a counter for each value of
 * a digit. Six digits cover 64 bits.
 */
export const pairCounts: u32 = 2048;
