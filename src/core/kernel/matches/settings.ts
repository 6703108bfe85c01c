// Settings of the current call: values from the options and from `constants`, and addresses in the kernel's memory.
// scripts/build.mjs derives settingsLayout.ts from this file.

@unmanaged export class Settings {
  /** Minimum similarity of passages of code, and of passages of prose. */
  codeSimilarity: f64;
  proseSimilarity: f64;
  /** Penalty for the score of passages that no seed connects. */
  givenCost: f64;
  /** Minimum score of the classifier. */
  requiredScore: f64;
  /** Minimum number of distinct shingles of a match. */
  distinctShingles: u32;
  /** An extension ends if its score drops by more than this below its maximum. */
  xDrop: i32;
  /** Maximum number of tokens in a gap, on each side. */
  gapTokens: u32;
  /** Minimum score of a piece, and minimum score at which a piece is extended across gaps. */
  minScore: i32;
  promisingScore: i32;
  /** Minimum number of tokens in each passage of code, and of prose. */
  codeTokens: u32;
  proseTokens: u32;
  /** Address of the idf table, which has one byte for each slot. */
  idfTable: usize;
  /**
   * Address of the weights of the classifier, f64 each. There is a weight for each pair of fields of `Features`;
   * weights are ordered by the first field.
   */
  scoreWeights: usize;
  /** Tokens of the signs that delimit blocks and statements: ( [ { ) ] } ; */
  openRound: u32;
  openSquare: u32;
  openCurly: u32;
  closeRound: u32;
  closeSquare: u32;
  closeCurly: u32;
  semicolon: u32;
  /** Tokens of the first and the last sign of an element of JSX, and of > and </ in its tags. */
  openElement: u32;
  closeElement: u32;
  greater: u32;
  closeTag: u32;
  /** Token of the colon that ends the head of a case. */
  colon: u32;
}

export let settings = changetype<Settings>(0);

/** Makes a record the current one. */
export function useSettings(record: Settings): void {
  settings = record;
}
