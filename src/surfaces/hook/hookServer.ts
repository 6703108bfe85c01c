/**
 * Answers the hooks of agents inside a server that runs anyway, through a Unix socket or a named pipe. Its address is in
 * the user's cache folder, which other users cannot write to, and is random, so that nobody can take it first.
 */
import { chmodSync, mkdirSync, rmSync, statSync, writeSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beginTemporary } from '../../scan/io/temporaryFile.ts';
import { answerHook, type Indexes, renewIndex } from './answerHook.ts';
import type { AgentEvent } from './hookEvent.ts';
import { addressOf, hookCache, readAddress, rootOf } from './hookFiles.ts';
import { loadUnits, type UnitIndex } from './unitIndex.ts';

/** Longer messages are not answered. An agent writes a file of 10 MB rarely, and no functions into it. */
const maxMessageChars = 10 * 2 ** 20;
/** Pause after a write before the index is renewed, and minimum time between two renewals. */
const quietMs = 5_000;
const renewalMs = 30_000;

export interface HookServer {
  readonly dispose: () => void;
}

/**
 * Serves the hooks of the trees of some folders. If another server already serves one of them, waits until that one
 * ends. Failures are silent: the hooks then answer by themselves.
 */
export function serveHooks(folders: readonly string[], env: NodeJS.ProcessEnv): HookServer {
  const indexes = new KeptIndexes();
  const answer = (event: AgentEvent): Promise<string> => answerHook(event, env, indexes);
  const served = [...new Set(folders.map(rootOf))].map((root) => new TreeServer(root, env, answer));
  for (const one of served) one.start();
  return {
    dispose: () => {
      for (const one of served) one.dispose();
      indexes.dispose();
    },
  };
}

/** Listens for the hooks of one tree. */
class TreeServer {
  /** File with the address. */
  readonly #place: string;
  readonly #env: NodeJS.ProcessEnv;
  readonly #answer: (event: AgentEvent) => Promise<string>;
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;
  #address: string | undefined;
  #isDisposed = false;

  constructor(root: string, env: NodeJS.ProcessEnv, answer: (event: AgentEvent) => Promise<string>) {
    this.#place = addressOf(hookCache(env), root);
    this.#env = env;
    this.#answer = answer;
  }

  /** Listens, or stays connected to the server that does, and takes over when it ends. */
  start(): void {
    const known = readAddress(this.#place);
    if (known === undefined) {
      this.#listen();
      return;
    }
    let isAlive = false;
    const other = connect(known, () => void (isAlive = true)).unref();
    this.#keep(other);
    other
      .on('error', () => undefined)
      .on('close', () => {
        if (this.#isDisposed) return;
        if (isAlive) {
          this.start();
          return;
        }
        // A killed server leaves its socket.
        rmSync(known, { force: true });
        this.#listen();
      });
  }

  dispose(): void {
    this.#isDisposed = true;
    // A later server may have replaced the address.
    if (this.#address !== undefined && readAddress(this.#place) === this.#address) rmSync(this.#place, { force: true });
    this.#server?.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #listen(): void {
    const address = newAddress(this.#env);
    const server = createServer({ allowHalfOpen: true }, (socket) => this.#serve(socket));
    server.on('error', () => undefined);
    server.listen(address, () => {
      if (this.#isDisposed) return;
      try {
        if (process.platform !== 'win32') chmodSync(address, 0o600);
        writeAddress(this.#place, address);
        this.#address = address;
      } catch {
        server.close();
      }
    });
    this.#server = server.unref();
  }

  #serve(socket: Socket): void {
    this.#keep(socket);
    let message = '';
    socket
      .setEncoding('utf8')
      .on('data', (part: string) => {
        message += part;
        if (message.length > maxMessageChars) socket.destroy();
      })
      .on('error', () => undefined)
      .on('end', () => void this.#reply(socket, message));
  }

  async #reply(socket: Socket, message: string): Promise<void> {
    try {
      socket.end(await this.#answer(JSON.parse(message) as AgentEvent));
    } catch {
      // Includes messages of other programs.
      socket.end();
    }
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('close', () => this.#sockets.delete(socket));
  }
}

/** Replaces the address at once, because hooks read it at any time. */
function writeAddress(place: string, address: string): void {
  mkdirSync(path.dirname(place), { recursive: true });
  const file = beginTemporary(place);
  try {
    writeSync(file.descriptor, address);
    file.commit();
  } finally {
    file.discard();
  }
}

/** Returns an unused address: in the user's runtime folder, where paths are short enough for sockets. */
function newAddress({ XDG_RUNTIME_DIR: runtime }: NodeJS.ProcessEnv): string {
  const name = `kindred-${crypto.randomUUID()}`;
  if (process.platform === 'win32') return `\\\\.\\pipe\\${name}`;
  return path.join(runtime && path.isAbsolute(runtime) ? runtime : tmpdir(), `${name}.sock`);
}

/** Keeps the last index in memory, and renews it a while after writes. */
class KeptIndexes implements Indexes {
  #kept: { readonly place: string; readonly mtimeMs: number; readonly units: UnitIndex | undefined } | undefined;
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #renewedAt = new Map<string, number>();

  readonly withUnits: Indexes['withUnits'] = (place, use) => {
    const mtimeMs = statSync(place, { throwIfNoEntry: false })?.mtimeMs;
    if (mtimeMs === undefined) return use(undefined);
    if (this.#kept?.place !== place || this.#kept.mtimeMs !== mtimeMs) {
      this.#kept = { place, mtimeMs, units: loadUnits(place) };
    }
    return use(this.#kept.units);
  };

  readonly renew: Indexes['renew'] = (root, when) => {
    if (when === 'now') return this.#renew(root);
    const nextMs = (this.#renewedAt.get(root) ?? 0) + renewalMs - Date.now();
    clearTimeout(this.#timers.get(root));
    this.#timers.set(root, setTimeout(() => void this.#renew(root), Math.max(quietMs, nextMs)).unref());
    return Promise.resolve();
  };

  dispose(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
  }

  #renew(root: string): Promise<void> {
    clearTimeout(this.#timers.get(root));
    this.#renewedAt.set(root, Date.now());
    return renewIndex(root);
  }
}
