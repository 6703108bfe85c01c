/** The kernel's memory that the lexer writes to while a text is lexed, and what it has made there. */
import { lexedLineBytes, lexedTokenAt } from '../../kernel/lex/lexedLayout.ts';
import type { Kernel } from '../kernel.ts';
import type { LexedArrays } from '../languages/blanklessWords.ts';
import type { Lexicon } from '../languages/lexicalRules.ts';
import { makeContent } from './content.ts';

/** Bytes that lexing needs for each byte of source at most: token, start, length, line record. */
export const lexBytesPerByte = 4 + 4 + 2 + lexedLineBytes;

/** Addresses of the arrays that the lexer writes. */
export type LexRoom = Omit<LexedArrays, 'tokenCount' | 'lineCount'>;

/** What the lexer has made of a part of a document so far. */
export interface Lexed {
  readonly room: LexRoom;
  tokenCount: number;
  lineCount: number;
  /** How many of the tokens each language has, by its identifier. */
  readonly ofLanguages: Map<string, number>;
}

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

/** Copies the tokens and lines of a part from some place on to the code that it quotes. */
export function copyQuoted(
  kernel: Kernel,
  from: Lexed,
  first: { readonly token: number; readonly line: number },
  lexicon: Lexicon,
  quoted: Lexed,
): void {
  const { bytes, words } = kernel;
  const [count, lineCount] = [from.tokenCount - first.token, from.lineCount - first.line];
  for (const [array, size] of [
    ['tokens', 4],
    ['starts', 4],
    ['lengths', 2],
  ] as const) {
    const source = from.room[array] + size * first.token;
    bytes.copyWithin(quoted.room[array] + size * quoted.tokenCount, source, source + size * count);
  }
  const source = from.room.lines + lexedLineBytes * first.line;
  const lines = quoted.room.lines + lexedLineBytes * quoted.lineCount;
  bytes.copyWithin(lines, source, source + lexedLineBytes * lineCount);
  for (let line = 0; line < lineCount; line++) {
    words[(lines + lexedLineBytes * line + lexedTokenAt) >>> 2] += quoted.tokenCount - first.token;
  }
  if (lexicon.data) makeContent(kernel, quoted.room.tokens + 4 * quoted.tokenCount, count);
  quoted.tokenCount += count;
  quoted.lineCount += lineCount;
  countTokens(quoted, lexicon, count);
}

export function countTokens({ ofLanguages }: Lexed, { id }: Lexicon, count: number): void {
  ofLanguages.set(id, (ofLanguages.get(id) ?? 0) + count);
}
