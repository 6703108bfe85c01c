/**
 * Sorted permuted tables, which find all fingerprints within k bits of a query (Manku, Jain, Das Sarma 2007, section
 * 3). The set of fingerprints may change.
 *
 * For each permutation there is a table of the permuted fingerprints, sorted. A query is permuted in the same way and
 * compared with the rows that agree with it on the key, which are adjacent. If every pair within k bits agrees on the
 * key of at least one permutation, the lookup finds everything.
 *
 * New fingerprints are appended to a short unsorted list, which every query scans. When the list is full, it becomes a
 * run with its own tables. Two runs are merged if the older one is less than twice as long, so there are at most log₂(n
 * / 512) + 1 runs, and each fingerprint is merged at most that many times. Removed fingerprints are marked as dead. A
 * run is rebuilt when half of its rows are dead.
 *
 *   run 0  ████████████████████████     one table for each permutation in each run
 *   run 1  ██████████
 *   run 2  ███
 *   recent ▒
 */
import { firstPlace } from '../core/collections/lists.ts';
import { hammingDistance, highPlace } from '../core/methods/bits.ts';
import { moveBits, type Permutation } from '../core/methods/permutation.ts';

/** Capacity of the unsorted list. Scanning 512 fingerprints costs less than searching another run with ten tables. */
const recentRoom = 512;

/** Results of a query, in any order. Each has three numbers: high word, low word, and distance. */
type FoundNumbers = number[];

interface Run {
  /** Number of rows in each table, including dead rows. */
  readonly length: number;
  readonly tables: readonly Table[];
  dead: number;
}

/** A table of 64-bit rows. Row i is sorted[i]; its two words are words[2 i] and words[2 i + 1]. */
interface Table {
  readonly sorted: BigUint64Array;
  readonly words: Uint32Array;
  /** Bit set of dead rows. Row i has the bit i & 7 of byte i >> 3. */
  readonly dead: Uint8Array;
}

/** A set of fingerprints with a fixed list of permutations. Arguments are words, which the caller must have checked. */
export class PermutedTables {
  readonly #permutations: readonly Permutation[];
  readonly #distance: number;
  /** Mask of each permutation's key bits: permuted (`#keyMasks`, to compare rows), and original (`#bitMasks`). */
  readonly #keyMasks: readonly (readonly [high: number, low: number])[];
  readonly #bitMasks: readonly (readonly [high: number, low: number])[];
  /** True if scanning all fingerprints is cheaper: a query in all tables would return as many rows. */
  readonly #scanning: boolean;
  readonly #recentHigh = new Uint32Array(recentRoom);
  readonly #recentLow = new Uint32Array(recentRoom);
  #recent = 0;
  #runs: Run[] = [];
  #size = 0;
  readonly #permuted = new Uint32Array(2);

