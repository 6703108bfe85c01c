// Records of the module `pairs`. scripts/build.mjs derives pairLayout.ts from this file.

/** Two fingerprints, the lower first. */
@unmanaged export class Pair {
  a: u64;
  b: u64;
}

/**
 * Number of counters for sorting pairs. Pairs are sorted by digits of 11 bits, and there is a counter for each value of
 * a digit. Six digits cover 64 bits.
 */
export const pairCounts: u32 = 2048;
