// Seeds: two windows with near fingerprints, sorted by docA, docB, posB, posA, and bits. scripts/build.mjs derives
// seedLayout.ts from this file.

/** Number of bits for the token position in `posA`. The bits above contain the number of differing bits. */
export const seedBitsShift: u32 = 27;
export const seedPositionMask: u32 = 0x7ff_ffff;
/**
 * Stands for the number of differing bits in a seed that is used only to follow runs of equal tokens. It is greater
 * than any distance.
 */
export const runOnly: u32 = 31;

/** Number of counters for sorting seeds: one for each value of a digit of 11 bits. */
export const seedCounts: u32 = 2048;

@unmanaged export class Seed {
  docA: u32;
  docB: u32;
  /** First token of the left window, with the number of differing bits in the upper bits. */
  posA: u32;
  posB: u32;

  @inline isOfPair(docA: u32, docB: u32): bool {
    return this.docA == docA && this.docB == docB;
  }

  /** Returns the first token of the left window. */
  @inline get tokenA(): u32 {
    return this.posA & seedPositionMask;
  }

  @inline get bits(): u32 {
    return this.posA >> seedBitsShift;
  }
}
