// A seed: two windows with near fingerprints. Seeds are sorted by docA, docB, posB, posA, and bits. scripts/build.mjs
// derives seedLayout.ts from this file.

/** Number of bits in `posA` for the token position. The upper bits contain the number of differing bits. */
export const seedBitsShift: u32 = 27;
export const seedPositionMask: u32 = 0x7ff_ffff;
/**
 * Stored in place of the number of differing bits if a seed is used only to find runs of identical tokens. It is
 * greater than any distance.
 */
export const runOnly: u32 = 31;
/**
 * Stored in place of the number of differing bits if a seed is used only to compare the units that contain it, because
 * it links lines with the same phrase or pattern (phrases.ts). Like `runOnly`, it is greater than any distance.
 */
export const unitOnly: u32 = 30;

/** Number of bits of a digit for sorting seeds. So the counters of a digit still fit in the nearest cache. */
export const digitBits: u32 = 13;
/** Number of counters for sorting seeds: one for each value of a digit. */
export const seedCounts: u32 = 1 << digitBits;

@unmanaged export class Seed {
  docA: u32;
  docB: u32;
  /** First token of the left window. The upper bits contain the number of differing bits. */
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
