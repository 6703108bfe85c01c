/** The kernel's memory that the lexer writes to while a text is lexed. */
import type { LexedArrays } from '../languages/blanklessWords.ts';

/** Bytes of a line's record as the lexer writes it: with the offset of the line, which goes to the places of tokens. */
export const lexedLineBytes = 12;
/** Bytes that lexing needs for each byte of source at most: token, start, length, line record. */
export const lexBytesPerByte = 4 + 4 + 2 + lexedLineBytes;

/** Addresses of the arrays that the lexer writes. */
export type LexRoom = Omit<LexedArrays, 'tokenCount' | 'lineCount'>;

/** Room for the lexer's arrays of a text of so many bytes, from an address on. */
export function lexRoom(tokens: number, room: number): LexRoom {
  const starts = tokens + room * 4;
  const lines = starts + room * 4;
  return { tokens, starts, lines, lengths: lines + room * lexedLineBytes };
}

/** The arrays in such room, once it is known how much of it is used. */
export function lexedArrays(
  { tokens, starts, lengths, lines }: LexRoom,
  tokenCount: number,
  lineCount: number,
): LexedArrays {
  return { tokens, starts, lengths, lines, tokenCount, lineCount };
}
