/** Positions of tokens in their text. They are unpacked on demand, because only reports and explanations need them. */
import * as layout from '../../kernel/documents/passageLayout.ts';
import type { DocumentIndex } from './documents.ts';
import type { Kernel } from '../kernel.ts';

/** Byte offsets of a token in its text: its start, its end, and the start of its line. */
export interface TokenPlace {
  readonly start: number;
  /** At most 65,535 bytes after the start, even if the token is longer. */
  readonly end: number;
  readonly lineStart: number;
}

export function placeOfToken(
  kernel: Kernel,
  { places, tokenCount }: Pick<DocumentIndex, 'places' | 'tokenCount'>,
  token: number,
): TokenPlace {
  const mark = kernel.mark();
  const out = kernel.allocate(layout.tokenPlaceBytes);
  kernel.exports.placeToken(places, tokenCount, token, out);
  const { words } = kernel;
  const place = {
    start: words[(out + layout.tokenPlaceStartAt) >>> 2],
    end: words[(out + layout.tokenPlaceEndAt) >>> 2],
    lineStart: words[(out + layout.tokenPlaceLineStartAt) >>> 2],
  };
  kernel.release(mark);
  return place;
}
