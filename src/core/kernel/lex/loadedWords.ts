// Character sequences that the lexer compares as one number. The first character is the lowest byte.

// Whole words, or the beginnings of words.
export const wordAs: u32 = 0x7361;
export const wordBy: u32 = 0x7962;
export const wordIf: u32 = 0x6669;
export const wordIn: u32 = 0x6e69;
export const wordIs: u32 = 0x7369;
export const wordOf: u32 = 0x666f;
export const wordOr: u32 = 0x726f;
export const wordTo: u32 = 0x6f74;
/** Numbers with three bytes. */
export const wordAnd: u32 = 0x646e61;
export const wordFor: u32 = 0x726f66;
export const wordNot: u32 = 0x746f6e;
export const wordAsyn: u32 = 0x6e797361;
export const wordElse: u32 = 0x65736c65;
export const wordExte: u32 = 0x65747865;
export const wordInst: u32 = 0x74736e69;
export const wordSati: u32 = 0x69746173;
export const wordThen: u32 = 0x6e656874;
export const wordFrom: u32 = 0x6d6f7266;
export const wordWhil: u32 = 0x6c696877;
export const wordWith: u32 = 0x68746977;
export const wordSubs: u32 = 0x73627573;
export const wordSect: u32 = 0x74636573;
export const wordPara: u32 = 0x61726170;
export const wordChap: u32 = 0x70616863;
export const wordPart: u32 = 0x74726170;
export const wordTitl: u32 = 0x6c746974;
/** Number with seven bytes. */
export const wordLicense: u64 = 0x65736e6563696c;
export const wordLicence: u64 = 0x65636e6563696c;
export const wordCopyrigh: u64 = 0x6867697279706f63;

// Punctuation.
/** .. */
export const twoPeriods: u32 = 0x2e2e;
/** && */
export const twoAmpersands: u32 = 0x2626;
/** || */
export const twoBars: u32 = 0x7c7c;
/** [] */
export const squareBrackets: u32 = 0x5d5b;
/** => */
export const arrow: u32 = 0x3e3d;
/** -> */
export const thinArrow: u32 = 0x3e2d;
export const carriageReturnLineFeed: u32 = 0x0a0d;
/** ?> */
export const instructionEnd: u32 = 0x3e3f;
/** ]> */
export const declarationEnd: u32 = 0x3e5d;
/** ://, as a number with three bytes. */
export const schemeEnd: u32 = 0x2f2f3a;
/** <!-- */
export const commentStart: u32 = 0x2d2d213c;
/** <![CDATA */
export const characterDataStart: u64 = 0x41544144435b213c;
/** ’ in UTF-8, as a number with three bytes. */
export const rightSingleQuote: u32 = 0x9980e2;
/** The byte order mark in UTF-8, as a number with three bytes. */
export const byteOrderMark: u32 = 0xbfbbef;

/** Masks that keep the lower three of four bytes, and the lower seven of eight bytes. */
export const threeBytes: u32 = 0xffffff;
export const sevenBytes: u64 = 0xffffffffffffff;
/** `caseBit` in each of the eight bytes. */
export const caseBits: u64 = 0x2020202020202020;
