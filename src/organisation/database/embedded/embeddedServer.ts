/**
 * PostgreSQL server for a single user. The first command that needs it starts it, concurrent commands share it, and the
 * last one stops it. The data are in the user's data folder.
 *
 * Each command holds a shared lock of the server while it runs. A command that leaves and gets the lock exclusively is
 * the last, and stops the server. A command that arrives meanwhile waits for the lock, loses the connection, and
 * restarts the server. A killed command leaves the server running; the next command stops it.
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

/** Lock shared by all commands that use the server. */
const presenceLock = 9;
/** Time limit for the start. Crash recovery reads up to max_wal_size. */
const startMs = 120_000;
/** Time between two tries to start it. */
const retryMs = 200;
/** A socket path has at most 103 bytes on macOS, including the name of the socket. */
const longestFolder = 85;

/** Tuned for an index of some million lines on a machine with other work. The data survive a crash. */
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
  close(): Promise<void>;
}

/** Returns the absolute path of the data folder, which may not exist yet. */
export function embeddedFolder(environment: NodeJS.ProcessEnv): string {
  const { XDG_DATA_HOME: xdg, LOCALAPPDATA: local } = environment;
  if (xdg && path.isAbsolute(xdg)) return path.join(xdg, 'kindred', 'postgres');
  if (process.platform === 'win32' && local) return path.join(local, 'kindred', 'postgres');
  // As root, the server runs under another account, which may not enter root's home.
  if (process.getuid?.() === 0) return '/var/lib/kindred/postgres';
  if (process.platform === 'darwin')
    return path.join(homedir(), 'Library', 'Application Support', 'kindred', 'postgres');
  return path.join(homedir(), '.local', 'share', 'kindred', 'postgres');
}

/**
 * Starts the server of a folder, or connects to the running one.
 *
 * @throws DatabaseError if PostgreSQL is not installed or does not start
 */
export async function openEmbeddedServer(
  environment: NodeJS.ProcessEnv,
  folder = embeddedFolder(environment),
): Promise<EmbeddedServer> {
  if (process.platform === 'win32') {
    throw new DatabaseError('The embedded PostgreSQL is not available on Windows: specify a server with --database.');
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

/** Creates the data if there are none. If several commands do so at once, the first one wins. */
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
      `The folder of the embedded PostgreSQL cannot be created (${message}): set XDG_DATA_HOME to another folder.`,
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

/** Removes incomplete data of killed commands. */
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

/** Connects and acquires the presence lock. Starts the server if it is not running. */
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
      // Another command may have won the race to start it, or processes of a killed server may still be ending. A real
      // fault repeats with each attempt.
      if (++tries > 3)
        throw new DatabaseError(`The embedded PostgreSQL does not start (${reasonIn(log)}): see ${log}.`);
      if (tries > 1) await delay(retryMs);
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
        // If the last command is stopping the server, the lock was freed by that, and the server rejects new
        // connections.
        await checkAccepts(url);
        return { client, url };
      } catch (error) {
        // The server is starting or stopping.
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

async function checkAccepts(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  try {
    await client.connect();
  } finally {
    await client.end().catch(() => {});
  }
}

/** Stops the server if the lock can be acquired exclusively, which means that no other command uses it. */
async function leave(client: pg.Client, data: string): Promise<void> {
  try {
    await client.query('SELECT pg_advisory_unlock_shared($1, $2)', [lockSpace, presenceLock]);
    const { rows } = await client.query<{ alone: boolean }>('SELECT pg_try_advisory_lock($1, $2) AS alone', [
      lockSpace,
      presenceLock,
    ]);
    if (rows[0]?.alone === true) await stopServer(data);
  } catch {
    // The server has already stopped.
  }
  await client.end().catch(() => {});
}

/** Returns the data folder, or a temporary folder if its path is too long for a socket. */
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
    throw new DatabaseError(`${data} contains no PostgreSQL data: remove it, and store the repositories again.`);
  }
}
