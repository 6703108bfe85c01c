// Packed positions of a document's tokens: about 1.3 bytes per token instead of the lexer's 6. They are unpacked on
// demand, because only reports and explanations need them, for few tokens. scripts/build.mjs derives placesLayout.ts
// from this file.
//
//   blocks  a record for every 64 tokens
//   stream  one byte per token: the upper two bits encode its beginning, the lower six its length
//
// Some tokens need more numbers, which follow the byte in groups of 7 bits, lowest first. The eighth bit is set in all
// bytes of a number except the last. Numbers other than lengths are signed: 0, −1, 1, −2 … are encoded as 0, 1, 2, 3 …
import { LexedLine, markShift } from '../lex/lexed';
import { itemOf } from '../records';
import { countUpTo } from '../search';

/** Number of tokens in a block. Decoding starts at the beginning of a block. */
export const blockTokens = 64;

@unmanaged export class Block {
  /** Number of bytes of the stream before this block. */
  stream: u32;
  /** End of the last token before this block. */
  end: u32;
  /** Offset of the line of the last token before this block. */
  line: u32;
}

// Position in the byte of the two bits that encode where a token begins. The following constants are the values of
// these bits.
export const howShift = 6;
/** The token begins at the end of the previous token. */
export const adjoins = 0;
/** The token begins one byte after the end of the previous token. */
export const follows = 1;
/** The token begins after the previous token, at a distance given by an additional number. */
export const behind = 2;
/**
 * The token is the first one on its line. Two additional numbers give the distance to that line and the offset on the
 * line.
 */
export const opensLine = 3;

/**
 * Value of the six length bits if the token has this length or a greater one. An additional number gives the
 * difference.
 */
export const longLength = 63;

/** Record of a line on which a token starts. */
@unmanaged export class Line {
  /** The first token that starts on the line. */
  token: u32;
  /**
   * The lower bits contain the line number, the upper bits the line's mark. Texts with `maxMarkedLines` lines or more
   * have no marks.
   */
  number: u32;

  @inline get mark(): u32 {
    return this.number >> markShift;
  }
}

/** Returns the index of the line on which a token lies. */
@inline export function lineIndex(lines: usize, lineCount: u32, token: u32): u32 {
  return max<u32>(countUpTo<Line>(token, lines, lineCount, offsetof<Line>('token')), 1) - 1;
}

// The mark of a line consists of a depth and a relation. The depth is that of the statement that begins on the line,
// counted from 1; it is 0 in texts whose blocks are in brackets. The relation is that of the line to the block before
// it.
export const depthMask = 31;
/** Depth of a line that does not begin a statement, because it is inside brackets or a string. */
export const noStatement = 31;
export const relationShift = 5;
export const relationMask = 3;
/**
 * Relation of a line that continues the statement before it: `else` in Python, a { below its head, or a declaration
 * that follows its decorators.
 */
export const clauseLine = 1;
/** Relation of a line like `else` in a language in which `end` closes the last clause. */
export const middleLine = 2;
/** Relation of a line that closes the block before it: `end`. */
export const endLine = 3;
// Relations in bracketed blocks, which do not use the relations above with the same values.
/** Relation of a line that begins a case: `case 1:`. */
export const caseLine = 2;
/** Relation of a line that begins a case only in a block with a `case`: `default:`, `public:`. */
export const labelLine = 3;
/** Mark of a line with decorators, which belong to the next declaration, in a text with indented blocks. */
export const decoratorMark = 128;
/**
 * Mark of a line that continues a statement with an operator, as in `=> value` or `.call()`, in a text with bracketed
 * blocks.
 */
export const joinedMark = 128;

/**
 * Packs the positions of tokens. Then shortens the line records in place, from { first token, line, offset } (12 bytes)
 * to { first token, line }.
 *
 * @param lines  line records, followed by room for the packed positions: 3 bytes for each byte of the text and 12 for
 *   each block
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
    const start = itemOf<u32>(starts, token);
    const length = <u32>itemOf<u16>(lengths, token);
    const ofLength = min<u32>(length, longLength);
    const gap = start - end;
    if (line < lineCount && itemOf<LexedLine>(lines, line).token <= token) {
      const before = end;
      do {
        lineStart = itemOf<LexedLine>(lines, line).offset;
        line++;
      } while (line < lineCount && itemOf<LexedLine>(lines, line).token <= token);
      store<u8>(at, <u8>((opensLine << howShift) | ofLength));
      at = writeSigned(writeSigned(at + 1, lineStart - before), start - lineStart);
    } else if (gap <= 1) {
      store<u8>(at, <u8>(((gap === 0 ? adjoins : follows) << howShift) | ofLength));
      at++;
    } else {
      store<u8>(at, <u8>((behind << howShift) | ofLength));
      at = writeSigned(at + 1, gap);
    }
    if (ofLength === longLength) at = writeNumber(at, length - longLength);
    end = start + length;
  }
  // Process the records in ascending order, so that each record is read before it is overwritten.
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
function writeNumber(at: usize, value: u32): usize {
  for (; value >= 128; value >>= 7) {
    store<u8>(at, <u8>(value | 128));
    at++;
  }
  store<u8>(at, <u8>value);
  return at + 1;
}

/** Writes a signed number: 0, −1, 1, −2 … are encoded as 0, 1, 2, 3 … */
@inline function writeSigned(at: usize, value: u32): usize {
  return writeNumber(at, (value << 1) ^ (<u32>((<i32>value) >> 31)));
}
