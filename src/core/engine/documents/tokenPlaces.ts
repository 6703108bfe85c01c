/**
 * Positions of tokens in their text. They are stored packed and unpacked on demand
 * (src/core/kernel/documents/places.ts), because only reports and explanations need them, for a few tokens each.
 */
import * as layout from '../../kernel/documents/placesLayout.ts';
import type { DocumentIndex } from './documents.ts';
import type { Kernel } from '../kernel.ts';

const { blockBytes, blockTokens, longLength } = layout;
const lengthMask = (1 << layout.howShift) - 1;

/** Byte offsets of a token in its text: its start, its end, and the start of its line. */
export interface TokenPlace {
  readonly start: number;
  /** At most 65,535 bytes after the start, even if the token is longer. */
  readonly end: number;
  readonly lineStart: number;
}

export function placeOfToken({ bytes, words }: Kernel, index: DocumentIndex, token: number): TokenPlace {
  const block = index.places + blockBytes * Math.floor(token / blockTokens);
  let at = index.places + blockBytes * Math.ceil(index.tokenCount / blockTokens);
  at += words[(block + layout.blockStreamAt) >>> 2];
  let end = words[(block + layout.blockEndAt) >>> 2];
  let lineStart = words[(block + layout.blockLineAt) >>> 2];
  let start = end;
  for (let i = token - (token % blockTokens); i <= token; i++) {
    const head = bytes[at++];
    const how = head >>> layout.howShift;
    const length = head & lengthMask;
    if (how === layout.opensLine) lineStart = end + signed();
    start = how === layout.opensLine ? lineStart + signed() : how === layout.behind ? end + signed() : end + how;
    end = start + length + (length === longLength ? unsigned() : 0);
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
