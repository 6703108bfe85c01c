/**
 * Codes of the ASCII characters that the lexer recognizes. Their names are those of Unicode, or describe their role in
 * code.
 */
export const tab: u32 = 9;
export const lineFeed: u32 = 10;
export const carriageReturn: u32 = 13;
export const space: u32 = 32;
export const exclamationMark: u32 = 33;
export const doubleQuote: u32 = 34;
export const numberSign: u32 = 35;
export const dollar: u32 = 36;
export const percent: u32 = 37;
export const ampersand: u32 = 38;
export const singleQuote: u32 = 39;
export const openRound: u32 = 40;
export const closeRound: u32 = 41;
export const asterisk: u32 = 42;
export const plus: u32 = 43;
export const comma: u32 = 44;
export const minus: u32 = 45;
export const period: u32 = 46;
export const slash: u32 = 47;
export const zero: u32 = 48;
export const colon: u32 = 58;
export const semicolon: u32 = 59;
export const lessThan: u32 = 60;
export const equalSign: u32 = 61;
export const greaterThan: u32 = 62;
export const questionMark: u32 = 63;
export const atSign: u32 = 64;
export const capitalA: u32 = 65;
export const openSquare: u32 = 91;
export const backslash: u32 = 92;
export const closeSquare: u32 = 93;
export const caret: u32 = 94;
export const underscore: u32 = 95;
export const backtick: u32 = 96;
export const letterA: u32 = 97;
export const letterC: u32 = 99;
export const letterE: u32 = 101;
export const letterL: u32 = 108;
export const letterP: u32 = 112;
export const letterX: u32 = 120;
export const openCurly: u32 = 123;
export const bar: u32 = 124;
export const closeCurly: u32 = 125;
export const tilde: u32 = 126;
/** Smallest byte value that belongs to a multibyte character. */
export const nonAscii: u32 = 128;
/** The bit that distinguishes lowercase letters, in which it is set, from uppercase ones. */
export const caseBit: u32 = 32;
