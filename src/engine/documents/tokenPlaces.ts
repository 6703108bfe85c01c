/**
 * Where a token stands in its text. Documents keep that packed (src/kernel/documents/places.ts), since only reports and explanations
 * ask for it, of few tokens each:
 *
 *   blocks  { bytes of the stream before, end of the token before, offset of its line } u32 each, for every 64 tokens
 *   stream  for each token a byte, two bits of which say how it begins, and six how long it is
 *
 *   how  0   where the token before ends
 *        1   a byte behind that
 *        2   behind that, by a number that follows
 *        3   as the first of its line: how far behind that the line begins follows, then how far in the line the token
 *   long     63 and more: what is over 63 follows
 *
 * Numbers that follow are in bytes of 7 bits, the lowest first, and but for that of lengths signed.
 */
import type { DocumentIndex } from './documents.ts';
import type { Kernel } from '../kernel.ts';

const blockTokens = 64;
const blockWords = 3;

/** Bytes from the beginning of the text: of a token, behind it, and of its line. */
export interface TokenPlace {
  readonly start: number;
  /** A token of more than 65,535 bytes counts as one of so many. */
  readonly end: number;
  readonly lineStart: number;
}

export function placeOfToken({ bytes, words }: Kernel, index: DocumentIndex, token: number): TokenPlace {
  const block = (index.places >>> 2) + blockWords * Math.floor(token / blockTokens);
  let at = index.places + 4 * blockWords * Math.ceil(index.tokenCount / blockTokens) + words[block];
  let end = words[block + 1];
  let lineStart = words[block + 2];
  let start = end;
  for (let i = token - (token % blockTokens); i <= token; i++) {
    const head = bytes[at++];
    const how = head >>> 6;
    if (how === 3) lineStart = end + signed();
    start = how === 3 ? lineStart + signed() : how === 2 ? end + signed() : end + how;
    end = start + (head & 63) + ((head & 63) === 63 ? unsigned() : 0);
  }
  return { start, end, lineStart };

  function unsigned(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++];
      value |= (byte & 127) << shift;
      if (byte < 128) return value >>> 0;
    }
  }

  function signed(): number {
    const value = unsigned();
    return (value >>> 1) ^ -(value & 1);
  }
}
