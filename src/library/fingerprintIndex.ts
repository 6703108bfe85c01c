/**
 * An index of a set of fingerprints that may change. It finds every stored fingerprint within k bits of a query (Manku,
 * Jain, Das Sarma 2007, section 3). This file has the public interface; the tables are in `permutedTables.ts`.
 */
import { fromWords, highWord, lowWord } from '../core/methods/bits.ts';
import { checkHash, checkObject } from '../core/methods/checkArgument.ts';
import { blockPermutations, type Permutation } from '../core/methods/permutation.ts';
import { PermutedTables } from './permutedTables.ts';

export interface IndexDesign {
  /** m: number of blocks into which the 64 bits are divided, 1 to 64 and more than `distance`. */
  readonly blocks: number;
  /** k: maximum number of differing bits, 0 to 63. */
  readonly distance: number;
}

/** A set of fingerprints with lookup by Hamming distance. A lookup finds every fingerprint within the distance. */
export class HammingIndex {
  readonly #tables: PermutedTables;

  constructor(permutations: readonly Permutation[], distance: number) {
    this.#tables = new PermutedTables(permutations, distance);
  }

  get size(): number {
    return this.#tables.size;
  }

  /** Returns true if exactly this fingerprint is stored. */
  has(fingerprint: bigint): boolean {
    checkHash('fingerprint', fingerprint);
    return this.#tables.has(highWord(fingerprint), lowWord(fingerprint));
  }

  /**
   * Stores a fingerprint.
   *
   * @returns  false if it was already stored
   * @throws TypeError, RangeError  if `fingerprint` is not a 64-bit number
   */
  insert(fingerprint: bigint): boolean {
    checkHash('fingerprint', fingerprint);
    return this.#tables.insert(highWord(fingerprint), lowWord(fingerprint));
  }

  /**
   * Removes a fingerprint.
   *
   * @returns  false if it was not stored
   * @throws TypeError, RangeError  if `fingerprint` is not a 64-bit number
   */
  remove(fingerprint: bigint): boolean {
    checkHash('fingerprint', fingerprint);
    return this.#tables.remove(highWord(fingerprint), lowWord(fingerprint));
  }

  /**
   * Returns the nearest stored fingerprint within the distance: the first result of `findAll`. If several are equally
   * near, returns the smallest of them. Returns `undefined` if there is none.
   *
   * @throws TypeError, RangeError if `query` is not a 64-bit number
   */
  findFirst(query: bigint): bigint | undefined {
    return this.findAll(query).at(0);
  }

  /**
   * Returns every stored fingerprint within the distance of `query`, including the query itself if it is stored. The
   * nearest ones come first, and equally near ones are in ascending order. The result does not depend on the order of
   * insertions and removals.
   *
   * @throws TypeError, RangeError if `query` is not a 64-bit number
   */
  findAll(query: bigint): bigint[] {
    checkHash('query', query);
    const found = this.#tables.findAll(highWord(query), lowWord(query));
    const neighbours = Array.from({ length: found.length / 3 }, (_, i) => ({
      high: found[3 * i],
      low: found[3 * i + 1],
      distance: found[3 * i + 2],
    }));
    neighbours.sort((a, b) => a.distance - b.distance || a.high - b.high || a.low - b.low);
    return neighbours.map(({ high, low }) => fromWords(high, low));
  }
}

/**
 * An index with C(blocks, blocks − distance) tables. With n fingerprints, a lookup in a table returns n / 2^(64 (blocks
 * − distance) / blocks) rows, which must be compared. More blocks give longer keys and fewer rows, but also more
 * tables, each of which takes 8 bytes per fingerprint.
 *
 * Cost of an insertion: tables × log n steps, and occasionally a merge; of a removal: tables × log n; of a query:
 * tables × (log² n + rows).
 *
 * @example
 * ```js
 * const index = new FingerprintIndex({ blocks: 5, distance: 3 });
 * index.insert(0b1111n);
 * index.findAll(0b0111n); // [15n]
 * index.findFirst(0b0000n); // undefined: 4 bits away
 * ```
 */
export class FingerprintIndex extends HammingIndex {
  /** @throws TypeError, RangeError  naming `design`, `blocks` or `distance`, for example if blocks ≤ distance */
  constructor(design: IndexDesign) {
    checkObject('design', design);
    const { blocks, distance } = design;
    super(blockPermutations(blocks, distance), distance);
  }
}
