/**
 * PostgreSQL server as a local process: creates its data, starts it, and stops it. It outlives the program that starts
 * it, has no network address, and its socket is accessible to its owner only.
 */
import { execFile, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { chown, mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { DatabaseError } from '../databaseError.ts';
import type { Programs } from './programs.ts';

const run = promisify(execFile);

/** Account that the server runs under. PostgreSQL refuses to run as root. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** Role that owns all tables. */
export const ownerRole = 'kindred';

/** Accounts used if the program runs as root: that of an installed PostgreSQL, or the unprivileged one. */
const accounts = ['postgres', 'nobody'];

/** Returns `undefined` if the program does not run as root; the server then uses the same account. */
export async function accountForServer(): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  for (const name of accounts) {
    try {
      const [uid, gid] = await Promise.all(['-u', '-g'].map((flag) => run('id', [flag, name])));
      return { uid: Number(uid!.stdout), gid: Number(gid!.stdout) };
    } catch {
      continue;
    }
  }
  throw new DatabaseError(
    'PostgreSQL does not run as root, and there is no account postgres or nobody: run Kindred as another user, or specify a server with --database.',
  );
}

/** Creates a folder that only the account can access. Parent folders get the default permissions. */
export async function makeFolder(folder: string, account: Account | undefined): Promise<void> {
  await mkdir(path.dirname(folder), { recursive: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (account !== undefined) await chown(folder, account.uid, account.gid);
}

/**
 * Creates the data of a new server.
 *
 * @param data  a folder that does not exist, inside one that belongs to the account
 * @param options  additional options of `initdb`
 */
export async function initialize(
  programs: Programs,
  data: string,
  account: Account | undefined,
  options: readonly string[] = [],
): Promise<void> {
  const common = ['--auth', 'trust', '--username', ownerRole, '--encoding', 'UTF8', '--no-locale'];
  try {
    // The working directory must be accessible to the account; root's home is not.
    await run(path.join(programs.folder, 'initdb'), ['--pgdata', data, ...common, ...options], {
      ...account,
      cwd: '/',
    });
  } catch (error) {
    const { stderr } = error as { stderr?: string };
    const lines = (stderr ?? '').split('\n').filter((line) => line.trim() !== '');
    const reason = lines.find((line) => /error|fatal/i.test(line)) ?? lines.at(-1) ?? String(error);
    throw new DatabaseError(
      `The embedded PostgreSQL cannot create its data in ${data} (${reason.trim()}): free some space or correct the permissions there, or set XDG_DATA_HOME to another folder.`,
    );
  }
}

export interface Starting {
  readonly pid: number;
  /** Set when the process exits. Another process may have been faster to start a server. */
  exitCode: number | undefined;
}

/**
 * Starts a server without waiting until it accepts connections.
 *
 * @param sockets   folder of its socket
 * @param settings  values for postgresql.conf, by name
 */
export function startServer(
  programs: Programs,
  { data, sockets, log }: { readonly data: string; readonly sockets: string; readonly log: string },
  account: Account | undefined,
  settings: Readonly<Record<string, string>>,
): Starting {
  const output = openSync(log, 'a', 0o600);
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const child = spawn(path.join(programs.folder, 'postgres'), ['-D', data, '-k', sockets, ...options], {
    // In its own session, the server does not receive Ctrl+C.
    detached: true,
    stdio: ['ignore', output, output],
    cwd: '/',
    ...account,
  });
  closeSync(output);
  const starting: Starting = { pid: child.pid ?? 0, exitCode: undefined };
  child.once('error', () => (starting.exitCode = -1));
  child.once('exit', (code) => (starting.exitCode = code ?? -1));
  child.unref();
  return starting;
}

/** Entries of the pid file of a running or killed server. */
export interface Running {
  readonly pid: number;
  readonly sockets: string;
  readonly port: number;
}

/** Reads the pid file of a data folder. Returns `undefined` if there is none or its process no longer runs. */
export function runningServer(data: string): Running | undefined {
  // PostgreSQL manual, "pg_ctl": process id, data folder, start time, port, socket folder.
  const [pid, , , port, sockets = ''] = pidFile(data);
  if (processWith(Number(pid)) !== 'server') return undefined;
  return { pid: Number(pid), port: Number(port), sockets: sockets.split(',')[0]!.trim() };
}

/**
 * Removes the pid file of a killed server if its process id now belongs to another program. PostgreSQL would mistake
 * that program for a running server. It detects all other cases itself.
 */
export async function removeStalePid(data: string): Promise<void> {
  const [pid] = pidFile(data);
  if (processWith(Number(pid)) === 'other') await rm(path.join(data, 'postmaster.pid'), { force: true });
}

function pidFile(data: string): readonly string[] {
  try {
    return readFileSync(path.join(data, 'postmaster.pid'), 'utf8').split('\n');
  } catch {
    return [];
  }
}

/** Returns the kind of process that has an id. Without /proc, any running process counts as a server. */
function processWith(pid: number): 'none' | 'server' | 'other' {
  if (!Number.isInteger(pid) || pid <= 0) return 'none';
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return 'none';
  }
  const command = `/proc/${pid}/comm`;
  return !existsSync(command) || /^(postgres|postmaster)/.test(readFileSync(command, 'utf8')) ? 'server' : 'other';
}

/** Stops a server immediately, rolls back its transactions, and waits until it has exited. */
export async function stopServer(data: string, signal: NodeJS.Signals = 'SIGINT'): Promise<void> {
  const running = runningServer(data);
  if (running === undefined) return;
  try {
    process.kill(running.pid, signal);
  } catch {
    return;
  }
  while (runningServer(data)?.pid === running.pid) await delay(20);
}

/** Returns the last line of a log that names an error. */
export function reasonIn(log: string): string {
  if (!existsSync(log)) return 'it wrote no log';
  const lines = readFileSync(log, 'utf8').trimEnd().split('\n').slice(-20);
  const reason = lines.reverse().find((line) => /FATAL|PANIC/.test(line)) ?? lines[0] ?? '';
  return reason.replace(/^.*?(FATAL|PANIC):\s*/, '');
}
