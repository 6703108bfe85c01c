/**
 * The folder of an index: its files, and how they change. Everything that readers see is a small JSON file that is
 * renamed into place. The data files that it refers to were written before, and never change.
 *
 *   kindred-index.json         version of the schema, and the method of the index
 *   repositories/NAME.json     current state of a repository
 *   documents/ID.parquet       the files of one state
 *   documents/ID.names         their paths by content, for look-ups
 *   contents/ID/               a partition: contents that one writer has added
 *   lists/ID.bin, ID.json      lists for look-ups, merged from those of small partitions
 *   weights.json, weights/ID   the current epoch
 *   writing/                   locks of writers and scans, data that are not complete yet, and steps of a scan
 */
import { randomUUID } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { ConfiguredRoot } from '../../scan/indexer/configuredPaths.ts';
import { IndexError } from './indexError.ts';
import { codeOf, damaged, explaining, readJson } from './folderFiles.ts';

export const folderSchema = 3;

/** Contents of kindred-index.json. */
interface Head {
  readonly format: 'kindred-index';
  readonly schema: number;
  /** Options and program version with which the index was built: see `Method`. */
  readonly method: unknown;
}

/** Rules for which files are compared and how. Same as `ConfiguredRoot`, without the path prefix. */
export type RepositoryRules = Omit<ConfiguredRoot, 'prefix'>;

export interface RepositoryState {
  readonly schema: number;
  readonly name: string;
  /** Incremented each time the repository is stored again. */
  readonly generation: number;
  readonly origin: string;
  readonly commit?: string | undefined;
  readonly rules: RepositoryRules;
  readonly files: number;
  readonly lines: number;
  readonly tokens: number;
  /** Time at which the state was stored, in ISO 8601 format. */
  readonly storedAt: string;
  /**
   * Name, without extension, of two files: the table of documents (.parquet), and the document paths sorted by content
   * (.names).
   */
  readonly documents: string;
  /** Size of the .names file in bytes. */
  readonly nameBytes: number;
  readonly partitions: readonly StatePartition[];
}

/** A state that was read, with the version of its file. */
interface KnownState {
  readonly version: string;
  readonly state: RepositoryState;
}

/** A partition that a repository's state uses, with its section of the .names file. */
export interface StatePartition {
  readonly id: string;
  /** Number of documents of the repository whose text is in the partition. */
  readonly documents: number;
  readonly position: number;
}

const folders = ['repositories', 'documents', 'contents', 'lists', 'weights', 'writing'] as const;

/** Maximum time that a writer waits while another process removes unused data. The removal takes milliseconds. */
const sweepMs = 30_000;
/** Age after which the token weights of earlier epochs are deleted. */
const keptWeightsMs = 3_600_000;

export class IndexFolder {
  readonly folder: string;
  readonly #head: string;
  readonly #weights: string;
  readonly #sweepLock: string;
  /** Folder for results of comparisons that have not ended. */
  readonly stepsFolder: string;
  /** Lock files of the calls of `changing` that have not ended. */
  readonly #changes = new Set<string>();
  /** By file. A state is valid as long as the file has the version. */
  #statesByFile = new Map<string, KnownState>();

  constructor(folder: string) {
    this.folder = folder;
    this.#head = path.join(folder, 'kindred-index.json');
    this.#weights = path.join(folder, 'weights.json');
    this.#sweepLock = path.join(folder, 'sweep.lock');
    this.stepsFolder = path.join(folder, 'writing');
  }

  /** Returns the path of a file of the index, or of a file in a folder of it. */
  file(folder: (typeof folders)[number], ...names: readonly string[]): string {
    return path.join(this.folder, folder, ...names);
  }

