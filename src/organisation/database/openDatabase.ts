/**
 * Opens the servers of an index together. One of them is the home: it has all tables that are not split, and maps parts
 * to servers. An index on one server works the same way.
 */
import { DatabaseError } from './databaseError.ts';
import { migrations } from './migrations.ts';
import { defaultParts, rendezvous } from './parts.ts';
import { checkSchema, checkServerVersion, minServerVersion, lockSpace, migrate } from './schema.ts';
import { Server, type Connection, type ConnectionSettings } from './server.ts';

/** Lock on the placement of parts: shared by writers of rows, exclusive for a command that moves a part. */
export const placementLock = 2;
const joinLock = 3;

/**
 * Purpose of opening an index. `read` needs only SELECT rights. `write` creates or migrates tables. `join` also accepts
 * servers that are new to the index, so that parts can be moved to them.
 */
export type Access = 'read' | 'write' | 'join';

const homeName = 's1';

/**
 * Connects to the servers of an index, which may be named in any order.
 *
 * @param urls  at least one
 * @throws DatabaseError if a server cannot be used, one of the index is missing, or one belongs to another index
 */
export async function openDatabase(
  urls: readonly string[],
  access: Access,
  settings: Partial<ConnectionSettings> = {},
): Promise<Database> {
  const servers = urls.map((url) => new Server(url, settings));
  try {
    const ready = access === 'read' ? await openAtOnce(servers) : undefined;
    if (ready !== undefined) return ready;
    await Promise.all(servers.map((server) => checkServerVersion(server)));
    await Promise.all(servers.map((server) => (access === 'read' ? checkSchema(server) : migrate(server))));
    const identities = await readIdentities(servers);
    const home = findHome(servers, identities);
    if (access !== 'read') await join(home, servers, access);
    const joined = access === 'read' ? identities : await readIdentities(servers);
    const { parts } = checkIdentities(home, servers, joined);
    await checkAllNamed(home, servers);
    const database = new Database(home, servers, parts);
    await database.reload();
    return database;
  } catch (error) {
    await Promise.all(servers.map((server) => server.close()));
    throw error;
  }
}

/** State of a server and its index, read by one statement. */
interface Standing {
  readonly number: string;
  readonly version: number | null;
  readonly identity: Identity | null;
  readonly known: readonly string[] | null;
  readonly places: readonly Place[] | null;
}

/**
 * Opens an index for reading with one statement at each server. If anything is wrong, returns `undefined`;
 * `openDatabase` then finds the reason step by step.
 */
async function openAtOnce(servers: readonly Server[]): Promise<Database | undefined> {
  const standings = await Promise.all(servers.map((server) => standingOf(server)));
  const names = standings.map((standing) => standing?.identity?.server);
  const atHome = standings[names.indexOf(homeName)];
  if (atHome === undefined || !standings.every((standing) => isReady(standing, atHome))) return undefined;
  const isEachOnce = new Set(names).size === servers.length;
  if (!isEachOnce || !atHome.known!.every((name) => names.includes(name))) return undefined;
  servers.forEach((server, i) => (server.name = names[i]!));
  const database = new Database(servers[names.indexOf(homeName)]!, servers, atHome.identity!.parts);
  database.place(atHome.places!);
  return database;
}

/** SQLSTATEs for a missing table, column, or schema. */
const tablesMissing: ReadonlySet<string | undefined> = new Set(['42P01', '42703', '3F000']);

async function standingOf(server: Server): Promise<Standing | undefined> {
  try {
    const [standing] = await server.query<Standing>(
      `SELECT current_setting('server_version_num') AS number,
         (SELECT max(version) FROM kindred.schema_version) AS version,
         (SELECT json_build_object('organisation', organisation, 'server', server, 'parts', parts)
          FROM kindred.identity) AS identity,
         (SELECT json_agg(name) FROM kindred.server) AS known,
         (SELECT json_agg(json_build_object('server', server, 'moves', moves) ORDER BY part)
          FROM kindred.placement) AS places`,
    );
    return standing;
  } catch (error) {
    if (error instanceof DatabaseError && tablesMissing.has(error.code)) return undefined;
    throw error;
  }
}

/**
 * True if the server is new enough, its schema version is that of this program, and it has the same index as the home.
 */
function isReady(standing: Standing | undefined, { identity }: Standing): boolean {
  return (
    standing !== undefined &&
    Number(standing.number) >= minServerVersion &&
    standing.version === migrations.length &&
    standing.identity?.organisation === identity?.organisation
  );
}

/** Server of a part, and the number of times the part was moved. */
interface Place {
  readonly server: string;
  readonly moves: bigint | number;
}

