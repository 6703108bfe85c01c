/**
 * Answers agents' hooks from within a server that runs anyway. Hooks connect to it through a Unix socket or named pipe.
 * The address is random, so that no other program can claim it first. It is stored in the user's cache folder, to which
 * other users cannot write.
 */
import { chmodSync, mkdirSync, rmSync, statSync, writeSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Lexicon } from '../../core/engine/languages/lexicalRules.ts';
import { beginTemporary } from '../../scan/io/temporaryFile.ts';
import { answerHook, type Indexes, renewIndex } from './answerHook.ts';
import { type FoundFunction, functionLike } from './existingFunction.ts';
import type { AgentEvent } from './hookEvent.ts';
import { rootOf } from '../../scan/io/worktrees.ts';
import { addressOf, hookCache, readAddress, unitsOf } from './hookFiles.ts';
import { loadUnits, type UnitIndex } from './unitIndex.ts';

/** Longer messages are not answered. Agents rarely write files of 10 MB, which have no handwritten functions. */
const maxMessageChars = 10 * 2 ** 20;
/** Milliseconds between a write and the renewal of the index; `renewalMs` is the minimum between two renewals. */
const quietMs = 5_000;
const renewalMs = 30_000;

export interface SimilarFunction {
  readonly file: string;
  readonly found: FoundFunction;
}

export interface HookServer {
  /**
   * Returns the function in a folder's tree that is most similar to a text, and the absolute path of its file. Returns
   * `undefined` if there is none, or if there is no index because agents have no hook.
   */
  readonly functionLike: (folder: string, text: string, lexicon: Lexicon) => SimilarFunction | undefined;
  readonly dispose: () => void;
}

/**
 * Serves the hooks of the trees that contain the given folders. If another server already serves a tree, waits for that
 * server to end. Failures are not reported, because hooks can also answer without a server.
 */
export function serveHooks(folders: readonly string[], env: NodeJS.ProcessEnv): HookServer {
  const indexes = new KeptIndexes();
  const answer = (event: AgentEvent): Promise<string> => answerHook(event, env, indexes);
  const served = [...new Set(folders.map(rootOf))].map((root) => new TreeServer(root, env, answer));
  for (const one of served) one.start();
  return {
    functionLike: (folder, text, lexicon) => {
      const root = rootOf(folder);
      const place = unitsOf(hookCache(env), root);
      const found = indexes.withUnits(place, (units) => units && functionLike(text, { root, lexicon, units }));
      return found && { found, file: path.join(root, found.existing.path) };
    },
    dispose: () => {
      for (const one of served) one.dispose();
      indexes.dispose();
    },
  };
}

class TreeServer {
  /** Path of the file with the server's address. */
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

  /** Listens for hooks. If another server already does, stays connected to it and takes over when it ends. */
  start(): void {
    const storedAddress = readAddress(this.#place);
    if (storedAddress === undefined) {
      this.#listen();
      return;
    }
    let isAlive = false;
    const other = connect(storedAddress, () => void (isAlive = true)).unref();
    this.#keep(other);
    other
      .on('error', () => undefined)
      .on('close', () => {
        if (this.#isDisposed) return;
        if (isAlive) {
          this.start();
          return;
        }
        // A server that was killed leaves its socket behind.
        rmSync(storedAddress, { force: true });
        this.#listen();
      });
  }

  dispose(): void {
    this.#isDisposed = true;
    // Do not delete the address of a server that started later.
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
      // Also rejects messages from other programs.
      socket.end();
    }
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('close', () => this.#sockets.delete(socket));
  }
}

/** Writes the address atomically, because hooks may read it at any time. */
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

/** Returns an unused address. Prefers the user's runtime folder, because socket paths must be short. */
function newAddress({ XDG_RUNTIME_DIR: runtime }: NodeJS.ProcessEnv): string {
  const name = `kindred-${crypto.randomUUID()}`;
  if (process.platform === 'win32') return `\\\\.\\pipe\\${name}`;
  return path.join(runtime && path.isAbsolute(runtime) ? runtime : tmpdir(), `${name}.sock`);
}

/** Keeps the most recently used index in memory. Renews it a while after the agent has written to files. */
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

  /** The hook, which has a time limit of its own, does not wait any longer. */
  readonly inTime: Indexes['inTime'] = (search) => search();

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
