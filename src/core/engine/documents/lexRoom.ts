/** Scratch memory in the kernel for the arrays that the lexer writes. */
import * as layout from '../../kernel/lex/lexedLayout.ts';
import type { Kernel } from '../kernel.ts';
import type { LexedArrays } from '../languages/blanklessWords.ts';
import type { Lexicon } from '../languages/lexicalRules.ts';
import { makeContent } from './content.ts';

/** Maximum number of bytes that the lexer writes per source byte: a token, its start, its length, and a line record. */
export const lexBytesPerByte = 4 + 4 + 2 + layout.lexedLineBytes;

/** Addresses of the arrays that the lexer writes. */
export type LexRoom = Omit<LexedArrays, 'tokenCount' | 'lineCount'>;

/** The tokens of one part of a document that have been lexed so far. */
export interface LexedTokens {
  readonly room: LexRoom;
  tokenCount: number;
  lineCount: number;
  /** Number of tokens by language id. */
  readonly ofLanguages: Map<string, number>;
}

/** Returns the addresses of the lexer's arrays for a text of up to `room` bytes. The first is at `tokens`. */
export function lexRoom(tokens: number, room: number): LexRoom {
  const starts = tokens + room * 4;
  const lines = starts + room * 4;
  return { tokens, starts, lines, lengths: lines + room * layout.lexedLineBytes };
}

/** Combines the addresses of the arrays with their lengths. */
export function lexedArrays(
  { tokens, starts, lengths, lines }: LexRoom,
  tokenCount: number,
  lineCount: number,
): LexedArrays {
  return { tokens, starts, lengths, lines, tokenCount, lineCount };
}

/** Stores the addresses and lengths of a part's arrays in the record that the lexer reads. */
export function storeLexed({ words }: Kernel, record: number, { room, tokenCount, lineCount }: LexedTokens): void {
  words[(record + layout.lexedArraysTokensAt) >>> 2] = room.tokens;
  words[(record + layout.lexedArraysStartsAt) >>> 2] = room.starts;
  words[(record + layout.lexedArraysLengthsAt) >>> 2] = room.lengths;
  words[(record + layout.lexedArraysLinesAt) >>> 2] = room.lines;
  words[(record + layout.lexedArraysTokenCountAt) >>> 2] = tokenCount;
  words[(record + layout.lexedArraysLineCountAt) >>> 2] = lineCount;
}

/** Reads the new lengths of a part's arrays from the record that the lexer has changed. */
export function loadLexed({ words }: Kernel, record: number, lexed: LexedTokens): void {
  lexed.tokenCount = words[(record + layout.lexedArraysTokenCountAt) >>> 2]!;
  lexed.lineCount = words[(record + layout.lexedArraysLineCountAt) >>> 2]!;
}

/** Copies the tokens and lines of a part to the document of quoted code, beginning with `first`. */
export function copyQuoted(
  kernel: Kernel,
  from: LexedTokens,
  first: { readonly token: number; readonly line: number },
  lexicon: Lexicon,
  quoted: LexedTokens,
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
  const source = from.room.lines + layout.lexedLineBytes * first.line;
  const lines = quoted.room.lines + layout.lexedLineBytes * quoted.lineCount;
  bytes.copyWithin(lines, source, source + layout.lexedLineBytes * lineCount);
  for (let line = 0; line < lineCount; line++) {
    words[(lines + layout.lexedLineBytes * line + layout.lexedLineTokenAt) >>> 2] += quoted.tokenCount - first.token;
  }
  if (lexicon.data) makeContent(kernel, quoted.room.tokens + 4 * quoted.tokenCount, count);
  quoted.tokenCount += count;
  quoted.lineCount += lineCount;
  countTokens(quoted, lexicon, count);
}

export function countTokens({ ofLanguages }: LexedTokens, { id }: Lexicon, count: number): void {
  ofLanguages.set(id, (ofLanguages.get(id) ?? 0) + count);
}
