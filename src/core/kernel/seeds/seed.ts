// Seeds: two windows with near fingerprints, sorted by docA, docB, posB, posA, and bits.
// scripts/build.mjs writes seedLayout.ts from this file.

/** Bits of `posA` below the number of differing bits. */
export const seedBitsShift: u32 = 27;
export const seedPositionMask: u32 = 0x7ff_ffff;
/** Replaces the number of bits in a seed that is only used to follow runs of equal tokens: more than any distance. */
export const runOnly: u32 = 31;

/** Words for counting when sorting seeds: one for each value of an 11-bit digit. */
export const seedCounts: u32 = 2048;

@unmanaged export class Seed {
  docA: u32;
  docB: u32;
  /** First token of the left window, and the number of differing bits above it. */
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
