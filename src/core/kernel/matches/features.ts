// Features of an alignment, from which the classifier computes its score. scripts/build.mjs derives featuresLayout.ts
// from this file. The terms of the score in src/core/engine/constants.ts use the names of the fields.

@unmanaged export class Features {
  /** Always 1, for the terms of a single feature. */
  one: f64;
  /** Shares of the tokens that are equal, consistently renamed, renamed once, and different. */
  equal: f64;
  consistent: f64;
  once: f64;
  differing: f64;
  /** Share of the tokens that only one side has. */
  gaps: f64;
  /** Ratio of the mean length to the greater length. */
  evenness: f64;
  /** Logarithm of the length, at most `maxLength`. */
  length: f64;
  /** 1 if both passages are in the same document, otherwise 0. */
  sameDocument: f64;
  /** Length of the longest run, as a share of 60 tokens, at most 1. */
  longest: f64;
  /** Result of `sharedVocabulary`. */
  vocabulary: f64;
  /** Share of the aligned pairs of identifiers that are equal. */
  identifiers: f64;
}
