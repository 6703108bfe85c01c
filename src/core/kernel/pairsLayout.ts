/** Data exchanged between the library and the module `pairs`. This file is both TypeScript and AssemblyScript. */

// A choice of blocks: its mask, the number of masks it leaves out, and these masks, u64 each.
export const choiceMaskAt = 0;
export const choiceLeftOutAt = 8;
export const choiceMasksAt = 16;

/** Bytes of a pair: two fingerprints. */
export const pairBytes = 16;

/** All bits set: returned instead of the number of pairs if two fingerprints are equal. */
export const equalFoundBits = -1;

/** Words for counting when sorting pairs: one for each value of an 11-bit digit. */
export const pairCounts = 2048;
