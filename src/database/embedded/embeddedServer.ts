/**
 * The server for one person: started by the first command that needs it, shared by those that run at the same time, and ended
 * by the last. Its data lie in the user's folder for data.
 *
 * Each command holds a lock of the server as long as it runs. Who leaves and gets that lock alone is the last, and ends the
 * server; who comes meanwhile waits for the lock, loses the connection, and starts the server again. A command that is killed
 * leaves the server running: the next one finds it and ends it.
 */
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { readdir, rename, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { DatabaseError } from '../databaseError.ts';
import { lockSpace } from '../schema.ts';
import { findPrograms } from './programs.ts';
import {
  accountForServer,
  initialize,
  makeFolder,
  ownerRole,
  reasonIn,
  removeStalePid,
  runningServer,
  startServer,
  stopServer,
  type Account,
  type Starting,
} from './serverProcess.ts';

/** Shared by commands that use the server. */
const presenceLock = 9;
/** How long a server may take to start: to recover from a crash it reads up to max_wal_size. */
const startMs = 120_000;
/** The longest path of a socket is 103 bytes on macOS, less the name of the socket. */
const longestFolder = 85;

/** For an index of some million lines on a machine that has other work; the data survive a crash. */
const settings: Readonly<Record<string, string>> = {
  listen_addresses: '',
  port: '5432',
  shared_buffers: '256MB',
  work_mem: '64MB',
  maintenance_work_mem: '256MB',
  max_wal_size: '4GB',
  max_connections: '60',
  unix_socket_permissions: '0700',
};

export interface EmbeddedServer {
  readonly url: string;
  /** Leaves the server, and ends it when nobody else uses it. */
  close(): Promise<void>;
}

/** The folder of the data: absolute. It need not be there. */
export function embeddedFolder(environment: NodeJS.ProcessEnv): string {
  const { XDG_DATA_HOME: xdg, LOCALAPPDATA: local } = environment;
  if (xdg && path.isAbsolute(xdg)) return path.join(xdg, 'kindred', 'postgres');
  if (process.platform === 'win32' && local) return path.join(local, 'kindred', 'postgres');
  // The server runs as another account then, which may not enter the home of root.
  if (process.getuid?.() === 0) return '/var/lib/kindred/postgres';
  if (process.platform === 'darwin')
    return path.join(homedir(), 'Library', 'Application Support', 'kindred', 'postgres');
  return path.join(homedir(), '.local', 'share', 'kindred', 'postgres');
}

/**
 * Starts the server of a folder, or joins those who use it.
 *
 * @throws DatabaseError when there is no PostgreSQL on the machine, or it does not start
 */
export async function openEmbeddedServer(
  environment: NodeJS.ProcessEnv,
  folder = embeddedFolder(environment),
): Promise<EmbeddedServer> {
  if (process.platform === 'win32') {
    throw new DatabaseError('There is no embedded PostgreSQL on Windows: name a server with --database.');
  }
  const account = await accountForServer();
  const data = path.join(folder, 'data');
  await prepare(environment, folder, data, account);
  const presence = await enter(environment, folder, data, account);
  return {
    url: presence.url,
    close: () => leave(presence.client, data),
  };
}

/** Makes the data when there are none. Of several commands that do so at once, the first one's count. */
async function prepare(
  environment: NodeJS.ProcessEnv,
  folder: string,
  data: string,
  account: Account | undefined,
): Promise<void> {
  if (existsSync(data)) return;
  const programs = await findPrograms({ environment, packages: folder });
  try {
    await makeFolder(folder, account);
  } catch (error) {
    const { message } = error as Error;
    throw new DatabaseError(
      `The folder of the embedded PostgreSQL cannot be made (${message}): set XDG_DATA_HOME to another folder.`,
    );
  }
  await removeAbandoned(folder);
  const making = path.join(folder, `making-${process.pid}-${randomUUID()}`);
  await initialize(programs, making, account);
  try {
    await rename(making, data);
  } catch (error) {
    await rm(making, { recursive: true, force: true });
    if (!existsSync(data)) throw error;
  }
}

/** Removes what commands left behind that were killed while they made data. */
async function removeAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const pid = Number(/^making-(\d+)-/.exec(name)?.[1]);
    if (!(pid > 0)) continue;
    try {
      process.kill(pid, 0);
    } catch {
      await rm(path.join(folder, name), { recursive: true, force: true });
    }
  }
}