export class Database {
  readonly home: Server;
  /** All servers, including the home. */
  readonly servers: readonly Server[];
  readonly parts: number;
  #places: readonly Server[] = [];
  #moves = 0n;

  constructor(home: Server, servers: readonly Server[], parts: number) {
    this.home = home;
    this.servers = servers;
    this.parts = parts;
  }

  serverOf(part: number): Server {
    return this.#places[part]!;
  }

  /** Returns the parts of a server, in order. */
  partsOf(server: Server): readonly number[] {
    return this.#places.flatMap((place, part) => (place === server ? [part] : []));
  }

  /** Reads from parts. Repeats the read once if a part was moved meanwhile. */
  async stable<T>(read: () => Promise<T>): Promise<T> {
    for (;;) {
      const before = this.#moves;
      const result = await read();
      await this.reload();
      if (before === this.#moves) return result;
    }
  }

  /**
   * Writes rows of parts while holding a lock that prevents parts from being moved.
   *
   * @param write  receives the connection that holds the lock. The statement that commits the rows must use it: if the
   *   connection is lost, a part may have been moved, and that statement fails too
   */
  async writing<T>(write: (connection: Connection) => Promise<T>): Promise<T> {
    return this.home.session(async (connection) => {
      await connection.query('SELECT pg_advisory_lock_shared($1, $2)', [lockSpace, placementLock]);
      await this.reload();
      const result = await write(connection);
      // If anything throws, the connection is closed, which releases the lock.
      await connection.query('SELECT pg_advisory_unlock_shared($1, $2)', [lockSpace, placementLock]);
      return result;
    });
  }

  /** Reads the placement of the parts again. */
  async reload(): Promise<void> {
    this.place(await this.home.query<Place>('SELECT server, moves FROM kindred.placement ORDER BY part'));
  }

  /** Replaces the placement. The rows are in the order of the parts. */
  place(rows: readonly Place[]): void {
    const byName = new Map(this.servers.map((server) => [server.name, server]));
    this.#places = rows.map(({ server }) => {
      const place = byName.get(server);
      if (place === undefined)
        throw new DatabaseError(
          `A part of the index has moved to server ${server}: repeat the command, and name that server in --database too.`,
        );
      return place;
    });
    this.#moves = rows.reduce((sum, { moves }) => sum + BigInt(moves), 0n);
  }

  async close(): Promise<void> {
    await Promise.all(this.servers.map((server) => server.close()));
  }
}

interface Identity {
  readonly organisation: string;
  readonly server: string;
  readonly parts: number;
}

/** Reads the identity of each server; `undefined` for a server that belongs to no index yet. */
async function readIdentities(servers: readonly Server[]): Promise<readonly (Identity | undefined)[]> {
  const identities = await readEachIdentity(servers);
  const members = identities.filter((identity) => identity !== undefined);
  if (members.length === 0 || members.some(({ server }) => server === homeName)) return identities;
  // Another command may be creating the index. The first server has its identity before the others, but may have been
  // read before them.
  return readEachIdentity(servers);
}

async function readEachIdentity(servers: readonly Server[]): Promise<readonly (Identity | undefined)[]> {
  return Promise.all(
    servers.map(async (server) => {
      const [identity] = await server.query<Identity>('SELECT organisation, server, parts FROM kindred.identity');
      return identity;
    }),
  );
}

/** Returns the home; in a new index, the first server named. */
function findHome(servers: readonly Server[], identities: readonly (Identity | undefined)[]): Server {
  const home = servers[identities.findIndex((identity) => identity?.server === homeName)];
  if (home !== undefined) return home;
  const member = identities.findIndex((identity) => identity !== undefined);
  if (member < 0) return servers[0]!;
  throw new DatabaseError(
    `${servers[member]!.label} is server ${identities[member]!.server} of an index whose first server is not named: add that to --database.`,
  );
}

/** Names the servers of a new index, or those that join it. */
async function join(home: Server, servers: readonly Server[], access: Access): Promise<void> {
  await home.session(async (connection) => {
    const isMissing = (await readIdentities(servers)).includes(undefined);
    const [pending] = await home.query(`SELECT 1 FROM kindred.server WHERE NOT has_joined LIMIT 1`);
    if (!isMissing && pending === undefined) return;
    await connection.query('SELECT pg_advisory_lock($1, $2)', [lockSpace, joinLock]);
    await found(home, servers);
    if (access === 'join') await enlist(home, servers);
    await nameServers(home, servers);
    await connection.query('SELECT pg_advisory_unlock($1, $2)', [lockSpace, joinLock]);
  });
}

