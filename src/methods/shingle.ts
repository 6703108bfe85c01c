/**
 * Shingles: the contiguous runs of w tokens of a document (Broder 1997, section 2). A document becomes a set of hashes,
 * and the order of its words is kept as far as w tokens reach.
 *
 *   a rose is a rose is a rose, w = 4
 *
 *   [a rose is a] [rose is a rose] [is a rose is] [a rose is a] [rose is a rose]
 *
 *   unlabelled: 3 different runs           labelled: 5, the last two being "the second [a rose is a]", …
 */
import { checkFlag, checkIterable, checkObject, checkWhole, nameOf } from './checkArgument.ts';
import { hash64, hashBytes64 } from './hash64.ts';

export interface ShingleOptions {
  /**
   * Whether a run is told apart from an equal one before it by its occurrence number (option A of Broder), so that
   * repetition counts. Without it each different run counts once (option B).
   */
  readonly labelled?: boolean;
}

/**
 * The hashes of a document's shingles, each once, in the order in which they first occur. Labelled, there are
 * n − size + 1 of them for n tokens; unlabelled, at most as many. A document shorter than `size` has none.
 *
 * Equal tokens in equal order have equal hashes, with any other document and in any run of the program; labelled and
 * unlabelled shingles of one document do not mix.
 *
 * @param size  w, tokens in a shingle, from 1
 * @throws TypeError   when `tokens` is not iterable, a token is no string or `labelled` is neither true nor false
 * @throws RangeError  when `size` is no whole number from 1
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

/** The hash of the run of `size` tokens that begins at each token. */
export function runHashes(tokens: readonly string[], size: number): bigint[] {
  const hashes: bigint[] = [];
  // What is hashed are the hashes of the tokens, 8 bytes each: where one token ends and the next begins is never in doubt.
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
