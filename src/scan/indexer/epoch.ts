/**
 * Epochs are periods during which the weights of tokens (the idf table) stay the same. If each edit changed the
 * weights, matches between unchanged documents would change. So the table is measured once and kept, even across
 * restarts, until the documents differ too much from those that were measured. Within an epoch, the findings depend
 * only on the documents, the options, and the table.
 */
import { hashBytes64 } from '../../core/methods/hash64.ts';
import type { IndexedFile } from './indexedFile.ts';

/** An idf table, and the documents from which it was measured. Immutable. */
export interface Epoch {
  readonly idfTable: Uint8Array;
  /** Number of code tokens of each measured text, by the digest of the text. */
  readonly texts: ReadonlyMap<bigint, number>;
}

/**
 * Maximum share of tokens that may be added or removed until the table is measured again. An idf is a logarithm: if a
 * fifth of the documents is added or removed, and all of these contain a token, the stored idf of this token is off by
 * a third of a bit. For comparison: a token in one of a hundred documents has an idf of six and a half bits.
 */
export const staleShare = 0.2;

/** @param idfTable  table that was measured from these files */
export function beginEpoch(idfTable: Uint8Array, files: Iterable<IndexedFile>): Epoch {
  const texts = new Map<bigint, number>();
  for (const file of files) {
    const tokens = tokensOf(file);
    if (tokens > 0) texts.set(file.digest, tokens);
  }
  return { idfTable, texts };
}

/**
 * Returns how much the files have changed since the idf table was measured: the number of tokens that were added or
 * removed, divided by the number of measured tokens. Returns Infinity if no tokens were measured and some were added.
 */
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

export function digestOfEpoch({ idfTable }: Epoch): bigint {
  return hashBytes64(idfTable);
}

function tokensOf({ content }: IndexedFile): number {
  return 'reason' in content ? 0 : (content.prose ? 0 : content.tokenCount) + (content.quoted?.tokenCount ?? 0);
}
