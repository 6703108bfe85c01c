/**
 * Settings of matching: addresses in the kernel's memory, and values from options and tuning. This file is both
 * TypeScript and AssemblyScript.
 */
export const settingsBytes = 80;
// Words.
export const xDropAt = 0;
export const gapTokensAt = 4;
/** Minimum score of a piece, and of a piece that is extended over gaps. */
export const leastScoreAt = 8;
export const promisingScoreAt = 12;
/** Address of the tokens ( [ { ) ] } ; */
export const bracketsAt = 16;
/** Address of the idf table. */
export const idfTableAt = 20;
/** Minimum number of tokens of each passage, in code and in prose. */
export const codeTokensAt = 24;
export const proseTokensAt = 28;
/** Address of the classifier's weights, f64 each: for each pair of features, ordered by the first one. */
export const scoreWeightsAt = 32;
export const distinctShinglesAt = 36;
// Values of type f64.
export const codeSimilarityAt = 40;
export const proseSimilarityAt = 48;
/** Deduction for passages that no seed has led to. */
export const givenCostAt = 56;
/** Amount by which the score of a match may be below 0. */
export const allowanceAt = 64;
// Words again.
/** Minimum number of distinct shingles of a match whose score is below 0. */
export const allowedDistinctShinglesAt = 72;

/** Features of the classifier, including the constant 1. */
export const featureCount = 12;

// The tokens that delimit blocks and statements: a word each.
export const bracketsBytes = 28;
export const openRoundAt = 0;
export const openSquareAt = 4;
export const openCurlyAt = 8;
export const closeRoundAt = 12;
export const closeSquareAt = 16;
export const closeCurlyAt = 20;
export const semicolonAt = 24;
