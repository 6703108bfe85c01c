/**
 * Numbers of the method that nobody turns but whoever measures it: bench/results has the measurements that chose them.
 * What a person may turn is in options.ts.
 */
export const tuning = {
  /** Windows of code as written. */
  written: { tokens: 18, leastTokens: 13, leastDistinct: 9 },
  /** Windows of code with names abstracted: they tell less, so they have to be longer. */
  renamed: { tokens: 24, leastTokens: 18, leastDistinct: 8 },
  prose: {
    /** Words in a window of prose. */
    windowWords: 5,
    /** One word in this many begins a window, chosen by content. */
    anchorModulus: 2,
  },
  seeds: {
    /** Up to so many windows of one fingerprint are linked across documents; of more, the first of each document. */
    allPairs: 4,
    /** Each fingerprint is linked to so many near ones before it, by each table. */
    partners: 4,
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
  /**
   * How convincing a match of code is: a weighted sum that has to reach 1. The weights are those of a logistic regression
   * of the calibrated probability that a person calls a pair a clone, over some 10,000 matches of two injected-clone sets
   * in five languages, scaled to a threshold of 1.
   */
  conviction: {
    /** Share of tokens equal as written, and of what these tell among all that the passages tell. */
    equal: 0.706,
    telling: 0.216,
    /** Natural logarithm of the tokens over 50. */
    length: 0.055,
    /** Share of names renamed in one place only, and alike throughout. */
    once: 0.125,
    consistent: 0.575,
    /** Mean length of the two sides over the greater. */
    evenness: 0.417,
    /** What is taken off for two passages of one document, and for a pair that no seed has brought together. */
    sameDocument: 0.108,
    given: 0.15,
  },
  files: {
    /** Bins of a document's signature: an estimate of resemblance has a standard error of 0.044 at most. */
    bins: 128,
    /** One hash in this many is in the sample of a document, by which containment is found. */
    modulus: 8,
  },
  groups: {
    /** Passages that overlap by this share (of their union) are one. */
    samePassage: 0.7,
    /** In groups up to this size every pair is verified; in larger ones each passage against the leader. */
    verifyAll: 16,
    /** How many least shingle hashes make a group's id. */
    leastHashes: 4,
  },
} as const;
