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

/** Version of the index's file format. */
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
  /** Partitions that contain the texts of this repository's documents. */
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

const [headFile, weightsFile, sweepLock] = ['kindred-index.json', 'weights.json', 'sweep.lock'];
const folders = ['repositories', 'documents', 'contents', 'lists', 'weights', 'writing'];
/** Lock of the process that merges lists, in `writing`. */
const mergeLock = '+merge.lock';

/** Maximum time that a writer waits while another process removes unused data. The removal takes milliseconds. */
const sweepMs = 30_000;
/** Age after which the token weights of earlier epochs are deleted. */
const keptWeightsMs = 3_600_000;

export class IndexFolder {
  readonly folder: string;
  /** Lock files of the calls of `changing` that have not ended. */
  readonly #changes = new Set<string>();
  /** By file. A state is valid as long as the file has the version. */
  #statesByFile = new Map<string, KnownState>();

  constructor(folder: string) {
    this.folder = folder;
  }

  /** @throws IndexError if the folder has no index that this version can read and, for `write`, none can be created */
  check(access: 'read' | 'write'): void {
    if (this.#head() !== undefined) return;
    if (existsSync(this.folder)) this.#refuseForeign();
    if (access === 'read') {
      throw new IndexError(`There is no index in ${this.folder}: store a repository with kindred org add first.`);
    }
    const parent = path.dirname(this.folder);
    if (!existsSync(parent)) {
      throw new IndexError(`There is no folder ${parent} for the index: create it, or correct --index.`);
    }
  }

  /** Creates the folders of a new index. The index exists once `beginMethod` has been called. */
  create(): void {
    explaining(this.folder, () => {
      for (const name of folders) mkdirSync(path.join(this.folder, name), { recursive: true });
    });
  }

  #refuseForeign(): void {
    const entries = explaining(this.folder, () => readdirSync(this.folder));
    if (entries.every((name) => folders.includes(name))) return;
    throw new IndexError(
      `${this.folder} has other files and no index of Kindred: name a new or empty folder in --index.`,
    );
  }

