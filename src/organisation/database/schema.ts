/** Reads the schema version of a server, and migrates it to that of this program. */
import { DatabaseError } from './databaseError.ts';
import { migrations } from './migrations.ts';
import type { Connection, Server } from './server.ts';

/** PostgreSQL 15, which gets security updates until November 2027. `bit_count` was added in 14. */
export const minServerVersion = 150_000;

/** First number of all advisory locks of Kindred: "kind" in ASCII. The second number identifies the resource. */
export const lockSpace = 0x6b696e64;
const schemaLock = 1;

/** Throws DatabaseError if the server is too old. */
export async function checkServerVersion(server: Server): Promise<void> {
  const [row] = await server.query<{ number: string; version: string }>(
    `SELECT current_setting('server_version_num') AS number, current_setting('server_version') AS version`,
  );
  if (Number(row!.number) >= minServerVersion) return;
  throw new DatabaseError(
    `${server.label} is PostgreSQL ${row!.version}, and Kindred needs 15 or newer: upgrade it, or name another server in --database.`,
  );
}

/** Returns the schema version; 0 if there are no tables. */
export async function schemaVersion(connection: Pick<Connection, 'query'>): Promise<number> {
  const [there] = await connection.query<{ there: boolean }>(
    `SELECT to_regclass('kindred.schema_version') IS NOT NULL AS there`,
  );
  if (there?.there !== true) return 0;
  const [row] = await connection.query<{ version: number | null }>(
    'SELECT max(version) AS version FROM kindred.schema_version',
  );
  return row?.version ?? 0;
}

/** Throws DatabaseError unless the schema version is that of this program. Readers cannot migrate. */
export async function checkSchema(server: Server, steps: readonly string[] = migrations): Promise<void> {
  const version = await schemaVersion(server);
  if (version === 0) {
    throw new DatabaseError(`There is no index at ${server.label}: store a repository with kindred org add first.`);
  }
  refuseNewer(server, version, steps.length);
  if (version === steps.length) return;
  throw new DatabaseError(
    `The index at ${server.label} has version ${version}, and this Kindred reads version ${steps.length}: run kindred org add once with a role that may change tables.`,
  );
}

/** Creates the tables, or migrates them to the version of this program. Concurrent commands migrate once. */
export async function migrate(server: Server, steps: readonly string[] = migrations): Promise<void> {
  // Usually there is nothing to do, and no lock is needed.
  const found = await schemaVersion(server);
  refuseNewer(server, found, steps.length);
  if (found === steps.length) return;
  await server.transaction(async (connection) => {
    await connection.query('SELECT pg_advisory_xact_lock($1, $2)', [lockSpace, schemaLock]);
    const version = await schemaVersion(connection);
    refuseNewer(server, version, steps.length);
    if (version === 0) {
      await connection.run(`
        CREATE SCHEMA IF NOT EXISTS kindred;
        CREATE TABLE kindred.schema_version (version integer PRIMARY KEY, since timestamptz NOT NULL DEFAULT now())`);
    }
    for (let next = version; next < steps.length; next++) {
      await connection.run(steps[next]!);
      await connection.query('INSERT INTO kindred.schema_version (version) VALUES ($1)', [next + 1]);
    }
  });
}

function refuseNewer(server: Server, version: number, newest: number): void {
  if (version <= newest) return;
  throw new DatabaseError(
    `The index at ${server.label} has version ${version}, and this Kindred knows versions up to ${newest}: install a newer Kindred.`,
  );
}
