/**
 * Chooses the pairs of documents to compare as a whole. Candidates are found by their sketches only: by banded lookup
 * of signatures (as in bandedLookup.ts) or by permuted tables of fingerprints (as in permutedTables.ts).
 *
 * Thousands of similar documents form millions of pairs, but only those that connect them are needed. In each bucket, a
 * document is therefore linked to the first document and to the few before it:
 *
 *   bucket   d₁ ─── d₂ ─── d₃ ─── d₄ …        d₁ to all others: a star; each to the few before it: a chain
 */
import { hammingDistance, highWord, lowWord, mix32 } from '../../methods/bits.ts';
import type { FileSketch } from '../documents/fileSketch.ts';
import { chosenBlocks } from '../../methods/permutation.ts';
import type { Method } from '../options.ts';
import { Pace } from '../steps.ts';
import { constants } from '../constants.ts';

/** Indices a < b of two sketches in the list, and an estimate of the similarity of their documents. */
export interface CandidatePair {
  readonly a: number;
  readonly b: number;
  readonly nearness: number;
}

/** Compares pairs in the order of clustering: nearest first, then by index. */
export function compareCandidates(x: CandidatePair, y: CandidatePair): number {
  return y.nearness - x.nearness || x.a - y.a || x.b - y.b;
}

type Fingerprint = Pick<FileSketch, 'high' | 'low'>;

/** A method of selecting candidate pairs: documents that a bucket of at least one table contains and links. */
export interface CandidateSearch {
  /** Number of bands or permuted tables. */
  readonly tables: number;
  /** Returns the key of a document's bucket in one table. */
  digest(sketch: FileSketch, table: number): number;
  /** Returns true if two documents in the same bucket may be linked. */
  mayTie(x: Fingerprint, y: Fingerprint): boolean;
  /** Returns true if two documents in the same bucket may be linked to the same others. */
  tiesAlike(x: Fingerprint, y: Fingerprint): boolean;
  /** Returns the nearness of two documents (greater is nearer), or `undefined` if they are not a candidate pair. */
  nearness(x: FileSketch, y: FileSketch): number | undefined;
}

export function candidateSearchOf(method: Method): CandidateSearch {
  const { minResemblance, maxDistance } = constants.files[method];
  return method === 'simhash' ? byFingerprints(maxDistance) : bySignatures(minResemblance);
}

/**
 * Finds pairs whose signatures agree in all rows of at least one band and in enough bins to suggest a resemblance of at
 * least `minResemblance`. Nearness is the share of equal bins, which estimates the resemblance.
 */
function bySignatures(minResemblance: number): CandidateSearch {
  const { bins, rows, slackErrors } = constants.files;
  const minNearness = minResemblance - slackErrors * Math.sqrt((minResemblance * (1 - minResemblance)) / bins);
  return {
    tables: Math.floor(bins / rows),
    digest({ signature }, band) {
      let digest = 0;
      for (let bin = band * rows; bin < (band + 1) * rows; bin++)
        digest = mix32((digest ^ signature[bin]) + 0x9e3779b9);
      return digest >>> 0;
    },
    mayTie: () => true,
    tiesAlike: () => true,
    nearness(x, y) {
      const nearness = agreement(x.signature, y.signature);
      return nearness >= minNearness ? nearness : undefined;
    },
  };
}

/** Finds pairs whose fingerprints differ in at most `distance` bits. Nearness is the negative distance. */
function byFingerprints(distance: number): CandidateSearch {
  const masks = chosenBlocks(distance + 2, distance).map(({ mask }) => [highWord(mask), lowWord(mask)]);
  const bits = (x: Fingerprint, y: Fingerprint): number => hammingDistance(x.high, x.low, y.high, y.low);
  return {
    tables: masks.length,
    digest({ high, low }, table) {
      const [maskHigh, maskLow] = masks[table];
      return mix32(mix32(high & maskHigh) ^ (low & maskLow));
    },
    mayTie: (x, y) => bits(x, y) <= distance,
    tiesAlike: (x, y) => bits(x, y) === 0,
    nearness: (x, y) => -bits(x, y),
  };
}

