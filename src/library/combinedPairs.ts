/**
 * Pairs of near-duplicate documents by three methods: minhash, simhash, and the combination of Henzinger 2006, section
 * 5, which keeps the minhash pairs that are also similar by simhash. In her evaluation on web pages, the combination
 * was more precise than either method.
 *
 *   minhash:  ( A B ) ( B C ) ( D E ) ( F G )
 *   simhash:  ( A B )         ( D E )         ( H I )
 *   combined: ( A B )         ( D E )
 *
 * This implementation departs from the source in one point. Her minhash similarity counts equal supershingles, because
 * only those were stored. Here the full sets are available, so banded lookup proposes pairs and their exact resemblance
 * decides.
 *
 * A document is a list of the hashes of its features (usually shingles). A pair holds two indices into the list of
 * documents. Documents without features are equal to each other and to no other document.
 */
import { BandedLookup } from './bandedLookup.ts';
import { numDifferingBits, pack } from '../core/methods/bits.ts';
import { checkIterable, checkObject, checkShare, checkWhole } from '../core/methods/checkArgument.ts';
import { findPairs } from './findAll.ts';
import { defaultPermutations, minhash, maxPermutations } from './minhash.ts';
import type { Seed } from './randomPermutation.ts';
import { resemblance } from '../core/methods/resemblance.ts';
import { simhash } from '../core/methods/simhash.ts';

/** Indices i, j of two documents, i < j. */
export type DocumentPair = [number, number];

export interface MinhashOptions {
  /** Minimum resemblance of a pair, 0 to 1. */
  readonly resemblance: number;
  /** Number of places in a signature, 1 to 65,536. Default: 128. More places miss fewer pairs, but cost more. */
  readonly permutations?: number;
  /** Seed that selects the random permutations. Default: 0. */
  readonly seed?: Seed;
}

export interface SimhashOptions {
  /** Maximum number of differing fingerprint bits, 0 to 63. */
  readonly distance: number;
}

export type CombinedOptions = MinhashOptions & SimhashOptions;

/** Number of standard errors by which an estimate may be below the threshold for a pair to be verified. */
const slackErrors = 4;

/**
 * Returns the pairs of documents whose resemblance is at least `options.resemblance`. Every returned pair is verified.
 * A pair at the threshold is missed with a probability of about 1 in 30,000, because its estimate would have to be four
 * standard errors too low. For pairs above the threshold the probability is lower.
 *
 * Cost: the signatures, and one exact comparison for each proposed pair.
 *
 * @param documents  the hashes of each document; repetitions within a document do not matter
 * @returns          pairs, ascending by i, then j
 * @throws TypeError, RangeError  naming `documents`, `options`, `resemblance`, `permutations` or `seed`
 * @example
 * ```js
 * const documents = [[1n, 2n, 3n, 4n], [1n, 2n, 3n, 4n, 5n], [6n]];
 * minhashPairs(documents, { resemblance: 0.8 }); // [[0, 1]]
 * ```
 */
export function minhashPairs(documents: Iterable<Iterable<bigint>>, options: MinhashOptions): DocumentPair[] {
  checkObject('options', options);
  const { permutations = defaultPermutations, seed = 0 } = options;
  checkShare('resemblance', options.resemblance);
  checkWhole('permutations', permutations, 1, maxPermutations);
  const sets = setsOf(documents);
  if (options.resemblance === 0) return allPairs(sets.length);
  const lookup = new BandedLookup<number>(bandingFor(options.resemblance, permutations));
  const pairs: DocumentPair[] = [];
  sets.forEach((set, j) => {
    const signature = minhash(set, permutations, seed);
    for (const i of lookup.candidates(signature)) {
      if (resemblance(sets[i], set) >= options.resemblance) pairs.push([i, j]);
    }
    lookup.insert(j, signature);
  });
  return pairs.sort(comparePairs);
}

/**
 * Returns all pairs of documents whose fingerprints differ in at most `options.distance` bits. A feature that occurs
 * more than once in a document votes each time.
 *
 * @param documents  the hashes of each document
 * @returns          pairs, ascending by i, then j
 * @throws TypeError, RangeError  naming `documents`, `options` or `distance`
 * @example
 * ```js
 * simhashPairs([[0b0001n], [0b0011n], [0b1111n]], { distance: 1 }); // [[0, 1]]
 * ```
 */