  /**
   * @param permutations  at least one permutation; each pair within `distance` must agree on the key of at least one of
   *                      them
   * @param distance      k in bits, 0 to 63
   */
  constructor(permutations: readonly Permutation[], distance: number) {
    this.#permutations = permutations;
    this.#distance = distance;
    this.#keyMasks = permutations.map(({ keyBits }) => leadingBits(keyBits));
    this.#bitMasks = permutations.map(({ backMoves, keyBits }) => {
      const out = new Uint32Array(2);
      const [high, low] = leadingBits(keyBits);
      moveBits(backMoves, high, low, out);
      return [out[0] | 0, out[1] | 0];
    });
    this.#scanning = permutations.reduce((rows, { keyBits }) => rows + 2 ** -keyBits, 0) >= 1;
  }

  get size(): number {
    return this.#size;
  }

  has(high: number, low: number): boolean {
    return this.#placeInRecent(high, low) >= 0 || this.#runs.some((run) => this.#rowIn(run, 0, high, low) >= 0);
  }

  /** Adds a fingerprint. Returns false if it is already stored. */
  insert(high: number, low: number): boolean {
    if (this.has(high, low)) return false;
    this.#recentHigh[this.#recent] = high;
    this.#recentLow[this.#recent] = low;
    this.#recent++;
    this.#size++;
    if (this.#recent === recentRoom) this.#createRun();
    return true;
  }

  /** Removes a fingerprint. Returns false if it is not stored. */
  remove(high: number, low: number): boolean {
    const place = this.#placeInRecent(high, low);
    if (place >= 0) {
      this.#recent--;
      this.#recentHigh[place] = this.#recentHigh[this.#recent];
      this.#recentLow[place] = this.#recentLow[this.#recent];
      this.#size--;
      return true;
    }
    const at = this.#runs.findIndex((run) => this.#rowIn(run, 0, high, low) >= 0);
    if (at < 0) return false;
    const run = this.#runs[at];
    run.tables.forEach(({ dead }, table) => {
      const row = this.#rowIn(run, table, high, low);
      dead[row >> 3] |= 1 << (row & 7);
    });
    run.dead++;
    this.#size--;
    if (2 * run.dead >= run.length) this.#renew(at);
    return true;
  }

  /** Returns all stored fingerprints within the distance of a query, each once, including the query itself. */
  findAll(high: number, low: number): FoundNumbers {
    const found: FoundNumbers = [];
    for (let i = 0; i < this.#recent; i++) {
      this.#compare(high, low, this.#recentHigh[i], this.#recentLow[i], found);
    }
    for (const run of this.#runs) {
      if (this.#scanning) this.#scan(run, high, low, found);
      else for (let table = 0; table < run.tables.length; table++) this.#probe(run, table, high, low, found);
    }
    return found;
  }

  #compare(high: number, low: number, otherHigh: number, otherLow: number, found: FoundNumbers): void {
    const distance = hammingDistance(high, low, otherHigh, otherLow);
    if (distance <= this.#distance) found.push(otherHigh, otherLow, distance);
  }

  #scan(run: Run, high: number, low: number, found: FoundNumbers): void {
    const { words, dead } = run.tables[0];
    const { moves, backMoves } = this.#permutations[0];
    moveBits(moves, high, low, this.#permuted);
    const [permutedHigh, permutedLow] = this.#permuted;
    for (let row = 0; row < run.length; row++) {
      const rowHigh = words[2 * row + highPlace];
      const rowLow = words[2 * row + 1 - highPlace];
      const distance = hammingDistance(permutedHigh, permutedLow, rowHigh, rowLow);
      if (distance > this.#distance || (dead[row >> 3] >> (row & 7)) & 1) continue;
      moveBits(backMoves, rowHigh, rowLow, this.#permuted);
      found.push(this.#permuted[0], this.#permuted[1], distance);
    }
  }

  #probe(run: Run, table: number, high: number, low: number, found: FoundNumbers): void {
    const { words, dead } = run.tables[table];
    const [maskHigh, maskLow] = this.#keyMasks[table];
    const { moves, backMoves } = this.#permutations[table];
    moveBits(moves, high, low, this.#permuted);
    const [permutedHigh, permutedLow] = this.#permuted;
    const first = lowerBound(words, run.length, (permutedHigh & maskHigh) >>> 0, (permutedLow & maskLow) >>> 0);
    for (let row = first; row < run.length; row++) {
      const differingHigh = words[2 * row + highPlace] ^ permutedHigh;
      const differingLow = words[2 * row + 1 - highPlace] ^ permutedLow;
      if (((differingHigh & maskHigh) | (differingLow & maskLow)) !== 0) break;
      const distance = hammingDistance(differingHigh, differingLow, 0, 0);
      if (distance > this.#distance || (dead[row >> 3] >> (row & 7)) & 1) continue;
      moveBits(backMoves, differingHigh, differingLow, this.#permuted);
      const [bitsHigh, bitsLow] = this.#permuted;
      if (!this.#agreesEarlier(table, bitsHigh, bitsLow))
        found.push((high ^ bitsHigh) >>> 0, (low ^ bitsLow) >>> 0, distance);
    }
  }

  /**
   * Returns true if an earlier table has found the same fingerprint.
   *
   * @param bitsHigh  high word of the bits in which the fingerprint differs from the query
   * @param bitsLow   low word of these bits
   */
  #agreesEarlier(table: number, bitsHigh: number, bitsLow: number): boolean {
    for (let earlier = 0; earlier < table; earlier++) {
      const [maskHigh, maskLow] = this.#bitMasks[earlier];
      if (((bitsHigh & maskHigh) | (bitsLow & maskLow)) === 0) return true;
    }
    return false;
  }

  #placeInRecent(high: number, low: number): number {
    for (let i = 0; i < this.#recent; i++) {
      if (this.#recentLow[i] === low && this.#recentHigh[i] === high) return i;
    }
    return -1;
  }

  /** Returns the row of a fingerprint in a table of a run. Returns −1 if it is not there or was removed. */
  #rowIn(run: Run, table: number, high: number, low: number): number {
    const { words, dead } = run.tables[table];
    moveBits(this.#permutations[table].moves, high, low, this.#permuted);
    const [permutedHigh, permutedLow] = this.#permuted;
    // Checking the first row is enough. If a fingerprint is removed and inserted again, the new row is in another run,
    // so no live row follows the dead one in this run.
    const row = lowerBound(words, run.length, permutedHigh, permutedLow);
    const there =
      row < run.length && words[2 * row + highPlace] === permutedHigh && words[2 * row + 1 - highPlace] === permutedLow;
    return there && ((dead[row >> 3] >> (row & 7)) & 1) === 0 ? row : -1;
  }

  #createRun(): void {
    const length = this.#recent;
    const tables = this.#permutations.map(({ moves }) => {
      const table = emptyTable(length);
      for (let i = 0; i < length; i++) {
        moveBits(moves, this.#recentHigh[i], this.#recentLow[i], this.#permuted);
        table.words[2 * i + highPlace] = this.#permuted[0];
        table.words[2 * i + 1 - highPlace] = this.#permuted[1];
      }
      table.sorted.sort();
      return table;
    });
    this.#recent = 0;
    this.#runs.push({ length, tables, dead: 0 });
    for (;;) {
      const last = this.#runs.length - 1;
      if (last < 1 || this.#runs[last - 1].length >= 2 * this.#runs[last].length) return;
      this.#runs.splice(last - 1, 2, mergeRuns(this.#runs[last - 1], this.#runs[last]));
    }
  }

  /** Rebuilds the tables of a run without dead rows. */
  #renew(at: number): void {
    const run = this.#runs[at];
    if (run.dead === run.length) this.#runs.splice(at, 1);
    else this.#runs.splice(at, 1, mergeRuns(run, { length: 0, tables: run.tables.map(() => emptyTable(0)), dead: 0 }));
  }
}

function emptyTable(length: number): Table {
  const sorted = new BigUint64Array(length);
  return { sorted, words: new Uint32Array(sorted.buffer), dead: new Uint8Array((length + 7) >> 3) };
}

/** Returns a 64-bit number, as two words, whose first `bits` bits are set. */
function leadingBits(bits: number): [high: number, low: number] {
  const ones = (count: number): number => (count <= 0 ? 0 : count >= 32 ? -1 : -1 << (32 - count));
  return [ones(bits), ones(bits - 32)];
}

/** Returns the index of the first row of a sorted table that is not less than (high, low). */
function lowerBound(words: Uint32Array, length: number, high: number, low: number): number {
  return firstPlace(length, (row) => {
    const rowHigh = words[2 * row + highPlace];
    return rowHigh < high || (rowHigh === high && words[2 * row + 1 - highPlace] < low);
  });
}

/** Merges the live rows of two runs into one run. */
function mergeRuns(a: Run, b: Run): Run {
  const length = a.length - a.dead + b.length - b.dead;
  const tables = a.tables.map((table, i) => mergeTables(table, a.length, b.tables[i], b.length, length));
  return { length, tables, dead: 0 };
}

function mergeTables(a: Table, aLength: number, b: Table, bLength: number, length: number): Table {
  const merged = emptyTable(length);
  const [x, y, out] = [a.words, b.words, merged.words];
  let [i, j, at] = [0, 0, 0];
  for (;;) {
    while (i < aLength && (a.dead[i >> 3] >> (i & 7)) & 1) i++;
    while (j < bLength && (b.dead[j >> 3] >> (j & 7)) & 1) j++;
    if (i === aLength && j === bLength) return merged;
    const takeA = j === bLength || (i < aLength && before(x, i, y, j));
    const from = takeA ? x : y;
    const row = takeA ? i++ : j++;
    out[at++] = from[2 * row];
    out[at++] = from[2 * row + 1];
  }
}

function before(x: Uint32Array, i: number, y: Uint32Array, j: number): boolean {
  const xHigh = x[2 * i + highPlace];
  const yHigh = y[2 * j + highPlace];
  return xHigh < yHigh || (xHigh === yHigh && x[2 * i + 1 - highPlace] < y[2 * j + 1 - highPlace]);
}