/** Creates an index on all servers if there is none. */
async function found(home: Server, servers: readonly Server[]): Promise<void> {
  await home.transaction(async (connection) => {
    const [made] = await connection.query(
      `INSERT INTO kindred.identity (organisation, server, parts) VALUES (gen_random_uuid(), $1, $2)
       ON CONFLICT DO NOTHING RETURNING true`,
      [homeName, defaultParts],
    );
    if (made === undefined) return;
    const others = servers.filter((server) => server !== home);
    const names = [homeName, ...others.map((_, i) => `s${i + 2}`)];
    await connection.query(
      `INSERT INTO kindred.server (name, address, has_joined) SELECT name, address, name = $3
       FROM unnest($1::text[], $2::text[]) AS given (name, address)`,
      [names, [home, ...others].map(({ label }) => label), homeName],
    );
    await connection.query(
      `INSERT INTO kindred.placement (part, server) SELECT place - 1, server
       FROM unnest($1::text[]) WITH ORDINALITY AS given (server, place)`,
      [rendezvous(names, defaultParts)],
    );
  });
}

/** Adds the servers that belong to no index yet. They have no parts until parts are moved to them. */
async function enlist(home: Server, servers: readonly Server[]): Promise<void> {
  const identities = await readIdentities(servers);
  const strangers = servers.filter((_, i) => identities[i] === undefined);
  const known = await home.query<{ name: string; has_joined: boolean }>('SELECT name, has_joined FROM kindred.server');
  const pending = known.filter((server) => !server.has_joined).length;
  const fresh = strangers.slice(pending);
  if (fresh.length === 0) return;
  await home.query(
    `INSERT INTO kindred.server (name, address) SELECT name, address FROM unnest($1::text[], $2::text[]) AS given (name, address)`,
    [fresh.map((_, i) => `s${known.length + 1 + i}`), fresh.map(({ label }) => label)],
  );
}

/** Writes the identity of all servers that are listed at the home, including those of an interrupted command. */
async function nameServers(home: Server, servers: readonly Server[]): Promise<void> {
  const pending = await home.query<{ name: string }>(
    `SELECT name FROM kindred.server WHERE NOT has_joined ORDER BY length(name), name`,
  );
  const identities = await readIdentities(servers);
  const { organisation, parts } = identities[servers.indexOf(home)]!;
  const named = new Set(identities.map((identity) => identity?.server));
  const strangers = servers.filter((_, i) => identities[i] === undefined);
  for (const { name } of pending) {
    // An interrupted command may have named the server before listing it at the home.
    const server = named.has(name) ? undefined : strangers.shift();
    if (server === undefined && !named.has(name)) continue;
    await server?.query('INSERT INTO kindred.identity (organisation, server, parts) VALUES ($1, $2, $3)', [
      organisation,
      name,
      parts,
    ]);
    await home.query('UPDATE kindred.server SET has_joined = true, address = coalesce($2, address) WHERE name = $1', [
      name,
      server?.label ?? null,
    ]);
  }
}

/** Names the servers, and throws unless they are exactly those of one index. */
function checkIdentities(
  home: Server,
  servers: readonly Server[],
  identities: readonly (Identity | undefined)[],
): Identity {
  const own = identities[servers.indexOf(home)];
  if (own === undefined) {
    throw new DatabaseError(`There is no index at ${home.label}: store a repository with kindred org add first.`);
  }
  servers.forEach((server, i) => {
    const identity = identities[i];
    if (identity === undefined) {
      throw new DatabaseError(
        `${server.label} is not part of the index yet: run kindred org rebalance to move its share there, or leave it out of --database.`,
      );
    }
    if (identity.organisation !== own.organisation) {
      throw new DatabaseError(
        `${server.label} belongs to a different index than ${home.label}: name the servers of one index in --database.`,
      );
    }
    const same = servers.find((other) => other.name === identity.server);
    if (same !== undefined) {
      throw new DatabaseError(
        `${server.label} and ${same.label} are the same server of the index: name it once in --database.`,
      );
    }
    server.name = identity.server;
  });
  return own;
}

/** Throws if a server of the index was not named. */
async function checkAllNamed(home: Server, servers: readonly Server[]): Promise<void> {
  const known = await home.query<{ name: string; address: string }>(
    'SELECT name, address FROM kindred.server ORDER BY name',
  );
  const missing = known.find(({ name }) => !servers.some((server) => server.name === name));
  if (missing === undefined) return;
  throw new DatabaseError(
    `Server ${missing.name} of the index (${missing.address}) is not named: add its address to --database.`,
  );
}
