/**
 * Packed positions of a document's tokens: about 1.3 bytes per token instead of the lexer's 6. Only reports and
 * explanations need them, for few tokens. This file is both TypeScript and AssemblyScript.
 *
 *   blocks  { bytes of the stream before, end of the token before, offset of its line } u32 each, for every 64 tokens
 *   stream  one byte per token: the upper two bits encode its beginning, the lower six its length
 *
 * Additional numbers are in bytes of 7 bits, lowest first; all bytes but the last have the eighth bit set. Except for
 * lengths, they are signed: 0, −1, 1, −2 … as 0, 1, 2, 3 …
 */

/** Tokens per block. Decoding starts at the beginning of a block. */
export const blockTokens = 64;
export const blockBytes = 12;
export const blockStreamAt = 0;
export const blockEndAt = 4;
export const blockLineAt = 8;

// Encodings of a token's beginning.
export const howShift = 6;
/** Directly after the previous token. */
export const adjoins = 0;
/** One byte after the previous token. */
export const follows = 1;
/** After the previous token, at a distance that is given by an additional number. */
export const behind = 2;
/** First token on its line: additional numbers give the distance to the line, and the offset within the line. */
export const opensLine = 3;

/** Longest length that fits. For a longer token, an additional number gives the excess. */
export const longLength = 63;

// The record of a line on which a token starts.
export const lineBytes = 8;
/** The first token that starts on the line. */
export const lineTokenAt = 0;
/** Number of the line below its mark, which is 0 in texts of `mostMarkedLines` and more. */
export const lineNumberAt = 4;
export const markShift = 24;
export const mostMarkedLines = 0x100_0000;

// The mark of a line: the depth of the statement that it begins, from 1, and its relation to the block before it. The
// depth is 0 in texts of bracketed blocks.
export const depthMask = 31;
/** Depth of a line that begins no statement, because it is inside brackets or a string. */
export const noStatement = 31;
export const relationShift = 5;
export const relationMask = 3;
/** Continues the statement before it: `else` in Python, or `{` below its head and a declaration below its decorators. */
export const clauseLine = 1;
/** The same in a language in which `end` closes the last clause. */
export const middleLine = 2;
/** Closes the block before it: `end`. */
export const endLine = 3;
/** Begins a case of a bracketed block: `case` or `default`. */
export const caseLine = 2;
/** Set for the decorators of the next declaration. */
export const decoratorMark = 128;
