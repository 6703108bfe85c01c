// Records of matchRecord.ts, written by scripts/build.mjs: change them there.
export const wordsOfMatch = 14;
export const matchWords = 13;
export const matchDocAWord = 0;
export const matchDocBWord = 1;
export const matchA0Word = 2;
export const matchA1Word = 3;
export const matchB0Word = 4;
export const matchB1Word = 5;
export const matchEqualWord = 6;
export const matchConsistentWord = 7;
export const matchOnceWord = 8;
export const matchDifferingWord = 9;
export const matchBitsWord = 10;
export const matchScoreWord = 11;
export const matchLongestWord = 12;
