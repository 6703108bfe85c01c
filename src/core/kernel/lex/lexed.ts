// Output of the lexer, and the state that is passed from one segment of a text to the next. All values are words.
// scripts/build.mjs writes lexedLayout.ts from this file.

// A token has 28 bits of hash above 4 bits of kind.
export const kindBits = 4;
export const kindMask = 15;

// Codes of kinds.
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
/** The kinds of names, which renaming may change, are in this range. Kinds of prose have greater codes. */
export const firstNameKind = 3;
export const lastNameKind = 6;

/**
 * All bits set: the token between parts of a document that are not continuous text. It does not equal any token, not
 * even itself. As an unsigned word, it is `separator` on both sides.
 */
export const separatorBits = -1;

/** A line on which a token starts. Later, only the token and the number are kept (places.ts). */
@unmanaged export class LexedLine {
  token: u32;
  number: u32;
  /** Offset of the line in the text, in bytes. */
  offset: u32;
}

/** The result of a segment, which is the input of the next one. */
@unmanaged export class Result {
  /** Numbers of tokens and lines. */
  tokens: u32;
  lines: u32;
  /** The current line, and its offset. */
  line: u32;
  offset: u32;
  flags: u32;
}

/** Flag of a result: the text contains a byte from 0x80 on. */
export const beyondAsciiFlag = 1;
/** Flag of a result: a token is a character of a script without spaces. */
export const blanklessFlag = 2;

/** The text of the comments: addresses of its arrays, and their fill levels. */
@unmanaged export class Comments {
  tokens: usize;
  starts: usize;
  lengths: usize;
  lines: usize;
  tokenCount: u32;
  lineCount: u32;
  /** Code tokens before the last comment. If there are more, the next comment is separate. */
  codeBefore: u32;
}
