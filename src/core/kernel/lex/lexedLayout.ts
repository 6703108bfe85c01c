/**
 * Output of the lexer, and the state that is passed from one segment of a text to the next. All values are words. This
 * file is both TypeScript and AssemblyScript.
 */

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

// The record of a line on which a token starts. Later, only `lineBytes` of it are kept (places.ts).
export const lexedLineBytes = 12;
export const lexedTokenAt = 0;
export const lexedNumberAt = 4;
/** Offset of the line in the text, in bytes. */
export const lexedOffsetAt = 8;

// The result of a segment, which is the input of the next one.
export const resultBytes = 20;
export const resultTokensAt = 0;
export const resultLinesAt = 4;
/** The current line, and its offset. */
export const resultLineAt = 8;
export const resultOffsetAt = 12;
export const resultFlagsAt = 16;
/** The text contains a byte from 0x80 on. */
export const beyondAsciiFlag = 1;
/** A token is a character of a script without spaces. */
export const blanklessFlag = 2;

// The text of the comments: addresses of its arrays, and their fill levels.
export const commentsBytes = 32;
export const commentTokensAt = 0;
export const commentStartsAt = 4;
export const commentLengthsAt = 8;
export const commentLinesAt = 12;
export const commentTokenCountAt = 16;
export const commentLineCountAt = 20;
/** Code tokens before the last comment. If there are more, the next comment is separate. */
export const codeBeforeAt = 24;
