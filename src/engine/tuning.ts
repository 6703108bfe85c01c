/**
 * Numbers of the method that nobody turns but whoever measures it: bench/results has the measurements that chose them.
 * What a person may turn is in options.ts.
 */
export const tuning = {
  /** Windows of code as written. */
  written: { tokens: 18, leastTokens: 13, leastDistinct: 9 },
  /** Windows of code with names abstracted: they tell less, so they have to be longer. */
  renamed: { tokens: 30, leastTokens: 20, leastDistinct: 8 },
  prose: {
    /** Words in a window of prose. */
    windowWords: 5,
    /** One word in this many begins a window, chosen by content. */
    anchorModulus: 2,
  },
  seeds: {
    /** Up to so many windows of one fingerprint are all linked; of more, each to the first and to its neighbour. */
    allPairs: 6,
  },
  align: {
    /** How far a score may fall below its best before extension gives up; a token on one side only costs 3. */
    xDrop: 40,
    /** Score that the strict extension of a seed needs for the patient one to be tried. */
    promisingScore: 100,
    /** Tokens that chaining may bridge on either side. */
    gapTokens: 130,
    /** Score of the smallest piece that is kept for chaining. */
    leastPieceScore: 90,
  },
  groups: {
    /** Passages that overlap by this share (of their union) are one. */
    samePassage: 0.7,
    /** In groups up to this size every pair is verified; in larger ones each passage against the leader. */
    verifyAll: 12,
    /** How many least shingle hashes make a group's id. */
    leastHashes: 4,
  },
} as const;
