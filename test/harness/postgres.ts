/**
 * Real PostgreSQL servers for tests. Each has its own temporary folder with its socket. For root, they run as another
 * account. The caller must stop a server. Remaining servers end with the process.
 */
import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { root } from '../../scripts/project.mjs';
import { findPrograms } from '../../src/organisation/database/embedded/programs.ts';
import {
  accountForServer,
  initialize,
  makeFolder,
  ownerRole,
  reasonIn,
  runningServer,
  type Starting,
  startServer,
  stopServer,
} from '../../src/organisation/database/embedded/serverProcess.ts';

export interface TestServer {
  /** URL with the role that owns all objects. */
  readonly url: string;
  readonly data: string;
  /** Starts the server again after `stop` or `kill`, and waits until it accepts connections. */
  start(): Promise<void>;
  /** Shuts the server down. Its data is kept. */
  stop(): Promise<void>;
  /** Kills all its processes at once, like a power failure. */
  kill(): Promise<void>;
  /** Removes the index, for the next test. */
  clear(): Promise<void>;
  /** Runs statements in a separate connection, as the role that owns all objects. */
  run(statements: string): Promise<void>;
  /** Stops the server and removes its folder. */
  remove(): Promise<void>;
}

/** Location where scripts/setUp.mjs installs PostgreSQL if the machine has none. */
export const postgresPackages = path.join(root, '.vscode-test', 'postgres');

/** The data need not survive a crash, and waiting for the disk would make tests slow. */
const forTests = { listen_addresses: '', fsync: 'off', shared_buffers: '32MB', max_connections: '40' };

const folders = new Set<string>();
process.once('exit', () => {
  for (const folder of folders) {
    const running = runningServer(path.join(folder, 'data'));
    if (running !== undefined) process.kill(running.pid, 'SIGQUIT');
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
});

let template: Promise<string> | undefined;

/** Starts a separate server. */
export async function startPostgres(settings: Readonly<Record<string, string>> = {}): Promise<TestServer> {
  const programs = await findPrograms({ environment: process.env, packages: postgresPackages });
  const account = await accountForServer();
  template ??= makeTemplate();
  const folder = await temporaryFolder();
  const place = { data: path.join(folder, 'data'), sockets: folder, log: path.join(folder, 'log') };
  // Copies with the owner, because creating the data takes seconds each time.
  await promisify(execFile)('cp', ['-a', await template, place.data]);
  const url = `postgres://${ownerRole}@/postgres?host=${encodeURIComponent(folder)}&port=${settings['port'] ?? 5432}`;
  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    await stopServer(place.data, signal);
  };
  const server: TestServer = {
    url,
    data: place.data,
    start: async () => {
      const begin = (): Starting => startServer(programs, place, account, { ...forTests, port: '5432', ...settings });
      let starting = begin();
      while (!(await answers(url))) {
        await delay(30);
        if (starting.exitCode === undefined) continue;
        const reason = reasonIn(place.log);
        // The last process of a killed server may still be ending.
        if (!reason.includes('shared memory block')) throw new Error(`PostgreSQL does not start: ${reason}`);
        starting = begin();
      }
    },
    stop: () => stop('SIGINT'),
    kill: async () => {
      const pid = runningServer(place.data)?.pid;
      if (pid === undefined) return;
      const children = await promisify(execFile)('ps', ['-o', 'pid=', '--ppid', String(pid)]).catch(() => ({
        stdout: '',
      }));
      for (const one of [pid, ...children.stdout.trim().split(/\s+/).map(Number)]) killOne(one);
      while (runningServer(place.data) !== undefined) await delay(10);
    },
    clear: () => run(url, 'DROP SCHEMA IF EXISTS kindred CASCADE'),
    run: (statements) => run(url, statements),
    remove: async () => {
      await stop('SIGQUIT');
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
      folders.delete(folder);
    },
  };
  await server.start();
  return server;
}

/** Starts servers concurrently. */
export async function startServers(count: number): Promise<readonly TestServer[]> {
  return Promise.all(Array.from({ length: count }, () => startPostgres()));
}

function killOne(pid: number): void {
  try {
    if (pid > 0) process.kill(pid, 'SIGKILL');
  } catch {
    // The process ended with its parent.
  }
}

/** Creates a folder that the server's account can use. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'kindred-pg-'));
  folders.add(folder);
  await makeFolder(folder, await accountForServer());
  return folder;
}

async function makeTemplate(): Promise<string> {
  const programs = await findPrograms({ environment: process.env, packages: postgresPackages });
  const data = path.join(await temporaryFolder(), 'template');
  await initialize(programs, data, await accountForServer(), ['--no-sync']);
  return data;
}

async function run(url: string, statements: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statements);
  } finally {
    await client.end();
  }
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}
