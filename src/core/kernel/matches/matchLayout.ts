/** The record of a match, as indices of its words. This file is both TypeScript and AssemblyScript. */
export const recordWords = 13;
/** Document numbers. */
export const docAWord = 0;
export const docBWord = 1;
/** Tokens [a0, a1) of docA and [b0, b1) of docB. */
export const a0Word = 2;
export const a1Word = 3;
export const b0Word = 4;
export const b1Word = 5;
/** Aligned tokens: equal as written, renamed consistently, renamed in one place, renamed inconsistently. */
export const equalWord = 6;
export const consistentWord = 7;
export const onceWord = 8;
export const differingWord = 9;
/** Number of differing bits of the nearest windows. */
export const bitsWord = 10;
export const scoreWord = 11;
/** The longest run of tokens that are equal as written, aligned or not. */
export const longestWord = 12;
/** Words of memory that the matcher needs for each match: its record, and a link in recordGrid.ts. */
export const wordsOfMatch = recordWords + 1;
