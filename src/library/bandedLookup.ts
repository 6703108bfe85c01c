/**
 * Banded lookup: finds the stored signatures that probably resemble a given one (Indyk, Motwani 1998; Leskovec,
 * Rajaraman, Ullman 2020, section 3.4).
 *
 * A signature is cut into b bands of r rows. Two signatures become candidates if at least one band is equal in all its
 * rows. If each place agrees with probability J, a given band is equal with probability J^r. At least one band is equal
 * with probability 1 − (1 − J^r)^b. This is an S-shaped curve, which is steepest near J = (1 / b)^(1 / r).
 *
 *   1 ┤              ╭────
 *     │            ╭─╯
 *     │           ╭╯            b = 32, r = 4: steep near 0.42
 *     │         ╭─╯
 *   0 ┼─────────╯
 *     0         0.42      1 = J
 */
import { mix32 } from '../core/methods/bits.ts';
import { checkObject, checkShare, checkWhole } from '../core/methods/checkArgument.ts';
import { checkSignature, maxPermutations, type Signature } from './minhash.ts';

export interface Banding {
  /** b: number of bands in a signature, at least 1. */
  readonly bands: number;
  /** r: number of places in a band, at least 1. Signatures must have at least bands × rows places. */
  readonly rows: number;
}

/**
 * Returns the probability that the signatures of two sets become candidates if the resemblance of the sets is
 * `jaccard`: 1 − (1 − J^r)^b.
 *
 * @example
 * ```js
 * candidateProbability(0.5, { bands: 2, rows: 1 }); // 0.75
 * ```
 */
export function candidateProbability(jaccard: number, banding: Banding): number {
  checkShare('jaccard', jaccard);
  checkBanding(banding);
  const { bands, rows } = banding;
  return 1 - (1 - jaccard ** rows) ** bands;
}

/**
 * Stores signatures under keys, and finds similar ones. A key can be anything that a Map accepts.
 *
 * @example
 * ```js
 * const lookup = new BandedLookup({ bands: 32, rows: 4 });
 * lookup.insert('a', minhash([1n, 2n, 3n, 4n]));
 * lookup.insert('b', minhash([7n, 8n, 9n]));
 * lookup.candidates(minhash([1n, 2n, 3n, 4n, 5n])); // ['a']
 * ```
 */
export class BandedLookup<Key> {
  readonly #banding: Banding;
  readonly #signatures = new Map<Key, Signature>();
  /** For each band, a map from a 32-bit digest of the band's rows to the keys of the signatures with this digest. */
  readonly #buckets: Map<number, Set<Key>>[];

  /** @throws TypeError, RangeError  naming `banding`, `bands` or `rows` */
  constructor(banding: Banding) {
    checkBanding(banding);
    this.#banding = { ...banding };
    this.#buckets = Array.from({ length: banding.bands }, () => new Map<number, Set<Key>>());
  }

  get size(): number {
    return this.#signatures.size;
  }

  /**
   * Stores a signature under a key. Replaces any signature that is stored under this key.
   *
   * @throws TypeError, RangeError  if it is not a signature, or is shorter than bands × rows
   */
  insert(key: Key, signature: Signature): void {
    this.#check(signature);
    this.remove(key);
    this.#signatures.set(key, signature);
    digests(signature, this.#banding).forEach((digest, band) => {
      const bucket = this.#buckets[band].get(digest);
      if (bucket === undefined) this.#buckets[band].set(digest, new Set([key]));
      else bucket.add(key);
    });
  }

  /** Removes the signature stored under a key. Returns false if there is none. */
  remove(key: Key): boolean {
    const signature = this.#signatures.get(key);
    if (signature === undefined) return false;
    this.#signatures.delete(key);
    digests(signature, this.#banding).forEach((digest, band) => {
      const bucket = this.#buckets[band].get(digest);
      bucket?.delete(key);
      if (bucket?.size === 0) this.#buckets[band].delete(digest);
    });
    return true;
  }

  /**
   * Returns the keys of all stored signatures that are candidates: at least one band equals that of `signature` in
   * every row. Returns each key once. If `signature` itself is stored, its key is included.
   *
   * @throws TypeError, RangeError  as `insert`
   */
  candidates(signature: Signature): Key[] {
    this.#check(signature);
    const found = new Set<Key>();
    digests(signature, this.#banding).forEach((digest, band) => {
      for (const key of this.#buckets[band].get(digest) ?? []) {
        const other = this.#signatures.get(key);
        // Two bands with the same digest may differ, so compare their rows.
        if (other !== undefined && equalBand(signature, other, band, this.#banding.rows)) found.add(key);
      }
    });
    return [...found];
  }

  #check(signature: Signature): void {
    checkSignature('signature', signature);
    const { bands, rows } = this.#banding;
    if (signature.length < bands * rows) {
      throw new RangeError(`signature must have ${bands} × ${rows} places or more, not ${signature.length}.`);
    }
  }
}

function digests(signature: Signature, { bands, rows }: Banding): number[] {
  const words = new Uint32Array(signature.buffer, signature.byteOffset, 2 * signature.length);
  return Array.from({ length: bands }, (_, band) => {
    let digest = 0;
    for (let i = 2 * band * rows; i < 2 * (band + 1) * rows; i++) digest = mix32((digest ^ words[i]) + 0x9e3779b9);
    return digest;
  });
}

function equalBand(a: Signature, b: Signature, band: number, rows: number): boolean {
  for (let place = band * rows; place < (band + 1) * rows; place++) if (a[place] !== b[place]) return false;
  return true;
}

function checkBanding(banding: Banding): void {
  checkObject('banding', banding);
  const { bands, rows } = banding;
  checkWhole('bands', bands, 1, maxPermutations);
  checkWhole('rows', rows, 1, maxPermutations);
}