  #head(): Head | undefined {
    const file = path.join(this.folder, headFile);
    const head = readJson<Partial<Head>>(file);
    if (head === undefined) return undefined;
    if (head.format !== 'kindred-index' || typeof head.schema !== 'number') {
      throw new IndexError(`${file} is not that of an index of Kindred: name another folder in --index.`);
    }
    if (head.schema > folderSchema) {
      throw new IndexError(
        `The index in ${this.folder} has version ${head.schema}, and this Kindred knows versions up to ${folderSchema}: install a newer Kindred.`,
      );
    }
    if (head.schema < folderSchema) {
      throw new IndexError(
        `The index in ${this.folder} has version ${head.schema}, and this Kindred reads version ${folderSchema}: delete the folder and add the repositories again.`,
      );
    }
    return head as Head;
  }

  /** Returns the stored method; `undefined` if the index does not exist yet. */
  method<Method>(): Method | undefined {
    return this.#head()?.method as Method | undefined;
  }

  /** Creates the index with a method. Does nothing if another process created the index first. */
  beginMethod(method: unknown): void {
    const head: Head = { format: 'kindred-index', schema: folderSchema, method };
    this.#writeNew(path.join(this.folder, headFile), JSON.stringify(head));
  }

  /** Replaces the method. Precondition: the index has no repositories. */
  replaceMethod(method: unknown): void {
    const head: Head = { format: 'kindred-index', schema: folderSchema, method };
    this.#replace(headFile, head);
  }

  /**
   * Returns the current states of all repositories, sorted by name. Reads only files that were replaced since the last
   * call, because there may be thousands.
   */
  repositories(): RepositoryState[] {
    const folder = path.join(this.folder, 'repositories');
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
    return this.#stateIn(path.join(this.folder, 'repositories', `${fileNameOf(name)}.json`));
  }

  /** Returns the state in a file; `undefined` if the file does not exist. */
  #stateIn(file: string): RepositoryState | undefined {
    return readJson<RepositoryState>(
      file,
      ({ name, documents, partitions }) =>
        typeof name === 'string' && typeof documents === 'string' && Array.isArray(partitions),
    );
  }

  /** Makes a state the current one, atomically: readers see either the previous state or the new one. */
  replaceRepository(state: RepositoryState): void {
    this.#replace(path.join('repositories', `${fileNameOf(state.name)}.json`), state);
  }

  dropRepository(name: string): void {
    const file = path.join(this.folder, 'repositories', `${fileNameOf(name)}.json`);
    explaining(file, () => rmSync(file, { force: true }));
  }

  documentsFile(id: string): string {
    return path.join(this.folder, 'documents', `${id}.parquet`);
  }

  namesFile(id: string): string {
    return path.join(this.folder, 'documents', `${id}.names`);
  }

  partitionFolder(id: string): string {
    return path.join(this.folder, 'contents', id);
  }

  contentsFile(partition: string): string {
    return path.join(this.partitionFolder(partition), 'contents.parquet');
  }

  listsFile(name: string): string {
    return path.join(this.folder, 'lists', name);
  }

  /** Returns the names of the files of merged lists. An index of an earlier version has none. */
  listsFiles(): string[] {
    const folder = path.join(this.folder, 'lists');
    return existsSync(folder) ? explaining(folder, () => readdirSync(folder)) : [];
  }

  /** Makes the description of merged lists visible to readers. */
  beginLists(name: string, description: object): void {
    this.#replace(path.join('lists', name), description);
  }

  /** Calls `work` unless another process merges lists. Precondition: the caller is in a call of `changing`. */
  merging(work: () => void): void {
    this.#locked(path.join(this.folder, 'writing', mergeLock), work);
  }

  /** Returns the current epoch; `undefined` if no token weights were measured yet. */
  epoch(): Epoch | undefined {
    return readJson<Epoch>(path.join(this.folder, weightsFile));
  }

  /** Returns the token weights of an epoch, compressed with Deflate. */
  weights({ id }: Epoch): Buffer {
    const file = path.join(this.folder, 'weights', id);
    return explaining(file, () => readFileSync(file));
  }

  /** Starts a new epoch, unless the current one has the same weights and token count. Returns the current epoch. */
  beginEpoch({ tokens }: Omit<Epoch, 'id'>, deflated: Uint8Array): Epoch {
    const current = this.#currentWith(tokens, deflated);
    if (current) return current;
    const id = randomUUID();
    const folder = path.join(this.folder, 'weights');
    explaining(path.join(folder, id), () => writeFileSync(path.join(folder, id), deflated));
    this.#replace(weightsFile, { id, tokens });
    // Delete only old weights. A reader may still need the previous weights, and another process may be about to start
    // an epoch with new ones.
    for (const name of readdirSync(folder)) {
      const file = path.join(folder, name);
      const ageMs = Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
      if (name !== id && ageMs > keptWeightsMs) rmSync(file, { force: true });
    }
    return { id, tokens };
  }

  /** Returns the current epoch if it has these weights and this token count. */
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
  #writeNew(file: string, text: string): boolean {
    const draft = path.join(this.folder, 'writing', `${randomUUID()}.draft`);
    return explaining(file, () => {
      try {
        writeFileSync(draft, text);
        linkSync(draft, file);
        return true;
      } catch (error) {
        if (codeOf(error) === 'EEXIST') return false;
        throw error;
      } finally {
        rmSync(draft, { force: true });
      }
    });
  }

  #replace(name: string, value: object): void {
    const draft = path.join(this.folder, 'writing', `${randomUUID()}.draft`);
    explaining(path.join(this.folder, name), () => {
      try {
        writeFileSync(draft, JSON.stringify(value, undefined, 2));
        renameSync(draft, path.join(this.folder, name));
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
    const file = path.join(this.folder, 'writing', lock);
    this.#writeNew(file, JSON.stringify(ownHolder()));
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

  /** Folder for results of comparisons that have not ended. */
  get stepsFolder(): string {
    return path.join(this.folder, 'writing');
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
    const lock = path.join(this.folder, 'writing', `${fileNameOf(name)}.lock`);
    const holder = this.#lock(lock);
    if (holder) {
      throw new IndexError(
        `${name} is being written by process ${holder.process} on ${holder.host} since ${holder.since}: repeat the command when it has ended, or delete ${[lock, ...(holder.locks ?? [])].join(' and ')} if there is no such process.`,
      );
    }
    const scratch = path.join(this.folder, 'writing', scratchOf(name));
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
    const own: Holder = { ...ownHolder(), locks: [...this.#changes] };
    while (!this.#writeNew(file, JSON.stringify(own))) {
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
      const moved = readJson<Holder>(aside);
      if (moved !== undefined && !hasEnded(moved)) linkSync(aside, file);
      unlinkSync(aside);
    }
    return undefined;
  }

  async #afterSweep(): Promise<void> {
    const lock = path.join(this.folder, sweepLock);
    for (const started = performance.now(); performance.now() - started < sweepMs;) {
      const holder = readJson<Holder>(lock);
      if (holder === undefined || hasEnded(holder)) return;
      await setTimeout(20);
    }
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
    this.#locked(path.join(this.folder, sweepLock), () => {
      if (!this.#isAlone(own)) return;
      const states = this.repositories();
      const documents = new Set(states.flatMap((state) => [`${state.documents}.parquet`, `${state.documents}.names`]));
      const partitions = new Set(states.flatMap((state) => state.partitions.map(({ id }) => id)));
      this.#removeOthers('documents', documents);
      this.#removeOthers('contents', partitions);
      this.#removeOthers('writing', new Set([own]));
    });
  }

  /** Returns true if no other process is writing to the index. Deletes the locks of processes that have ended. */
  #isAlone(own: string): boolean {
    const writing = path.join(this.folder, 'writing');
    for (const name of readdirSync(writing).filter((each) => each.endsWith('.lock') && each !== own)) {
      const holder = readJson<Holder>(path.join(writing, name));
      if (holder !== undefined && !hasEnded(holder)) return false;
      rmSync(path.join(writing, name), { force: true });
    }
    return true;
  }

  #removeOthers(folder: string, kept: ReadonlySet<string>): void {
    const all = path.join(this.folder, folder);
    for (const name of readdirSync(all)) {
      if (!kept.has(name)) rmSync(path.join(all, name), { recursive: true, force: true });
    }
  }
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

function ownHolder(): Holder {
  return { process: process.pid, host: hostname(), since: new Date().toISOString() };
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

/** Returns a file name for a repository. Repository names may contain characters that file names must not. */
function fileNameOf(name: string): string {
  return encodeURIComponent(name);
}

/** Returns a text that differs after a file was replaced; `undefined` if the file does not exist. */
function versionOf(file: string): string | undefined {
  const found = explaining(file, () => statSync(file, { bigint: true, throwIfNoEntry: false }));
  return found && [found.ino, found.size, found.mtimeNs, found.ctimeNs].join(' ');
}

/** Returns the name of the folder for a repository's incomplete data. */
function scratchOf(name: string): string {
  return `${fileNameOf(name)}.new`;
}