/** Returns the share of bins in which two signatures agree. */
function agreement(x: Uint32Array, y: Uint32Array): number {
  let equal = 0;
  for (let bin = 0; bin < x.length; bin++) if (x[bin] === y[bin]) equal++;
  return equal / x.length;
}

/**
 * Calls `tie` for each pair of documents that a bucket links. Each document is linked to the few before it, and to the
 * first document, so that a large bucket stays connected. `tie` may be called more than once for the same pair.
 *
 * @param bucket  in the order of documents
 */
export function tieBucket(
  bucket: readonly number[],
  mayTie: (a: number, b: number) => boolean,
  tie: (a: number, b: number) => void,
): void {
  const { partners } = constants.files;
  for (let place = 1; place < bucket.length; place++) {
    const second = bucket[place];
    if (mayTie(bucket[0], second)) tie(bucket[0], second);
    for (let at = place - 1, left = partners; at >= 0 && left > 0; at--) {
      if (!mayTie(bucket[at], second)) continue;
      tie(bucket[at], second);
      left--;
    }
  }
}

/** Multiplier for combining a number of up to 32 bits and an index into one number without loss. */
export const placeRange = 0x20_0000;

/** Returns the candidate pairs of a list, in the order of `compareCandidates`. */
export function* candidatePairsSteps(
  sketches: readonly FileSketch[],
  search: CandidateSearch,
): Generator<void, CandidatePair[]> {
  const pace = new Pace();
  const buckets = new Buckets(sketches.length);
  const keys = new Set<number>();
  const mayTie = (a: number, b: number): boolean => search.mayTie(sketches[a], sketches[b]);
  const tie = (a: number, b: number): void => void keys.add(a * placeRange + b);
  for (let table = 0; table < search.tables; table++) {
    buckets.empty();
    for (let place = 0; place < sketches.length; place++) {
      if (pace.endsStep(0.25)) yield;
      buckets.add(place, search.digest(sketches[place], table));
    }
    for (const bucket of buckets.shared()) {
      if (pace.endsStep(bucket.length / 4)) yield;
      tieBucket(bucket, mayTie, tie);
    }
  }
  const pairs: CandidatePair[] = [];
  for (const key of keys) {
    if (pace.endsStep(0.5)) yield;
    const [a, b] = [Math.floor(key / placeRange), key % placeRange];
    const nearness = search.nearness(sketches[a], sketches[b]);
    if (nearness !== undefined) pairs.push({ a, b, nearness });
  }
  return pairs.sort(compareCandidates);
}

/** Groups indices of sketches by digest: a hash table with linear probing and a bucket's last index per slot. */
class Buckets {
  /** For each index, the previous index in the same bucket, or −1. */
  readonly #before: Int32Array;
  readonly #digests: Uint32Array;
  readonly #lasts: Int32Array;
  readonly #mask: number;

  constructor(count: number) {
    this.#before = new Int32Array(count);
    const slots = 2 ** Math.ceil(Math.log2(2 * count + 2));
    this.#digests = new Uint32Array(slots);
    this.#lasts = new Int32Array(slots).fill(-1);
    this.#mask = slots - 1;
  }

  empty(): void {
    this.#lasts.fill(-1);
  }

  add(place: number, digest: number): void {
    let slot = digest & this.#mask;
    while (this.#lasts[slot] >= 0 && this.#digests[slot] !== digest) slot = (slot + 1) & this.#mask;
    this.#before[place] = this.#lasts[slot];
    this.#digests[slot] = digest;
    this.#lasts[slot] = place;
  }

  /** Yields the indices of each bucket that contains more than one, in the order of insertion. */
  *shared(): Generator<number[]> {
    for (const last of this.#lasts) {
      if (last < 0 || this.#before[last] < 0) continue;
      const bucket: number[] = [];
      for (let place = last; place >= 0; place = this.#before[place]) bucket.push(place);
      yield bucket.reverse();
    }
  }
}
