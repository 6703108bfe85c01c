/**
 * Moves parts so that each server has its share, after one was added. Parts move one by one, and writers wait for one
 * part only. A part is copied first, then its placement changes at the home, and the old rows are deleted last. An
 * interrupted command therefore loses nothing, and the next call continues.
 */
import type { Database } from './openDatabase.ts';
import { placementLock } from './openDatabase.ts';
import { rendezvous } from './parts.ts';
import { lockSpace } from './schema.ts';
import type { Connection, Server } from './server.ts';

export interface Move {
  readonly part: number;
  readonly from: string;
  readonly to: string;
  readonly left: number;
}

export interface RebalanceMonitor {
  /** Called after each move, and awaited before the next one. */
  readonly onMove?: (move: Move) => Promise<void> | void;
  readonly cancelled?: () => boolean;
}

/**
 * Moves all parts that are not at their server.
 *
 * @param database  opened with access `join`
 * @param monitor   called after each move, and polled for cancellation before each one
 * @returns number of parts moved
 */
export async function rebalance(
  database: Database,
  { onMove = () => {}, cancelled = () => false }: RebalanceMonitor = {},
): Promise<number> {
  const names = database.servers.map(({ name }) => name);
  const wanted = rendezvous(names, database.parts);
  await database.reload();
  const parts = wanted.flatMap((name, part) => (database.serverOf(part).name === name ? [] : [part]));
  let moved = 0;
  for (const part of parts) {
    if (cancelled()) return moved;
    const to = database.servers.find(({ name }) => name === wanted[part])!;
    await holdingPlaces(database, async (home) => {
      // Another command may have moved it meanwhile.
      const from = database.serverOf(part);
      if (from === to) return;
      await copyPart(from, to, part);
      await home.query('UPDATE kindred.placement SET server = $2, moves = moves + 1 WHERE part = $1', [part, to.name]);
      moved++;
      await onMove({ part, from: from.name, to: to.name, left: parts.length - moved });
    });
  }
  await holdingPlaces(database, () => removeLeftRows(database));
  await database.reload();
  return moved;
}

/** Runs with an exclusive lock on the placement: no rows are written, and no other command moves a part. */
async function holdingPlaces(database: Database, work: (home: Connection) => Promise<void>): Promise<void> {
  await database.home.session(async (home) => {
    await home.query('SELECT pg_advisory_lock($1, $2)', [lockSpace, placementLock]);
    await database.reload();
    await work(home);
    // If anything throws, the connection is closed, which releases the lock.
    await home.query('SELECT pg_advisory_unlock($1, $2)', [lockSpace, placementLock]);
  });
}

/** Copies the rows of a part in one transaction, replacing leftovers of an interrupted command. */
async function copyPart(from: Server, to: Server, part: number): Promise<void> {
  const tables = await splitTables(from);
  await to.transaction(async (target) => {
    for (const table of tables) {
      await target.query(`DELETE FROM ${table} WHERE part = $1`, [part]);
      await from.session((source) => source.copyTo(target, table, part));
    }
  });
}

/** Removes rows of parts that the server no longer has. Concurrent readers repeat their read: see `Database.stable`. */
async function removeLeftRows(database: Database): Promise<void> {
  const all = Array.from({ length: database.parts }, (_, part) => part);
  for (const server of database.servers) {
    const own = new Set(database.partsOf(server));
    const others = all.filter((part) => !own.has(part));
    for (const table of await splitTables(server)) {
      // Naming the parts lets PostgreSQL use the index. Most of them have no rows here.
      await server.query(`DELETE FROM ${table} WHERE part = ANY($1::smallint[])`, [others]);
    }
  }
}

/** Returns the schema-qualified names of the split tables: those with a column `part`, except `placement`. */
async function splitTables(server: Server): Promise<readonly string[]> {
  const rows = await server.query<{ name: string }>(
    `SELECT 'kindred.' || relname AS name FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
     WHERE relnamespace = 'kindred'::regnamespace AND relkind = 'r' AND attname = 'part' AND relname <> 'placement'
     ORDER BY relname`,
  );
  return rows.map(({ name }) => name);
}
