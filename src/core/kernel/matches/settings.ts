// Settings of the current call: addresses in the kernel's memory, and values from options and tuning.
// scripts/build.mjs writes settingsLayout.ts from this file.

/** Features of the classifier, including the constant 1. */
export const featureCount: u32 = 12;

@unmanaged export class Settings {
  /** Minimum similarity of passages of code, and of prose. */
  codeSimilarity: f64;
  proseSimilarity: f64;
  /** Deduction for passages that no seed has led to. */
  givenCost: f64;
  /** Amount by which the score of a match may be below 0. */
  allowance: f64;
  /** Minimum number of distinct shingles of a match whose score is below 0. */
  allowedDistinctShingles: u32;
  distinctShingles: u32;
  /** Maximum drop of the score of an extension below its best. */
  xDrop: i32;
  /** Maximum number of tokens in a gap on each side. */
  gapTokens: u32;
  /** Minimum score of a piece, and of a piece that is extended over gaps. */
  leastScore: i32;
  promisingScore: i32;
  /** Minimum number of tokens of each passage, in code and in prose. */
  codeTokens: u32;
  proseTokens: u32;
  /** Address of the idf table: u8 for each slot. */
  idfTable: usize;
  /** Address of the classifier's weights, f64 each: for each pair of features, ordered by the first one. */
  scoreWeights: usize;
  /** Tokens that delimit blocks and statements: ( [ { ) ] } ; */
  openRound: u32;
  openSquare: u32;
  openCurly: u32;
  closeRound: u32;
  closeSquare: u32;
  closeCurly: u32;
  semicolon: u32;
}

export let settings = changetype<Settings>(0);

/** @param record  a `Settings` */
export function useSettings(record: usize): void {
  settings = changetype<Settings>(record);
}
