/** Near fingerprints: the pairs of different ones within k bits that a part of the keys finds, in the database. */
import type { Database } from '../database/openDatabase.ts';
import type { Options } from '../engine/options.ts';
import { type BlockTable, blockTables, distanceOf, mostDistance, type View, views } from './blockKeys.ts';
import { turned, windowsPart } from './fingerprintRows.ts';
import type { TaskResult } from './run.ts';

/** Bytes of a pair that is handed on: its view, and both fingerprints as they are stored, the greater one first. */
export const pairBytes = 20;

/** How many different fingerprints there are of each view, of some part. */
export type DifferentCounts = readonly [written: number, renamed: number, prose: number];

/** Pairs are handed on in so many rows at most, each of which has to fit into a value of PostgreSQL. */
const rowsOfPairs = 64;

/** What a task searches, and for whom. */
export interface NearSearch {
  readonly database: Database;
  readonly options: Options;
  readonly parts: readonly number[];
  /** The task that makes seeds of a part. */
  readonly taskOf: (part: number) => number;
  /** Contents that do not count. */
  readonly hidden: readonly number[];
}

/** The pairs of some parts, for the tasks that have the windows of the greater one, and how many fingerprints are in them. */
export async function findNear(search: NearSearch): Promise<TaskResult> {
  const { database, options, taskOf } = search;
  const found = new Map<number, Buffer[]>();
  let counts: DifferentCounts = [0, 0, 0];
  for (const part of search.parts) {
    for (const view of await viewsWithPairs(database, part)) {
      const distance = distanceOf(view, options);
      const taskOfWindow = (high: number, low: number): number => taskOf(windowsPart(view, high, low, database.parts));
      for (const table of blockTables(view, distance)) {
        for await (const pairs of pairsOf(database, table, distance, part)) sortOut(pairs, view, taskOfWindow, found);
      }
    }
    const [written, renamed, prose] = await countDifferent(database, part, search.hidden);
    counts = [counts[0] + written, counts[1] + renamed, counts[2] + prose];
  }
  const pieces = [...found].map(([target, list]) => ({ target, bytes: Buffer.concat(list) }));
  return { pieces, result: counts };
}

/** The views with keys in a part, of which no index has all: most have no prose. */
async function viewsWithPairs(database: Database, part: number): Promise<View[]> {
  const rows = await database
    .serverOf(part)
    .query<{ table: number }>('SELECT DISTINCT t AS table FROM kindred.block_key WHERE part = $1', [part]);
  const tables = new Set(rows.map(({ table }) => table));
  return views.filter((view) => blockTables(view, mostDistance).some(({ number }) => tables.has(number)));
}

/** Pairs that agree on the block of the table and on none before it, each from the first piece on which it agrees. */
async function* pairsOf(
  database: Database,
  { number, earlier, pieces }: BlockTable,
  distance: number,
  part: number,
): AsyncGenerator<Buffer> {
  const values = [
    part,
    number,
    pieces.map((mask) => BigInt.asIntN(64, mask)),
    distance,
    ...earlier.map((mask) => BigInt.asIntN(64, mask)),
  ];
  const notEarlier = earlier.map((_, i) => `AND (a.fp # b.fp) & $${i + 5}::bigint <> 0`);
  const notBefore = pieces
    .slice(0, -1)
    .map((_, i) => `AND (a.piece <= ${i + 1} OR (a.fp # b.fp) & masks[${i + 1}] <> 0)`);
  const text = `
    WITH given AS (SELECT $3::bigint[] AS masks),
    cut AS MATERIALIZED (
      SELECT key, fp, piece, fp & mask AS bits
      FROM kindred.block_key, given, unnest(masks) WITH ORDINALITY AS pieces (mask, piece)
      WHERE part = $1 AND t = $2)
    SELECT string_agg(int8send(b.fp) || int8send(a.fp), '') AS pairs
    FROM cut a JOIN cut b USING (key, piece, bits) CROSS JOIN given
    WHERE a.fp < b.fp AND bit_count((a.fp # b.fp)::bit(64)) <= $4
    ${notEarlier.join(' ')} ${notBefore.join(' ')}
    GROUP BY b.fp & ${rowsOfPairs - 1}`;
  const rows = await database.serverOf(part).query<{ pairs: Buffer }>(text, values);
  for (const { pairs } of rows) yield pairs;
}

/** Puts pairs to those of the tasks that they are for. */
function sortOut(
  pairs: Buffer,
  view: View,
  taskOfWindow: (high: number, low: number) => number,
  found: Map<number, Buffer[]>,
): void {
  const own = new Map<number, number[]>();
  for (let at = 0; at < pairs.length; at += 16) {
    const target = taskOfWindow(turned(pairs.readUInt32BE(at)), pairs.readUInt32BE(at + 4));
    const places = own.get(target);
    if (places) places.push(at);
    else own.set(target, [at]);
  }
  for (const [target, places] of own) {
    const bytes = Buffer.allocUnsafe(places.length * pairBytes);
    places.forEach((at, i) => {
      bytes.writeUInt32BE(view, i * pairBytes);
      pairs.copy(bytes, i * pairBytes + 4, at, at + 16);
    });
    const list = found.get(target);
    if (list) list.push(bytes);
    else found.set(target, [bytes]);
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
