/**
 * Seeds: two windows with near fingerprints. Four words each, sorted by docA, docB, posB, posA and bits. This file is both
 * TypeScript and AssemblyScript.
 */
export const seedBytes = 16;
export const seedDocAAt = 0;
export const seedDocBAt = 4;
/** First token of the left window; the number of differing bits is above it. */
export const seedPosAAt = 8;
export const seedPosBAt = 12;

export const seedBitsShift = 27;
export const seedPositionMask = 0x7ff_ffff;
/** Replaces the number of bits in a seed that is only used to follow runs of equal tokens: more than any distance. */
export const runOnly = 31;

/** Words for counting when sorting seeds: one for each value of an 11-bit digit. */
export const seedCounts = 2048;
