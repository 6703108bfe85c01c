/**
 * Where the tokens of a document stand, in some 1.3 bytes a token instead of the 6 that the lexer writes: only reports and
 * explanations ask for it, of few tokens. This file is both TypeScript and AssemblyScript.
 *
 *   blocks  { bytes of the stream before, end of the token before, offset of its line } u32 each, for every 64 tokens
 *   stream  for each token a byte, the upper two bits of which say how it begins, and the lower six how long it is
 *
 * Numbers that follow are in bytes of 7 bits, the lowest first, all but the last with the eighth bit; but for that of lengths
 * they are signed: 0, −1, 1, −2 … as 0, 1, 2, 3 …
 */

/** Tokens after which the way to a token begins anew. */
export const blockTokens = 64;
export const blockBytes = 12;
export const blockStreamAt = 0;
export const blockEndAt = 4;
export const blockLineAt = 8;

// How a token begins.
export const howShift = 6;
/** Where the token before ends. */
export const adjoins = 0;
/** A byte behind that. */
export const follows = 1;
/** Behind that, by a number that follows. */
export const behind = 2;
/** As the first of its line: how far behind that the line begins follows, then how far in the line the token. */
export const opensLine = 3;

/** The longest length that fits beside it; of one that is longer, what is over that follows. */
export const longLength = 63;

// The line record, for each line on which a token starts.
export const lineBytes = 8;
/** The first token that starts on it. */
export const lineTokenAt = 0;
export const lineNumberAt = 4;
