/**
 * A PostgreSQL server as a process of this machine: its data made, it started and ended. It outlives the program that starts
 * it, has no network address, and its socket is for its owner alone.
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

/** Whom the server runs as. PostgreSQL refuses to run as root. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** The role that owns everything. */
export const ownerRole = 'kindred';

/** Accounts that root may use: that of an installed PostgreSQL, or the one that owns nothing. */
const accounts = ['postgres', 'nobody'];

/** Undefined when the server runs as whoever runs this program, who is not root. */
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
    'PostgreSQL does not run as root, and there is no account postgres or nobody: run Kindred as another user, or name a server with --database.',
  );
}

/** Makes a folder that belongs to the account, and to nobody else. Those above it are made as folders usually are. */
export async function makeFolder(folder: string, account: Account | undefined): Promise<void> {
  await mkdir(path.dirname(folder), { recursive: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (account !== undefined) await chown(folder, account.uid, account.gid);
}

/**
 * Makes the data of a new server.
 *
 * @param data  a folder that is not there, in one that belongs to the account
 * @param options  further ones of `initdb`
 */
export async function initialize(
  programs: Programs,
  data: string,
  account: Account | undefined,
  options: readonly string[] = [],
): Promise<void> {
  const common = ['--auth', 'trust', '--username', ownerRole, '--encoding', 'UTF8', '--no-locale'];
  try {
    // A folder that the account cannot enter, such as root's, is no place to start from.
    await run(path.join(programs.folder, 'initdb'), ['--pgdata', data, ...common, ...options], {
      ...account,
      cwd: '/',
    });
  } catch (error) {
    const { stderr } = error as { stderr?: string };
    const lines = (stderr ?? '').split('\n').filter((line) => line.trim() !== '');
    const reason = lines.find((line) => /error|fatal/i.test(line)) ?? lines.at(-1) ?? String(error);
    throw new DatabaseError(
      `The embedded PostgreSQL cannot make its data in ${data} (${reason.trim()}): make room or correct the rights there, or set XDG_DATA_HOME to another folder.`,
    );
  }
}

/** A server that is being started. */
export interface Starting {
  readonly pid: number;
  /** What it ended with, when it did: no server may be there, or another one that was faster. */
  exitCode: number | undefined;
}

/**
 * Starts a server; it does not answer yet.
 *
 * @param sockets   folder of its socket
 * @param settings  of postgresql.conf, by name
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
    // Its own session: Ctrl+C at this program is not for it.
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

/** What a server that runs, or was killed, says of itself. */
export interface Running {
  readonly pid: number;
  /** Folder of its socket. */
  readonly sockets: string;
  readonly port: number;
}

/** What the server of some data says of itself; undefined when none does or the one that did is gone. */
export function runningServer(data: string): Running | undefined {
  // PostgreSQL's manual, "pg_ctl": the number of the process, the data, the start, the port, the folder of the socket.
  const [pid, , , port, sockets = ''] = pidFile(data);
  if (processWith(Number(pid)) !== 'server') return undefined;
  return { pid: Number(pid), port: Number(port), sockets: sockets.split(',')[0]!.trim() };
}

/**
 * Removes what a server left behind that was killed, when its number is now that of another program: PostgreSQL takes that
 * for a server that runs. It sees all other cases by itself.
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

/** What the process of a number is; without /proc, any that runs counts as a server. */
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

/** Ends a server at once, transactions undone, and waits until it is gone. */
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

/** Of the last lines of a log, the last that names an error. */
export function reasonIn(log: string): string {
  if (!existsSync(log)) return 'it wrote no log';
  const lines = readFileSync(log, 'utf8').trimEnd().split('\n').slice(-20);
  const reason = lines.reverse().find((line) => /FATAL|PANIC/.test(line)) ?? lines[0] ?? '';
  return reason.replace(/^.*?(FATAL|PANIC):\s*/, '');
}
