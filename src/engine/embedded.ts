/** Texts of more than one language: which stretch is lexed with which lexicon. */
import type { Lexicon } from './lexicon.ts';

/** A stretch of a text in one language: the bytes [start, end). */
export interface Segment {
  readonly start: number;
  readonly end: number;
  readonly lexicon: Lexicon;
}

/** The segments of a text, ascending and without overlap. What lies between them is not lexed. */
export function segments(bytes: Uint8Array, lexicon: Lexicon): Segment[] {
  return [{ start: 0, end: bytes.length, lexicon }];
}
