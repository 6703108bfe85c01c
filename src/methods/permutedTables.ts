/**
 * Sorted permuted tables: the look-up of everything within k bits (Manku, Jain, Das Sarma 2007, section 3), for a set of
 * fingerprints that changes.
 *
 * For each permutation there is a table of the permuted fingerprints, sorted. A query is permuted too; the rows that agree
 * with it on the key lie together, and each is compared. If every pair within k bits agrees on the key of some permutation,
 * nothing is lost.
 *
 * Fingerprints that come one by one go to a short list without order, which a query reads whole. A full list becomes a run:
 * tables of its own. Two runs are merged when the older is not at least twice as long, so there are at most
 * log₂(n / 512) + 1 runs, and each fingerprint is merged that many times. One that is removed is marked as dead in its run;
 * a run half dead is made anew.
 *
 *   run 0  ████████████████████████     one table for each permutation in each run
 *   run 1  ██████████
 *   run 2  ███
 *   recent ▒
 */
import { hammingDistance, highPlace } from './bits.ts';
import { moveBits, type Permutation } from './permutation.ts';

/** Fingerprints that wait without order: reading 512 costs less than probing one more run's ten tables. */
const recentRoom = 512;

/** What a query finds, in no particular order: three numbers each, high word, low word and distance. */
type Found = number[];

interface Run {
  /** Rows, dead ones included. Each table has this many. */
  readonly length: number;
  readonly tables: readonly Table[];
  dead: number;
}

/** Row i is sorted[i], which is also words[2 i] and words[2 i + 1]. */
interface Table {
  readonly sorted: BigUint64Array;
  readonly words: Uint32Array;
  /** Bit i & 7 of byte i >> 3: whether row i is dead. */
  readonly dead: Uint8Array;
}

/** A set of fingerprints under a fixed list of permutations. Arguments are words; the caller checks them. */
export class PermutedTables {
  readonly #permutations: readonly Permutation[];
  readonly #distance: number;
  /** The key bits of each permutation, at their places in front (for rows) and in the fingerprint itself. */
  readonly #keyMasks: readonly (readonly [high: number, low: number])[];
  readonly #bitMasks: readonly (readonly [high: number, low: number])[];
  /** Whether the tables together would give as many rows to compare as there are. */
  readonly #scanning: boolean;
  readonly #recentHigh = new Uint32Array(recentRoom);
  readonly #recentLow = new Uint32Array(recentRoom);
  #recent = 0;
  #runs: Run[] = [];
  #size = 0;
  readonly #permuted = new Uint32Array(2);

  /**
   * @param permutations  from one; each pair within `distance` must agree on the key of one of them
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

  /** Adds a fingerprint; false when it is there already. */
  insert(high: number, low: number): boolean {
    if (this.has(high, low)) return false;
    this.#recentHigh[this.#recent] = high;
    this.#recentLow[this.#recent] = low;
    this.#recent++;
    this.#size++;
    if (this.#recent === recentRoom) this.#makeRun();
    return true;
  }

  /** Takes a fingerprint away; false when it is not there. */
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

  /** All stored fingerprints within the distance of a query, each once: itself too, if it is stored. */
  findAll(high: number, low: number): Found {
    const found: Found = [];
    for (let i = 0; i < this.#recent; i++) {
      this.#compare(high, low, this.#recentHigh[i], this.#recentLow[i], found);
    }
    for (const run of this.#runs) {
      if (this.#scanning) this.#scan(run, high, low, found);
      else for (let table = 0; table < run.tables.length; table++) this.#probe(run, table, high, low, found);
    }
    return found;
  }

  #compare(high: number, low: number, otherHigh: number, otherLow: number, found: Found): void {
    const distance = hammingDistance(high, low, otherHigh, otherLow);
    if (distance <= this.#distance) found.push(otherHigh, otherLow, distance);
  }

  #scan(run: Run, high: number, low: number, found: Found): void {
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

  #probe(run: Run, table: number, high: number, low: number, found: Found): void {
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

  /** Whether a table before this one gives the fingerprint that differs in these bits as well. */
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

  /** The row of a living fingerprint in one table of a run; −1 when there is none. */
  #rowIn(run: Run, table: number, high: number, low: number): number {
    const { words, dead } = run.tables[table];
    moveBits(this.#permutations[table].moves, high, low, this.#permuted);
    const [permutedHigh, permutedLow] = this.#permuted;
    // A dead row is never followed by a living one of the same fingerprint: what comes back goes to another run.
    const row = lowerBound(words, run.length, permutedHigh, permutedLow);
    const there =
      row < run.length && words[2 * row + highPlace] === permutedHigh && words[2 * row + 1 - highPlace] === permutedLow;
    return there && ((dead[row >> 3] >> (row & 7)) & 1) === 0 ? row : -1;
  }

  #makeRun(): void {
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

  /** Makes a run anew without its dead rows. */
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

/** Words whose first `bits` of 64 are set. */
function leadingBits(bits: number): [high: number, low: number] {
  const ones = (count: number): number => (count <= 0 ? 0 : count >= 32 ? -1 : -1 << (32 - count));
  return [ones(bits), ones(bits - 32)];
}

/** The first row of a sorted table that is not below (high, low). */
function lowerBound(words: Uint32Array, length: number, high: number, low: number): number {
  let [start, end] = [0, length];
  while (start < end) {
    const middle = (start + end) >>> 1;
    const rowHigh = words[2 * middle + highPlace];
    if (rowHigh < high || (rowHigh === high && words[2 * middle + 1 - highPlace] < low)) start = middle + 1;
    else end = middle;
  }
  return start;
}

/** One run with the living rows of both. */
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
