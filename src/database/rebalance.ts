/**
 * Gives each server its share of the parts, after one was added: parts move one after the other, and writers wait for one of
 * them only. A part is first copied, then its place is changed at home, and the old rows go last; so whoever dies in between
 * has lost nothing, and the next call goes on.
 */
import type { Database } from './openDatabase.ts';
import { placementLock } from './openDatabase.ts';
import { rendezvous } from './parts.ts';
import { lockSpace } from './schema.ts';
import type { Connection, Server } from './server.ts';

/** A part that has moved. */
export interface Move {
  readonly part: number;
  readonly from: string;
  readonly to: string;
  /** How many parts are still to move. */
  readonly left: number;
}

export interface RebalanceMonitor {
  /** The next part waits for it. */
  readonly onMove?: (move: Move) => Promise<void> | void;
  readonly cancelled?: () => boolean;
}

/**
 * Moves the parts that belong to other servers than those that have them; nothing when each is in its place.
 *
 * @param database  opened to join
 * @param monitor   told after each, and asked before each whether to go on
 * @returns how many parts have moved
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

/** Runs with the places held: nobody writes rows meanwhile, and no other command moves a part. */
async function holdingPlaces(database: Database, work: (home: Connection) => Promise<void>): Promise<void> {
  await database.home.session(async (home) => {
    await home.query('SELECT pg_advisory_lock($1, $2)', [lockSpace, placementLock]);
    await database.reload();
    await work(home);
    // When anything throws, the connection is closed, and with it goes the lock.
    await home.query('SELECT pg_advisory_unlock($1, $2)', [lockSpace, placementLock]);
  });
}

/** Copies the rows of a part, in one transaction, in place of whatever a command left there that died. */
async function copyPart(from: Server, to: Server, part: number): Promise<void> {
  const tables = await splitTables(from);
  await to.transaction(async (target) => {
    for (const table of tables) {
      await target.query(`DELETE FROM ${table} WHERE part = $1`, [part]);
      await from.session((source) => source.copyTo(target, table, part));
    }
  });
}

/** Removes rows of parts from servers that no longer have them. Whoever still reads them looks again: `Database.stable`. */
async function removeLeftRows(database: Database): Promise<void> {
  const all = Array.from({ length: database.parts }, (_, part) => part);
  for (const server of database.servers) {
    const own = new Set(database.partsOf(server));
    const others = all.filter((part) => !own.has(part));
    for (const table of await splitTables(server)) {
      // Those that are named are found by the index; of most there is nothing.
      await server.query(`DELETE FROM ${table} WHERE part = ANY($1::smallint[])`, [others]);
    }
  }
}

/** The tables that are split, with their schema: all with parts, but for the one that says where each part is. */
async function splitTables(server: Server): Promise<readonly string[]> {
  const rows = await server.query<{ name: string }>(
    `SELECT 'kindred.' || relname AS name FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
     WHERE relnamespace = 'kindred'::regnamespace AND relkind = 'r' AND attname = 'part' AND relname <> 'placement'
     ORDER BY relname`,
  );
  return rows.map(({ name }) => name);
}
