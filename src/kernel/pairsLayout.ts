/**
 * What the library writes for the module `pairs`, and what that answers. This file is both TypeScript and AssemblyScript.
 */

// A choice of blocks: its mask, how many masks it leaves out, and these, u64 each.
export const choiceMaskAt = 0;
export const choiceLeftOutAt = 8;
export const choiceMasksAt = 16;

/** Bytes of a pair: two fingerprints. */
export const pairBytes = 16;

/** All bits set: what is returned in place of a number of pairs when two fingerprints are equal. */
export const equalFoundBits = -1;

/** Words that sorting pairs counts in: one for each value of a digit of 11 bits. */
export const pairCounts = 2048;