  /** @throws IndexError if the folder has no index that this version can read and, for `write`, none can be created */
  check(access: 'read' | 'write'): void {
    if (this.#readHead() !== undefined) return;
    const entries = existsSync(this.folder) ? explaining(this.folder, () => readdirSync(this.folder)) : [];
    if (!entries.every((name) => folders.some((folder) => folder === name))) {
      throw new IndexError(
        `${this.folder} has other files and no index of Kindred: name a new or empty folder in --index.`,
      );
    }
    if (access === 'read') {
      throw new IndexError(`There is no index in ${this.folder}: store a repository with kindred org add first.`);
    }
    const parent = path.dirname(this.folder);
    if (!existsSync(parent)) {
      throw new IndexError(`There is no folder ${parent} for the index: create it, or correct --index.`);
    }
  }

  #readHead(): Head | undefined {
    const head = readJson<Partial<Head>>(this.#head);
    if (head === undefined) return undefined;
    if (head.format !== 'kindred-index' || typeof head.schema !== 'number') {
      throw new IndexError(`${this.#head} is not that of an index of Kindred: name another folder in --index.`);
    }
    if (head.schema !== folderSchema) {
      const remedy =
        head.schema > folderSchema
          ? `knows versions up to ${folderSchema}: install a newer Kindred.`
          : `reads version ${folderSchema}: delete the folder and add the repositories again.`;
      throw new IndexError(`The index in ${this.folder} has version ${head.schema}, and this Kindred ${remedy}`);
    }
    return head as Head;
  }

  /** Returns the stored method; `undefined` if the index does not exist yet. */
  method<Method>(): Method | undefined {
    return this.#readHead()?.method as Method | undefined;
  }

  /** Creates the index with a method. Does nothing if another process created the index first. */
  create(method: unknown): void {
    explaining(this.folder, () => {
      for (const name of folders) mkdirSync(this.file(name), { recursive: true });
    });
    if (this.#readHead() === undefined) this.#writeNew(this.#head, headWith(method));
  }

  /** Replaces the method. Precondition: the index has no repositories. */
  replaceMethod(method: unknown): void {
    this.replace(this.#head, headWith(method));
  }

  /**
   * Returns the current states of all repositories, sorted by name. Reads only files that were replaced since the last
   * call, because there may be thousands.
   */
  repositories(): RepositoryState[] {
    const folder = this.file('repositories');
    if (!existsSync(folder)) {
      this.check('read');
      throw damaged(folder);
    }
    const files = explaining(folder, () => readdirSync(folder)).filter((name) => name.endsWith('.json'));
    const read = new Map<string, KnownState>();
    for (const file of files.map((name) => path.join(folder, name))) {
      const version = versionOf(file);
      const knownState = this.#statesByFile.get(file);
      const state = knownState?.version === version ? knownState?.state : this.#stateIn(file);
      // Another process may have removed the repository since the directory was read. If the file is replaced between
      // the two calls, its version differs the next time.
      if (state && version !== undefined) read.set(file, { version, state });
    }
    this.#statesByFile = read;
    return Array.from(read.values(), ({ state }) => state).sort((x, y) => (x.name < y.name ? -1 : 1));
  }

  /** Returns the current state of a repository; `undefined` if the index does not contain it. */
  repository(name: string): RepositoryState | undefined {
    return this.#stateIn(this.#stateFile(name));
  }

  #stateFile(name: string): string {
    return this.file('repositories', `${fileNameOf(name)}.json`);
  }

  #stateIn(file: string): RepositoryState | undefined {
    return readJson<RepositoryState>(
      file,
      ({ name, documents, partitions }) =>
        typeof name === 'string' && typeof documents === 'string' && Array.isArray(partitions),
    );
  }

  /** Makes a state the current one, atomically: readers see either the previous state or the new one. */
  replaceRepository(state: RepositoryState): void {
    this.replace(this.#stateFile(state.name), state);
  }

  dropRepository(name: string): void {
    const file = this.#stateFile(name);
    explaining(file, () => rmSync(file, { force: true }));
  }

  /** Returns the names of the files of merged lists. An index of an earlier version has none. */
  listsFiles(): string[] {
    const folder = this.file('lists');
    return existsSync(folder) ? explaining(folder, () => readdirSync(folder)) : [];
  }

  /** Calls `work` unless another process merges lists. Precondition: the caller is in a call of `changing`. */
  merging(work: () => void): void {
    this.#locked(this.file('writing', '+merge.lock'), work);
  }

  /** Returns the current epoch; `undefined` if no token weights were measured yet. */
  epoch(): Epoch | undefined {
    return readJson<Epoch>(this.#weights);
  }

  /** Returns the token weights of an epoch, compressed with Deflate. */
  weights({ id }: Epoch): Buffer {
    const file = this.file('weights', id);
    return explaining(file, () => readFileSync(file));
  }

  /** Starts a new epoch, unless the current one has the same weights and token count. Returns the current epoch. */
  beginEpoch({ tokens }: Omit<Epoch, 'id'>, deflated: Uint8Array): Epoch {
    const current = this.#currentWith(tokens, deflated);
    if (current) return current;
    const epoch = { id: randomUUID(), tokens };
    const weights = this.file('weights', epoch.id);
    explaining(weights, () => writeFileSync(weights, deflated));
    this.replace(this.#weights, epoch);
    // Delete only old weights. A reader may still need the previous weights, and another process may be about to start
    // an epoch with new ones.
    for (const name of readdirSync(this.file('weights'))) {
      const file = this.file('weights', name);
      const ageMs = Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
      if (file !== weights && ageMs > keptWeightsMs) rmSync(file, { force: true });
    }
    return epoch;
  }

  #currentWith(tokens: number, deflated: Uint8Array): Epoch | undefined {
    try {
      const current = this.epoch();
      return current?.tokens === tokens && this.weights(current).equals(deflated) ? current : undefined;
    } catch {
      // If the current epoch cannot be read, replace it.
      return undefined;
    }
  }

  /** Creates a file atomically, together with its contents. Returns false if the file already exists. */
  #writeNew(file: string, value: object): boolean {
    try {
      this.#write(file, value, linkSync);
      return true;
    } catch (error) {
      if (codeOf(error) === 'EEXIST') return false;
      throw error;
    }
  }

  /** Replaces or creates a file atomically. */
  replace(file: string, value: object): void {
    this.#write(file, value, renameSync);
  }

  /** Writes a file, and calls `place` to make it visible under its name. */
  #write(file: string, value: object, place: (draft: string, file: string) => void): void {
    const draft = this.file('writing', `${randomUUID()}.draft`);
    explaining(file, () => {
      try {
        writeFileSync(draft, JSON.stringify(value, undefined, 2));
        place(draft, file);
      } finally {
        rmSync(draft, { force: true });
      }
    });
  }

  /**
   * Calls `work` while no process removes data, so whatever it reads stays valid, although others replace states. Then
   * removes data that no state refers to, unless there are other calls, or `work` has failed.
   */
  async changing<Result>(work: () => Promise<Result>): Promise<Result> {
    // Names of repositories are encoded, so they have no "+".
    const lock = `+${randomUUID()}.lock`;
    const file = this.file('writing', lock);
    this.#writeNew(file, this.#holder());
    this.#changes.add(file);
    try {
      await this.#afterSweep();
      const result = await work();
      this.#sweep(lock);
      return result;
    } finally {
      this.#changes.delete(file);
      rmSync(file, { force: true });
    }
  }

  /**
   * Calls `work` like `changing`, with a folder for its results. If `work` is canceled or killed, the next call finds
   * them there, unless the index cannot be written.
   */
  async scanning<Result>(work: (stepsFolder: string) => Promise<Result>): Promise<Result> {
    if (this.#isWritable()) return this.changing(() => work(this.stepsFolder));
    const temporary = mkdtempSync(path.join(tmpdir(), 'kindred-steps-'));
    try {
      return await work(temporary);
    } finally {
      rmSync(temporary, { recursive: true, force: true });
    }
  }

  #isWritable(): boolean {
    try {
      for (const folder of [this.folder, this.stepsFolder]) accessSync(folder, constants.W_OK);
      return true;
    } catch {
      return false;
    }
  }

  /**
   * Calls `work` while no other process may write to the repository. Passes it an empty folder for incomplete data.
   * Precondition: the caller is in a call of `changing`.
   *
   * @throws IndexError if another process is writing to the repository
   */
  async writing<Result>(name: string, work: (scratch: string) => Promise<Result>): Promise<Result> {
    const lock = this.file('writing', `${fileNameOf(name)}.lock`);
    const holder = this.#lock(lock);
    if (holder) {
      throw new IndexError(
        `${name} is being written by process ${holder.process} on ${holder.host} since ${holder.since}: repeat the command when it has ended, or delete ${[lock, ...(holder.locks ?? [])].join(' and ')} if there is no such process.`,
      );
    }
    const scratch = this.file('writing', `${fileNameOf(name)}.new`);
    try {
      // An interrupted writer may have left this folder behind.
      explaining(scratch, () => {
        rmSync(scratch, { recursive: true, force: true });
        mkdirSync(scratch);
      });
      return await work(scratch);
    } finally {
      rmSync(scratch, { recursive: true, force: true });
      rmSync(lock, { force: true });
    }
  }

  /** Calls `work` with a lock, unless another process has it. */
  #locked(lock: string, work: () => void): void {
    if (this.#lock(lock)) return;
    try {
      work();
    } finally {
      rmSync(lock, { force: true });
    }
  }

  /**
   * Acquires a lock file, or returns the process that has it. Takes over the lock of a process that ran on this machine
   * and has ended.
   */
  #lock(file: string): Holder | undefined {
    while (!this.#writeNew(file, this.#holder())) {
      const holder = readJson<Holder>(file);
      if (holder === undefined) continue;
      if (!hasEnded(holder)) return holder;
      const aside = `${file}.${randomUUID()}`;
      try {
        renameSync(file, aside);
      } catch {
        continue;
      }
      // Another process may have acquired the lock after `holder` was read. If so, restore its lock file.
      if (isHeld(aside)) linkSync(aside, file);
      unlinkSync(aside);
    }
    return undefined;
  }

