// Packed positions of a document's tokens: about 1.3 bytes per token instead of the lexer's 6. They are unpacked on
// demand, because only reports and explanations need them, for few tokens. scripts/build.mjs derives placesLayout.ts
// from this file.
//
//   blocks  a record for every 64 tokens
//   stream  one byte per token: the upper two bits encode its beginning, the lower six its length
//
// Additional numbers follow in groups of 7 bits, lowest first. In all bytes of a number except the last, the eighth bit
// is set. Numbers other than lengths are signed: 0, −1, 1, −2 … are encoded as 0, 1, 2, 3 …
import { LexedLine } from '../lex/lexed';
import { itemOf } from '../records';

/** Number of tokens in a block. Decoding starts at the beginning of a block. */
export const blockTokens = 64;

@unmanaged export class Block {
  /** Number of bytes of the stream before the block. */
  stream: u32;
  /** End of the previous token. */
  end: u32;
  /** Offset of the line of the previous token. */
  line: u32;
}

// Position of the two bits that encode the beginning of a token, followed by their values.
export const howShift = 6;
/** The token begins directly after the previous token. */
export const adjoins = 0;
/** The token begins one byte after the end of the previous token. */
export const follows = 1;
/** The token begins after the previous token, at a distance given by an additional number. */
export const behind = 2;
/**
 * The token is the first one on its line. Two additional numbers give the distance to the line and the offset within
 * it.
 */
export const opensLine = 3;

/** Value of the six bits for a token of at least this length. An additional number gives the excess. */
export const longLength = 63;

/** A line on which a token starts. */
@unmanaged export class Line {
  /** The first token that starts on the line. */
  token: u32;
  /**
   * Number of the line in the lower bits, and its mark in the upper bits. Texts of `mostMarkedLines` lines or more have
   * no marks.
   */
  number: u32;

  @inline get mark(): u32 {
    return this.number >> markShift;
  }
}

export const markShift = 24;
export const mostMarkedLines = 0x100_0000;

// Mark of a line: the depth of the statement that the line begins, from 1, and the line's relation to the block before
// it. In texts of bracketed blocks, the depth is 0.
export const depthMask = 31;
/** Depth of a line that does not begin a statement, because it is inside brackets or a string. */
export const noStatement = 31;
export const relationShift = 5;
export const relationMask = 3;
/**
 * Relation of a line that continues the statement before it: `else` in Python, or { below its head, or a declaration
 * below its decorators.
 */
export const clauseLine = 1;
/** The same, in a language in which `end` closes the last clause. */
export const middleLine = 2;
/** Relation of a line that closes the block before it: `end`. */
export const endLine = 3;
/** Relation of a line that begins a case of a bracketed block: `case` or `default`. */
export const caseLine = 2;
/** Mark of a line with decorators of the next declaration. */
export const decoratorMark = 128;

/**
 * Packs the positions of tokens. Then shortens the line records in place, from { first token, line, offset } (12 bytes)
 * to { first token, line }.
 *
 * @param lines  must be followed by room for the positions: 3 bytes for each byte of the text and 12 for each block
 * @returns size in bytes of the packed positions, which begin at lines + 12 × lineCount
 */
export function packPlaces(starts: usize, lengths: usize, count: u32, lines: usize, lineCount: u32): u32 {
  const out = changetype<usize>(itemOf<LexedLine>(lines, lineCount));
  const stream = out + <usize>((count + blockTokens - 1) / blockTokens) * offsetof<Block>();
  let at = stream;
  let end: u32 = 0;
  let line: u32 = 0;
  let lineStart: u32 = lineCount > 0 ? itemOf<LexedLine>(lines, 0).offset : 0;
  for (let token: u32 = 0; token < count; token++) {
    if (token % blockTokens === 0) {
      const block = itemOf<Block>(out, token / blockTokens);
      block.stream = <u32>(at - stream);
      block.end = end;
      block.line = lineStart;
    }
    const start = load<u32>(starts + ((<usize>token) << 2));
    const length = <u32>load<u16>(lengths + ((<usize>token) << 1));
    const ofLength = min<u32>(length, longLength);
    const gap = start - end;
    if (line < lineCount && itemOf<LexedLine>(lines, line).token <= token) {
      const before = end;
      do {
        lineStart = itemOf<LexedLine>(lines, line).offset;
        line++;
      } while (line < lineCount && itemOf<LexedLine>(lines, line).token <= token);
      store<u8>(at, <u8>((opensLine << howShift) | ofLength));
      at = putSigned(putSigned(at + 1, lineStart - before), start - lineStart);
    } else if (gap <= 1) {
      store<u8>(at, <u8>(((gap === 0 ? adjoins : follows) << howShift) | ofLength));
      at++;
    } else {
      store<u8>(at, <u8>((behind << howShift) | ofLength));
      at = putSigned(at + 1, gap);
    }
    if (ofLength === longLength) at = put(at, length - longLength);
    end = start + length;
  }
  // Iterate in ascending order, so that no record is overwritten before it is read.
  for (let record: u32 = 0; record < lineCount; record++) {
    const from = itemOf<LexedLine>(lines, record),
      to = itemOf<Line>(lines, record);
    const number = from.number;
    to.token = from.token;
    to.number = number;
  }
  return <u32>(at - out);
}

/**
 * Writes a number in groups of 7 bits, lowest first. In all bytes except the last, the eighth bit is set. Returns the
 * end.
 */
function put(at: usize, value: u32): usize {
  for (; value >= 128; value >>= 7) {
    store<u8>(at, <u8>(value | 128));
    at++;
  }
  store<u8>(at, <u8>value);
  return at + 1;
}

/** Writes a signed number. 0, −1, 1, −2 … are encoded as 0, 1, 2, 3 … */
@inline function putSigned(at: usize, value: u32): usize {
  return put(at, (value << 1) ^ (<u32>((<i32>value) >> 31)));
}