interface Presence {
  readonly client: pg.Client;
  readonly url: string;
}

/** Connects and holds the lock of those who use the server, which is started when it does not run. */
async function enter(
  environment: NodeJS.ProcessEnv,
  folder: string,
  data: string,
  account: Account | undefined,
): Promise<Presence> {
  const deadline = Date.now() + startMs;
  const log = path.join(folder, 'server.log');
  let starting: Starting | undefined;
  let problem = '';
  for (let tries = 0; Date.now() < deadline;) {
    const running = runningServer(data);
    if (running === undefined && (starting === undefined || starting.exitCode !== undefined)) {
      // Another command may have started it a moment ago and made this one's end; a fault of its own shows each time.
      if (++tries > 3)
        throw new DatabaseError(`The embedded PostgreSQL does not start (${reasonIn(log)}): see ${log}.`);
      await removeStalePid(data);
      const programs = await findPrograms({ environment, packages: folder }, majorOf(data));
      const sockets = socketFolder(folder);
      await makeFolder(sockets, account);
      starting = startServer(programs, { data, sockets, log }, account, settings);
    }
    const place = runningServer(data);
    if (place !== undefined && place.sockets !== '') {
      const url = `postgres://${ownerRole}@/postgres?host=${encodeURIComponent(place.sockets)}&port=${place.port}`;
      const client = new pg.Client({ connectionString: url, application_name: 'kindred presence' });
      client.on('error', () => {});
      try {
        await client.connect();
        await client.query('SELECT pg_advisory_lock_shared($1, $2)', [lockSpace, presenceLock]);
        // The last one's lock goes with its connection, when the server is ending already: then it takes no further one.
        await checkAccepts(url);
        return { client, url };
      } catch (error) {
        // It starts, or whoever was the last ends it.
        problem = (error as Error).message;
        await client.end().catch(() => {});
      }
    }
    await delay(50);
  }
  throw new DatabaseError(
    `The embedded PostgreSQL did not answer in ${startMs / 1000} s (${problem || reasonIn(log)}): see ${log}.`,
  );
}

/** Throws unless the server takes a connection. */
async function checkAccepts(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  try {
    await client.connect();
  } finally {
    await client.end().catch(() => {});
  }
}

/** Whoever gets the lock alone is the last. */
async function leave(client: pg.Client, data: string): Promise<void> {
  try {
    await client.query('SELECT pg_advisory_unlock_shared($1, $2)', [lockSpace, presenceLock]);
    const { rows } = await client.query<{ alone: boolean }>('SELECT pg_try_advisory_lock($1, $2) AS alone', [
      lockSpace,
      presenceLock,
    ]);
    if (rows[0]?.alone === true) await stopServer(data);
  } catch {
    // The server is gone already.
  }
  await client.end().catch(() => {});
}

/** In the folder of the data, unless its path is too long for a socket. */
function socketFolder(folder: string): string {
  const beside = path.join(folder, 'socket');
  if (Buffer.byteLength(beside) <= longestFolder) return beside;
  const name = createHash('sha256').update(folder).digest('hex').slice(0, 16);
  return path.join(tmpdir(), `kindred-${name}`);
}

function majorOf(data: string): number {
  try {
    return Number(readFileSync(path.join(data, 'PG_VERSION'), 'utf8'));
  } catch {
    throw new DatabaseError(`${data} holds no data of PostgreSQL: remove it, and store the repositories again.`);
  }
}
