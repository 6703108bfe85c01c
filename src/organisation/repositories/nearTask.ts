/**
 * Near tasks: find pairs of distinct fingerprints within k bits in a part of the keys. The database returns the
 * fingerprints with a key in the part, and the kernel compares them as in a scan. The same join in SQL took thirty
 * times longer.
 */
import { setImmediate } from 'node:timers/promises';
import type { Kernel } from '../../core/engine/kernel.ts';
import { findNearPairsSteps, placesOfPair } from '../../core/engine/seeds/nearPairs.ts';
import { tuning } from '../../core/engine/tuning.ts';
import type { Database } from '../database/openDatabase.ts';
import type { Options } from '../../core/engine/options.ts';
import { type BlockTable, blockTables, distanceOf, type View, views } from './blockKeys.ts';
import { turned, windowsPart } from './fingerprintRows.ts';
import type { TaskResult } from './run.ts';

/** Words of a pair: its view, and the halves of both fingerprints, the greater one first. */
export const pairWords = 5;

/** Number of distinct fingerprints of each view in some parts. */
export type DifferentCounts = readonly [written: number, renamed: number, prose: number];

/** Number of rows into which fingerprints are split. Each row must fit into a value of PostgreSQL. */
const rowsOfKeys = 16;

export interface NearSearch {
  readonly database: Database;
  readonly kernel: Kernel;
  readonly options: Options;
  readonly parts: readonly number[];
  /** Returns the seed task of a part. */
  readonly taskOf: (part: number) => number;
  /** Contents to ignore. */
  readonly hidden: readonly number[];
}

/**
 * Finds the pairs of some parts, for the tasks that have the windows of the greater fingerprint, and counts
 * fingerprints.
 */
export async function findNear(search: NearSearch): Promise<TaskResult> {
  const { database, options, kernel } = search;
  const found = new PairSorter(search);
  let counts: DifferentCounts = [0, 0, 0];
  for (const part of search.parts) {
    for (const view of views) {
      const distance = distanceOf(view, options);
      for (const table of blockTables(view, distance)) {
        const mark = kernel.mark();
        try {
          await comparePart(search, { view, distance, table, part }, found);
        } finally {
          kernel.release(mark);
        }
      }
    }
    const [written, renamed, prose] = await countDifferent(database, part, search.hidden);
    counts = [counts[0] + written, counts[1] + renamed, counts[2] + prose];
  }
  return { pieces: found.pieces(), result: counts };
}

/** Fingerprints of a view that have a key in one table and one part. */
interface Compared {
  readonly view: View;
  readonly distance: number;
  readonly table: BlockTable;
  readonly part: number;
}

/** Adds the pairs that agree on the block of the table and on no earlier block, so that each pair is found once. */
async function comparePart(
  { database, kernel, hidden }: NearSearch,
  { view, distance, table, part }: Compared,
  found: PairSorter,
): Promise<void> {
  const fingerprints = await fingerprintsOf(database, table, part);
  const n = fingerprints.length;
  if (n < 2) return;
  const address = kernel.allocate(n * 8);
  new BigUint64Array(kernel.memory.buffer, address, n).set(fingerprints);
  // The nearest partners overall are also the nearest here. Hidden ones must not displace others.
  const most = hidden.length === 0 ? tuning.seeds.mostPartners + 1 : n;
  const steps = findNearPairsSteps(kernel, address, n, distance, most);
  let step = steps.next();
  for (; step.done !== true; step = steps.next()) await setImmediate();
  const { address: pairs, count } = step.value;
  const halves = halvesOf(fingerprints);
  const isFound = foundBy(table);
  for (let at = pairs >>> 2; at < (pairs >>> 2) + 2 * count; at += 2) {
    const { greater, lesser } = placesOfPair(kernel.words[at]!, kernel.words[at + 1]!);
    const [high, low] = [halves[2 * greater + 1]!, halves[2 * greater]!];
    const [otherHigh, otherLow] = [halves[2 * lesser + 1]!, halves[2 * lesser]!];
    if (isFound(high ^ otherHigh, low ^ otherLow)) found.add(view, [high, low, otherHigh, otherLow]);
  }
}

/** Returns the distinct fingerprints with a key in a table and a part, ascending. */
async function fingerprintsOf(database: Database, { number }: BlockTable, part: number): Promise<BigUint64Array> {
  const rows = await database.serverOf(part).query<{ fingerprints: Buffer }>(
    `SELECT string_agg(int8send(fp), '') AS fingerprints FROM kindred.block_key WHERE part = $1 AND t = $2
     GROUP BY fp & ${rowsOfKeys - 1}`,
    [part, number],
  );
  const bytes = Buffer.concat(rows.map((row) => row.fingerprints)).swap64();
  const stored = new BigUint64Array(new Uint8Array(bytes).buffer);
  const halves = halvesOf(stored);
  for (let high = 1; high < halves.length; high += 2) halves[high] = turned(halves[high]!);
  return stored.sort();
}

/** Returns the lower and upper half of each, alternating. */
function halvesOf({ buffer }: BigUint64Array): Uint32Array {
  return new Uint32Array(buffer);
}

/** Returns a test of differing bits: true if the pair is found by this table and by no earlier one. */
function foundBy({ mask, earlier }: BlockTable): (high: number, low: number) => boolean {
  const halves = (value: bigint): [high: number, low: number] => [
    Number(value >> 32n) | 0,
    Number(value & 0xffff_ffffn) | 0,
  ];
  const [ownHigh, ownLow] = halves(mask);
  const others = earlier.map(halves);
  return (high, low) =>
    ((high & ownHigh) | (low & ownLow)) === 0 &&
    others.every(([otherHigh, otherLow]) => ((high & otherHigh) | (low & otherLow)) !== 0);
}

/** Sorts pairs by target task. */
class PairSorter {
  readonly #taskOf: NearSearch['taskOf'];
  readonly #parts: number;
  readonly #found = new Map<number, number[]>();

  constructor({ taskOf, database: { parts } }: NearSearch) {
    this.#taskOf = taskOf;
    this.#parts = parts;
  }

  /** @param pair  halves of the greater fingerprint, then those of the lesser */
  add(view: View, pair: readonly [high: number, low: number, otherHigh: number, otherLow: number]): void {
    const task = this.#taskOf(windowsPart(view, pair[0], pair[1], this.#parts));
    let own = this.#found.get(task);
    if (own === undefined) this.#found.set(task, (own = []));
    own.push(view, ...pair);
  }

  pieces(): TaskResult['pieces'] {
    return [...this.#found].map(([target, words]) => ({
      target,
      bytes: new Uint8Array(Uint32Array.from(words).buffer),
    }));
  }
}

async function countDifferent(database: Database, part: number, hidden: readonly number[]): Promise<DifferentCounts> {
  const rows = await database.serverOf(part).query<{ view: number; different: number }>(
    `SELECT view, count(DISTINCT fp)::int AS different FROM kindred.fingerprint
     WHERE part = $1 AND document / 4 <> ALL($2::bigint[]) GROUP BY view`,
    [part, hidden],
  );
  const ofView = (view: View): number => rows.find((row) => row.view === view)?.different ?? 0;
  return [ofView(0), ofView(1), ofView(2)];
}
