/**
 * Which documents are worth comparing as wholes: pairs nominated by their sketches alone, by banded look-up of signatures
 * (as in bandedLookup.ts) or by permuted tables of fingerprints (as in permutedTables.ts).
 *
 * A crowd of thousands of near documents has millions of pairs, and needs none but those that tie it together. So in each
 * bucket a document is tied to the first of the bucket and to the few before it:
 *
 *   bucket   d₁ ─── d₂ ─── d₃ ─── d₄ …        d₁ to all: a star; each to the few before: a chain
 */
import { hammingDistance, highWord, lowWord, mix32 } from '../../methods/bits.ts';
import type { FileSketch } from '../documents/fileSketch.ts';
import { chosenBlocks } from '../../methods/permutation.ts';
import { Pace } from '../steps.ts';
import { tuning } from '../tuning.ts';

/** Two places in the list of sketches, a < b, and how near they seem: greater is nearer. */
export interface Nomination {
  readonly a: number;
  readonly b: number;
  readonly nearness: number;
}

/** A place and a digest in one exact number. */
const placeRange = 0x20_0000;

/**
 * Pairs whose signatures agree in all rows of some band, and in so many bins that the resemblance may well be `least`. Their
 * nearness is the share of bins in which they agree: the estimate of their resemblance.
 */
export function* nominateByMinhash(sketches: readonly FileSketch[], least: number): Generator<void, Nomination[]> {
  const { bins, rows, partners } = tuning.files;
  const signatures = sketches.map(({ signature }) => signature);
  const buckets = new Buckets(sketches.length);
  const pairs = new Pairs();
  const pace = new Pace();
  for (let first = 0; first + rows <= bins; first += rows) {
    buckets.empty();
    for (let place = 0; place < signatures.length; place++) {
      if (pace.isDue(0.25)) yield;
      const before = buckets.add(place, bandDigest(signatures[place], first));
      if (before < 0) continue;
      pairs.add(buckets.firstOf[place], place);
      for (let other = before, tied = 0; other >= 0 && tied < partners; other = buckets.before[other], tied++) {
        pairs.add(other, place);
      }
    }
  }
  return yield* pairs.list((a, b) => {
    const nearness = agreement(signatures[a], signatures[b]);
    return nearness >= leastNearness(least) ? nearness : undefined;
  });
}

/** The nearness from which on a pair is nominated whose resemblance may well be `least`. */
export function leastNearness(least: number): number {
  const { bins, slackErrors } = tuning.files;
  return least - slackErrors * Math.sqrt((least * (1 - least)) / bins);
}

/** The digests of all bands of a signature. */
export function bandDigests(signature: Uint32Array): Uint32Array {
  const { bins, rows } = tuning.files;
  return Uint32Array.from({ length: Math.floor(bins / rows) }, (_, band) => bandDigest(signature, band * rows));
}

function bandDigest(signature: Uint32Array, first: number): number {
  let digest = 0;
  for (let bin = first; bin < first + tuning.files.rows; bin++) digest = mix32((digest ^ signature[bin]) + 0x9e3779b9);
  return digest >>> 0;
}

/** The pairs that a bucket ties, as `nominateByMinhash` ties them; some more than once. */
export function tiedPairs(bucket: readonly number[]): [number, number][] {
  const { partners } = tuning.files;
  return bucket.flatMap((second, place) =>
    place === 0
      ? []
      : [bucket[0], ...bucket.slice(Math.max(0, place - partners), place)].map((first): [number, number] => [
          first,
          second,
        ]),
  );
}

/** Pairs whose fingerprints differ in at most `distance` bits. Their nearness is minus the distance. */
export function* nominateBySimhash(sketches: readonly FileSketch[], distance: number): Generator<void, Nomination[]> {
  const { partners } = tuning.files;
  const high = Uint32Array.from(sketches, (sketch) => sketch.high);
  const low = Uint32Array.from(sketches, (sketch) => sketch.low);
  const bits = (a: number, b: number): number => hammingDistance(high[a], low[a], high[b], low[b]);
  const buckets = new Buckets(sketches.length);
  const pairs = new Pairs();
  const pace = new Pace();
  for (const mask of tableMasks(distance)) {
    buckets.empty();
    for (let place = 0; place < high.length; place++) {
      if (pace.isDue(0.25)) yield;
      const before = buckets.add(place, maskedDigest(high[place], low[place], mask));
      if (before < 0) continue;
      // The first as well: whoever is near it is tied to it, so that a crowd has a middle.
      const first = buckets.firstOf[place];
      if (bits(first, place) <= distance) pairs.add(first, place);
      for (let other = before, tied = 0; other >= 0 && tied < partners; other = buckets.before[other]) {
        if (bits(other, place) > distance) continue;
        pairs.add(other, place);
        tied++;
      }
    }
  }
  return yield* pairs.list((a, b) => -bits(a, b));
}

