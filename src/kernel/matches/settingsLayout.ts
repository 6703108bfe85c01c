/**
 * What matching is told: addresses of the kernel's memory, and what options and tuning say. This file is both TypeScript and
 * AssemblyScript.
 */
export const settingsBytes = 80;
// Words.
export const xDropAt = 0;
export const gapTokensAt = 4;
/** The least score of a piece, and that of one that is followed over gaps. */
export const leastScoreAt = 8;
export const promisingScoreAt = 12;
/** Address of the words of the tokens ( [ { ) ] } ; */
export const bracketsAt = 16;
/** Address of the idf table. */
export const idfTableAt = 20;
/** Tokens that either passage has to have, in code and in prose. */
export const codeTokensAt = 24;
export const proseTokensAt = 28;
/** Address of the weights of the classifier, f64 each: of each pair of features, those of the first one first. */
export const scoreWeightsAt = 32;
export const distinctShinglesAt = 36;
// Of type f64.
export const codeSimilarityAt = 40;
export const proseSimilarityAt = 48;
/** What is taken from the score of passages that no seed has brought together. */
export const givenCostAt = 56;
/** How far below 0 the score of a match may be. */
export const allowanceAt = 64;
// A word again.
/** Distinct shingles that are asked of a match whose score is below 0. */
export const allowedDistinctShinglesAt = 72;

/** Features of the classifier, with the 1 for the constant. */
export const featureCount = 12;

// The tokens by which matching knows blocks and statements: a word each.
export const bracketsBytes = 28;
export const openRoundAt = 0;
export const openSquareAt = 4;
export const openCurlyAt = 8;
export const closeRoundAt = 12;
export const closeSquareAt = 16;
export const closeCurlyAt = 20;
export const semicolonAt = 24;
