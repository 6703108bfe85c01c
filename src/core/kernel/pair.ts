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

/** A search for pairs: the fingerprints in their parts, the memory for chains, and the pairs found so far. */
@unmanaged export class PairSearch {
  distance: u32;
  /** Fingerprints, ordered by part. Part p has the indices [starts[p], starts[p + 1]). */
  parts: usize;
  starts: usize;
  /** Records of `choiceBytes` bytes each; see `ChoiceHead`. */
  choices: usize;
  choiceCount: u32;
  choiceBytes: u32;
  /** Four words for each fingerprint of the longest part, and twice one word. */
  heads: usize;
  next: usize;
  linked: usize;
  /** Pairs of fingerprints, the lower first, and the room for them. */
  pairs: usize;
  room: u32;
  /** Number of pairs, including those beyond `room`, which are not written. */
  found: u32;
}

/**
 * Number of counters for sorting pairs. Pairs are sorted by digits of 11 bits, and there is a counter for each value of
 * a digit. Six digits cover 64 bits.
 */
export const pairCounts: u32 = 2048;
