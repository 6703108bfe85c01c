// Output of the lexer, and the state that it passes from one segment of a text to the next. All fields are words.
// scripts/build.mjs derives lexedLayout.ts from this file.

// A token has 28 bits of hash above 4 bits of kind.
export const kindBits = 4;
export const kindMask = 15;

// Codes of the token kinds.
export const punctuationKind = 0;
export const operatorKind = 1;
export const keywordKind = 2;
export const identifierKind = 3;
export const callKind = 4;
export const numberKind = 5;
export const stringKind = 6;
export const wordKind = 7;
export const headingKind = 8;
export const commentKind = 9;
/** Range of the kinds of names that renaming may change. Kinds of prose have greater codes. */
export const firstNameKind = 3;
export const lastNameKind = 6;

/**
 * All bits set: the token between parts of a document that are not continuous text. No token matches it, not even
 * another separator. As an unsigned word, it is called `separator` in the kernel and in the engine.
 */
export const separatorBits = -1;

/** A line on which a token starts. After packing, only the token and the number are kept (places.ts). */
@unmanaged export class LexedLine {
  token: u32;
  number: u32;
  /** Offset of the line in the text, in bytes. */
  offset: u32;
}

/** Result of lexing a segment, and input for the next segment. */
@unmanaged export class Result {
  /** Number of tokens and number of line records. */
  tokens: u32;
  lines: u32;
  /** Number of the current line, and its offset. */
  line: u32;
  offset: u32;
  flags: u32;
}

/** Flag of a result: the text contains a byte from 0x80 on. */
export const beyondAsciiFlag = 1;
/** Flag of a result: a token is a character of a script without spaces. */
export const blanklessFlag = 2;

/** The text of the comments: addresses of its arrays, and their lengths. */
@unmanaged export class Comments {
  tokens: usize;
  starts: usize;
  lengths: usize;
  lines: usize;
  tokenCount: u32;
  lineCount: u32;
  /**
   * Number of code tokens before the last comment. If there are more before the next comment, the two comments are
   * separate.
   */
  codeBefore: u32;
}
