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
export const lineNumberAt = 4;
