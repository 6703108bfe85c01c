/** The record of a match, as numbers of its words. This file is both TypeScript and AssemblyScript. */
export const recordWords = 13;
/** The documents, by number. */
export const docAWord = 0;
export const docBWord = 1;
/** Tokens [a0, a1) of docA and [b0, b1) of docB. */
export const a0Word = 2;
export const a1Word = 3;
export const b0Word = 4;
export const b1Word = 5;
/** Aligned tokens: equal as written, renamed alike throughout, renamed in one place, renamed inconsistently. */
export const equalWord = 6;
export const consistentWord = 7;
export const onceWord = 8;
export const differingWord = 9;
/** Bits that differ between the nearest windows. */
export const bitsWord = 10;
export const scoreWord = 11;
/** The longest run of tokens that are equal as written, aligned or not. */
export const longestWord = 12;
