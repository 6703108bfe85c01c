/**
 * Shingles: the contiguous runs of w tokens of a document (Broder 1997, section 2). A document becomes a set of hashes,
 * which preserves the order of tokens within runs of w tokens.
 *
 *   a rose is a rose is a rose, w = 4
 *
 *   [a rose is a] [rose is a rose] [is a rose is] [a rose is a] [rose is a rose]
 *
 *   unlabeled: 3 different runs            labeled: 5, the last two being "the second [a rose is a]", …
 */
import { checkFlag, checkIterable, checkObject, checkWhole, nameOf } from './checkArgument.ts';
import { hash64, hashBytes64 } from './hash64.ts';

export interface ShingleOptions {
  /**
   * True to count repetitions: equal runs are distinguished by their occurrence number (option A of Broder). False to
   * count each distinct run once (option B).
   */
  readonly labelled?: boolean;
}

/**
 * Returns the distinct hashes of a document's shingles in the order of first occurrence. For n tokens there are n −
 * size + 1 labeled shingles, and at most as many unlabeled ones. A document shorter than `size` has none.
 *
 * Hashes depend only on the tokens and their order, so they are comparable across documents and runs of the program.
 * Labeled and unlabeled shingles are not comparable.
 *
 * @param size  w, the number of tokens in a shingle, at least 1
 * @throws TypeError if `tokens` is not iterable, a token is not a string, or `labelled` is not a boolean
 * @throws RangeError if `size` is not an integer of at least 1
 * @example
 * ```js
 * const words = 'a rose is a rose is a rose'.split(' ');
 * shingles(words, 4, { labelled: true }).length; // 5
 * shingles(words, 4, { labelled: false }).length; // 3
 * ```
 */
export function shingles(tokens: Iterable<string>, size: number, options: ShingleOptions = {}): bigint[] {
  checkIterable('tokens', tokens);
  checkWhole('size', size, 1, 1_000_000);
  checkObject('options', options);
  const { labelled = false } = options;
  checkFlag('labelled', labelled);
  const hashes = runHashes([...tokens], size);
  return labelled ? label(hashes) : [...new Set(hashes)];
}

/** For each token at which a run of `size` tokens begins, returns the hash of that run. */
export function runHashes(tokens: readonly string[], size: number): bigint[] {
  const hashes: bigint[] = [];
  // Hash the concatenated hashes of the tokens, 8 bytes each, so that token boundaries matter.
  const ofTokens = BigUint64Array.from(tokens, tokenHash);
  const bytes = new Uint8Array(ofTokens.buffer);
  for (let first = 0; first + size <= tokens.length; first++) {
    hashes.push(hashBytes64(bytes.subarray(8 * first, 8 * (first + size))));
  }
  return hashes;
}

function tokenHash(token: string): bigint {
  if (typeof token !== 'string') throw new TypeError(`tokens must hold strings, not ${nameOf(token)}.`);
  return hash64(token);
}

function label(hashes: readonly bigint[]): bigint[] {
  const occurrences = new Map<bigint, number>();
  return hashes.map((hash) => {
    const occurrence = (occurrences.get(hash) ?? 0) + 1;
    occurrences.set(hash, occurrence);
    return hashBytes64(new Uint8Array(BigUint64Array.of(hash, BigInt(occurrence)).buffer));
  });
}