  async #afterSweep(): Promise<void> {
    for (const started = performance.now(); performance.now() - started < sweepMs;) {
      if (!isHeld(this.#sweepLock)) return;
      await setTimeout(20);
    }
  }

  #holder(): Holder {
    return { process: process.pid, host: hostname(), since: new Date().toISOString(), locks: [...this.#changes] };
  }

  /**
   * Deletes data that no repository state refers to.
   *
   * Does nothing while another process writes, because that process may be about to refer to the data. A writer creates
   * its lock before it reads the states, and then waits until no sweep is running.
   *
   * @param own  name of the caller's lock
   */
  #sweep(own: string): void {
    this.#locked(this.#sweepLock, () => {
      const others = readdirSync(this.file('writing')).filter((name) => name.endsWith('.lock') && name !== own);
      if (others.some((name) => isHeld(this.file('writing', name)))) return;
      const states = this.repositories();
      const documents = new Set(states.flatMap((state) => [`${state.documents}.parquet`, `${state.documents}.names`]));
      this.#removeOthers('documents', documents);
      this.#removeOthers('contents', partitionsOf(states));
      this.#removeOthers('writing', new Set([own]));
    });
  }

  #removeOthers(folder: 'documents' | 'contents' | 'writing', kept: ReadonlySet<string>): void {
    for (const name of readdirSync(this.file(folder))) {
      if (!kept.has(name)) rmSync(this.file(folder, name), { recursive: true, force: true });
    }
  }
}

