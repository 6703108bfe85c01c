/**
 * How telling tokens are is counted in epochs. An idf table that followed every edit would change matches between
 * documents that nobody has touched; so it is measured once and stays, over restarts too, until the documents are no
 * longer those it was measured of. Within an epoch the findings depend on the documents, the options and the table alone.
 */
import { hashBytes64 } from '../methods/hash64.ts';
import type { IndexedFile } from './indexedFile.ts';

/** An idf table, and what it was measured of. It is never changed. */
export interface Epoch {
  readonly idfTable: Uint8Array;
  /** The tokens of code of each text, by the digest of the text. */
  readonly texts: ReadonlyMap<bigint, number>;
}

/**
 * The share of the tokens measured that may come and go until the table is renewed. An idf is a logarithm: where a
 * fifth of the documents has gone, or come, a token that all of them share is off by a third of a bit, one that a
 * document in a hundred has by as much, of six and a half.
 */
export const staleShare = 0.2;

/** @param idfTable  measured of these files */
export function beginEpoch(idfTable: Uint8Array, files: Iterable<IndexedFile>): Epoch {
  const texts = new Map<bigint, number>();
  for (const file of files) {
    const tokens = tokensOf(file);
    if (tokens > 0) texts.set(file.digest, tokens);
  }
  return { idfTable, texts };
}

/** What share of the tokens that were measured has come or gone; Infinity when none were, and some have come. */
export function driftOf({ texts }: Epoch, files: Iterable<IndexedFile>): number {
  let [measured, changed] = [0, 0];
  const present = new Set<bigint>();
  for (const file of files) {
    const tokens = tokensOf(file);
    if (tokens === 0) continue;
    present.add(file.digest);
    if (!texts.has(file.digest)) changed += tokens;
  }
  for (const [digest, tokens] of texts) {
    measured += tokens;
    if (!present.has(digest)) changed += tokens;
  }
  return changed === 0 ? 0 : changed / measured;
}

/** What tells two tables apart. */
export function digestOfEpoch({ idfTable }: Epoch): bigint {
  return hashBytes64(idfTable);
}

function tokensOf({ content }: IndexedFile): number {
  return 'reason' in content ? 0 : (content.prose ? 0 : content.tokenCount) + (content.quoted?.tokenCount ?? 0);
}
