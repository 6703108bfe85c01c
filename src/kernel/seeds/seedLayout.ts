/**
 * Seeds: two windows with near fingerprints. Four words each, sorted by docA, docB, posB, posA and bits. This file is both
 * TypeScript and AssemblyScript.
 */
export const seedBytes = 16;
export const seedDocAAt = 0;
export const seedDocBAt = 4;
/** The first token of the left window, and above it the bits that differ. */
export const seedPosAAt = 8;
export const seedPosBAt = 12;

export const seedBitsShift = 27;
export const seedPositionMask = 0x7ff_ffff;
/** In place of the bits, what marks a seed from which only a run of equal tokens is followed: more than any distance. */
export const runOnly = 31;

/** Words that sorting seeds counts in: one for each value of a digit of 11 bits. */
export const seedCounts = 2048;
