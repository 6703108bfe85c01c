/**
 * The index of a changing set of fingerprints that gives back every stored one within k bits of a query (Manku, Jain,
 * Das Sarma 2007, section 3). `permutedTables.ts` has the tables; here is how callers see them.
 */
import { fromWords, highWord, lowWord } from './bits.ts';
import { checkHash, checkObject } from './checkArgument.ts';
import { blockPermutations, type Permutation } from './permutation.ts';
import { PermutedTables } from './permutedTables.ts';

export interface IndexDesign {
  /** m: into how many blocks the 64 bits are cut, 1 to 64 and more than `distance`. */
  readonly blocks: number;
  /** k: how many bits may differ, 0 to 63. */
  readonly distance: number;
}

/** A set of fingerprints with look-up by Hamming distance. Nothing within the distance is ever missed. */
export class HammingIndex {
  readonly #tables: PermutedTables;

  constructor(permutations: readonly Permutation[], distance: number) {
    this.#tables = new PermutedTables(permutations, distance);
  }

  /** How many different fingerprints are stored. */
  get size(): number {
    return this.#tables.size;
  }

  /** Whether this very fingerprint is stored. */
  has(fingerprint: bigint): boolean {
    checkHash('fingerprint', fingerprint);
    return this.#tables.has(highWord(fingerprint), lowWord(fingerprint));
  }

  /**
   * Stores a fingerprint.
   *
   * @returns  false when it was stored already; it is a set
   * @throws TypeError, RangeError  when `fingerprint` is no 64-bit number
   */
  insert(fingerprint: bigint): boolean {
    checkHash('fingerprint', fingerprint);
    return this.#tables.insert(highWord(fingerprint), lowWord(fingerprint));
  }

  /**
   * Takes a fingerprint away.
   *
   * @returns  false when it was not stored
   * @throws TypeError, RangeError  when `fingerprint` is no 64-bit number
   */
  remove(fingerprint: bigint): boolean {
    checkHash('fingerprint', fingerprint);
    return this.#tables.remove(highWord(fingerprint), lowWord(fingerprint));
  }

  /**
   * The nearest stored fingerprint within the distance, the least number where several are as near; `undefined` when there
   * is none. It is the first of `findAll`.
   *
   * @throws TypeError, RangeError  when `query` is no 64-bit number
   */
  findFirst(query: bigint): bigint | undefined {
    return this.findAll(query).at(0);
  }

  /**
   * Every stored fingerprint within the distance of `query`, itself too if it is stored. The nearest first; of those as
   * near, the least number first. What was inserted and removed before, in what order, does not matter.
   *
   * @throws TypeError, RangeError  when `query` is no 64-bit number
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
 * An index with C(blocks, blocks − distance) tables. With n fingerprints a table gives n / 2^(64 (blocks − distance) /
 * blocks) rows to compare: more blocks make longer keys and fewer rows, but more tables to keep (8 bytes a fingerprint in
 * each) and to probe.
 *
 * Cost of an insertion: tables × log n steps, now and then a merge; of a removal: tables × log n; of a query: tables ×
 * (log² n + rows).
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
  /** @throws TypeError, RangeError  naming `design`, `blocks` or `distance`, as when blocks ≤ distance */
  constructor(design: IndexDesign) {
    checkObject('design', design);
    const { blocks, distance } = design;
    super(blockPermutations(blocks, distance), distance);
  }
}