export function partitionsOf(states: readonly RepositoryState[]): Set<string> {
  return new Set(states.flatMap(({ partitions }) => partitions.map(({ id }) => id)));
}

/** A period during which the index uses the same token weights. See `epoch.ts` in `repositories`. */
export interface Epoch {
  readonly id: string;
  /** Number of tokens in all repositories when the weights were measured. */
  readonly tokens: number;
}

/** Contents of a lock file: the process that holds the lock. */
interface Holder {
  readonly process: number;
  readonly host: string;
  readonly since: string;
  /** Paths of the process's other locks. */
  readonly locks?: readonly string[];
}

/** Returns true if a process that may be running has the lock. */
function isHeld(lock: string): boolean {
  const holder = readJson<Holder>(lock);
  return holder !== undefined && !hasEnded(holder);
}

/** Returns true if the process ran on this machine, and has ended. */
export function hasEnded({ process: id, host }: Pick<Holder, 'process' | 'host'>): boolean {
  if (host !== hostname()) return false;
  try {
    process.kill(id, 0);
    return false;
  } catch (error) {
    // Other error codes, such as EPERM for another user's process, mean that the process exists.
    return codeOf(error) === 'ESRCH';
  }
}

function headWith(method: unknown): Head {
  return { format: 'kindred-index', schema: folderSchema, method };
}

/** Returns a file name for a repository. Repository names may contain characters that file names must not. */
function fileNameOf(name: string): string {
  return encodeURIComponent(name);
}

/** Returns a text that differs after a file was replaced; `undefined` if the file does not exist. */
function versionOf(file: string): string | undefined {
  const found = explaining(file, () => statSync(file, { bigint: true, throwIfNoEntry: false }));
  return found && [found.ino, found.size, found.mtimeNs, found.ctimeNs].join(' ');
}