export function simhashPairs(documents: Iterable<Iterable<bigint>>, options: SimhashOptions): DocumentPair[] {
  checkObject('options', options);
  checkWhole('distance', options.distance, 0, 63);
  const fingerprints = BigUint64Array.from(fingerprintsOf(documents));
  const byFingerprint = new Map<bigint, number[]>();
  fingerprints.forEach((fingerprint, document) => {
    const same = byFingerprint.get(fingerprint);
    if (same === undefined) byFingerprint.set(fingerprint, [document]);
    else same.push(document);
  });
  const pairs: DocumentPair[] = [];
  for (const same of byFingerprint.values()) {
    for (const [i, j] of allPairs(same.length)) pairs.push([same[i], same[j]]);
  }
  const near = findPairs(fingerprints, blocksFor(options.distance), options.distance);
  const documentsAt = (place: number): readonly number[] => byFingerprint.get(near[place]) ?? [];
  for (let at = 0; at < near.length; at += 2) {
    for (const i of documentsAt(at)) {
      for (const j of documentsAt(at + 1)) pairs.push(i < j ? [i, j] : [j, i]);
    }
  }
  return pairs.sort(comparePairs);
}

/**
 * Returns the pairs of `minhashPairs` whose fingerprints also differ in at most `options.distance` bits.
 *
 * @param documents  the hashes of each document. A repeated feature votes each time in the fingerprint and counts once
 *                   in the resemblance
 * @returns          pairs, ascending by i, then j
 * @throws TypeError, RangeError  naming `documents`, `options`, `resemblance`, `distance`, `permutations` or `seed`
 * @example
 * ```js
 * const documents = [[1n, 2n, 3n], [1n, 2n, 3n, 0xff00n]];
 * combinedPairs(documents, { resemblance: 0.7, distance: 2 }); // [[0, 1]]
 * combinedPairs(documents, { resemblance: 0.7, distance: 1 }); // []
 * ```
 */
export function combinedPairs(documents: Iterable<Iterable<bigint>>, options: CombinedOptions): DocumentPair[] {
  checkObject('options', options);
  checkWhole('distance', options.distance, 0, 63);
  const lists = packAll(documents);
  const pairs = minhashPairs(lists, options);
  const fingerprints = fingerprintsOf(lists);
  return pairs.filter(([i, j]) => numDifferingBits(fingerprints[i], fingerprints[j]) <= options.distance);
}

/**
 * Chooses a banding that proposes every pair whose estimate is within the slack. The signatures of such a pair differ
 * in at most d of p places. So if there are d + 1 bands, at least one has no difference.
 */
function bandingFor(threshold: number, permutations: number): { bands: number; rows: number } {
  const slack = slackErrors * Math.sqrt((threshold * (1 - threshold)) / permutations);
  const different = Math.min(permutations - 1, Math.floor(permutations * (1 - threshold + slack)));
  return { bands: different + 1, rows: Math.floor(permutations / (different + 1)) };
}

/**
 * Returns the number of blocks. The minimum, `distance` + 1, needs the fewest tables. One more block gives smaller
 * buckets, but takes too many tables for large distances.
 */
function blocksFor(distance: number): number {
  return distance < 8 ? distance + 2 : distance + 1;
}

function packAll(documents: Iterable<Iterable<bigint>>): BigUint64Array[] {
  checkIterable('documents', documents);
  return Array.from(documents, (hashes) => pack(hashes, 'documents: each'));
}

function setsOf(documents: Iterable<Iterable<bigint>>): BigUint64Array[] {
  return packAll(documents).map((hashes) => BigUint64Array.from(new Set(hashes)));
}

function fingerprintsOf(documents: Iterable<Iterable<bigint>>): bigint[] {
  return packAll(documents).map((hashes) => simhash(hashes));
}

function allPairs(count: number): DocumentPair[] {
  const pairs: DocumentPair[] = [];
  for (let i = 0; i < count; i++) for (let j = i + 1; j < count; j++) pairs.push([i, j]);
  return pairs;
}

function comparePairs(x: DocumentPair, y: DocumentPair): number {
  return x[0] - y[0] || x[1] - y[1];
}
