// Records of the lexer: its output, and the state that it passes from one segment of a text to the next. Each field is
// a 32-bit word. scripts/build.mjs derives lexedLayout.ts from this file.

// A token consists of 28 bits of hash above 4 bits of kind.
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
/** Range of the kinds of tokens that renaming may change. Greater codes are kinds of prose. */
export const firstNameKind = 3;
export const lastNameKind = 6;

/**
 * Token between independent texts in a document, with all bits set. It matches no token, not even another separator. As
 * an unsigned word, its name is `separator` in the kernel and in the engine.
 */
export const separatorBits = -1;

/** A line on which a token starts. A packed document keeps only the token and the number (places.ts). */
@unmanaged export class LexedLine {
  token: u32;
  number: u32;
  /** Offset of the line in the text, in bytes. */
  offset: u32;
}

// The number of a line has its mark in the upper bits (places.ts). Texts of `maxMarkedLines` lines or more have no
// marks.
export const markShift = 24;
export const numberMask: u32 = 0xff_ffff;
export const maxMarkedLines = 0x100_0000;
/** Mark of a line of prose that begins a list item, a row of a table, or a comment. */
export const itemMark = 1;

/** Arrays of the tokens and lines of a text, and the length of each. The lexer appends to them. */
@unmanaged export class LexedArrays {
  /** Tokens: u32 each, hash << 4 | kind. */
  tokens: usize;
  /** Offset in bytes of each token: u32. */
  starts: usize;
  /** Length in bytes of each token: u16, at most 65535. */
  lengths: usize;
  /** `LexedLine` for each line on which a token starts. */
  lines: usize;
  tokenCount: u32;
  lineCount: u32;
}

/** A text, and the state that its segments pass on. All but the first two fields are zero before the first segment. */
@unmanaged export class LexedText {
  /** Address of the text, and its length in bytes. */
  source: usize;
  length: u32;
  /** Number of the current line, and offset of its start. */
  line: u32;
  lineStart: u32;
  /**
   * Number of code tokens before the last comment of the separate text of the comments. If the number has grown when
   * the next comment begins, the two comments are separated.
   */
  codeBefore: u32;
  flags: u32;
}

/** Flag of a text: it contains a byte from 0x80 on. */
export const beyondAsciiFlag = 1;
/** Flag of a text: a token is a character of a script without spaces. */
export const blanklessFlag = 2;