/** Which bits of the two words of a fingerprint are the key of a permuted table. */
export type TableMask = readonly [high: number, low: number];

/** The masks of the permuted tables that find all pairs within a distance. */
export function tableMasks(distance: number): TableMask[] {
  return chosenBlocks(distance + 2, distance).map(({ mask }) => [highWord(mask), lowWord(mask)]);
}

/** The digest of a fingerprint's key in a table. */
export function maskedDigest(high: number, low: number, [maskHigh, maskLow]: TableMask): number {
  return mix32(mix32(high & maskHigh) ^ (low & maskLow));
}

/** The pairs that a bucket of a table ties, as `nominateBySimhash` ties them; some more than once. */
export function tiedNear(bucket: readonly number[], isNear: (a: number, b: number) => boolean): [number, number][] {
  const { partners } = tuning.files;
  return bucket.flatMap((second, place) => {
    const tied: [number, number][] = place > 0 && isNear(bucket[0], second) ? [[bucket[0], second]] : [];
    for (let at = place - 1, left = partners; at >= 0 && left > 0; at--) {
      if (!isNear(bucket[at], second)) continue;
      tied.push([bucket[at], second]);
      left--;
    }
    return tied;
  });
}

/** The share of places in which two signatures agree. */
export function agreement(x: Uint32Array, y: Uint32Array): number {
  let equal = 0;
  for (let bin = 0; bin < x.length; bin++) if (x[bin] === y[bin]) equal++;
  return equal / x.length;
}

/** Places by digest: a hash table with linear probing, whose slots hold the last place of each bucket. */
class Buckets {
  /** Of each place that was added: the first place of its bucket, and the one before it, −1 for the first. */
  readonly firstOf: Int32Array;
  readonly before: Int32Array;
  readonly #digests: Uint32Array;
  readonly #lasts: Int32Array;
  readonly #mask: number;

  constructor(count: number) {
    this.firstOf = new Int32Array(count);
    this.before = new Int32Array(count);
    const slots = 2 ** Math.ceil(Math.log2(2 * count + 2));
    this.#digests = new Uint32Array(slots);
    this.#lasts = new Int32Array(slots).fill(-1);
    this.#mask = slots - 1;
  }

  empty(): void {
    this.#lasts.fill(-1);
  }

  /** Puts a place into the bucket of a digest; the place that was last there, −1 for an empty bucket. */
  add(place: number, digest: number): number {
    let slot = digest & this.#mask;
    while (this.#lasts[slot] >= 0 && this.#digests[slot] !== digest) slot = (slot + 1) & this.#mask;
    const last = this.#lasts[slot];
    this.#digests[slot] = digest;
    this.#lasts[slot] = place;
    this.before[place] = last;
    this.firstOf[place] = last < 0 ? place : this.firstOf[last];
    return last;
  }
}

/** Pairs of places, each once. */
class Pairs {
  readonly #keys = new Set<number>();

  add(a: number, b: number): void {
    this.#keys.add(Math.min(a, b) * placeRange + Math.max(a, b));
  }

  /** Those for which there is a nearness, the nearest first, then by place. */
  *list(nearnessOf: (a: number, b: number) => number | undefined): Generator<void, Nomination[]> {
    const nominations: Nomination[] = [];
    const pace = new Pace();
    for (const key of this.#keys) {
      if (pace.isDue(0.5)) yield;
      const [a, b] = [Math.floor(key / placeRange), key % placeRange];
      const nearness = nearnessOf(a, b);
      if (nearness !== undefined) nominations.push({ a, b, nearness });
    }
    return nominations.sort((x, y) => y.nearness - x.nearness || x.a - y.a || x.b - y.b);
  }
}
