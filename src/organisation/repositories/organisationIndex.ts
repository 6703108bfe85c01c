/** Interface to an index of many repositories for commands and servers. */
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { availableParallelism, hostname, tmpdir, totalmem } from 'node:os';
import path from 'node:path';
import type { SimilarPassages, SimilarQuery } from '../../core/engine/similar/findSimilar.ts';
import type { SimilarText } from '../../scan/indexer/liveScan.ts';
import type { Cancellation } from '../folder/cancellation.ts';
import { type DuckDB, openDuckDB } from '../folder/duckdb.ts';
import { explaining } from '../folder/folderFiles.ts';
import { IndexError } from '../folder/indexError.ts';
import { hasEnded, IndexFolder, partitionsOf, type RepositoryState } from '../folder/indexFolder.ts';
import { dataFolder, defaultFolder } from '../folder/indexPlace.ts';
import { type AddedRepository, addRepository, type RepositoryInput } from './addRepository.ts';
import {
  alignPairs,
  candidatePairs,
  compareAll,
  type Comparison,
  type ComparisonTask,
  groupMatches,
} from './comparisonSteps.ts';
import { renewEpoch } from './epoch.ts';
import { EpochWeights, findSimilarIn, SearchMemory } from './findSimilarIn.ts';
import { mergeLists } from './mergedLists.ts';
import { checkMethod, type Method, otherMethod } from './method.ts';
import { Partitions, type ReadIndex, stableRead } from './folderContents.ts';
import type { ComparedIndex } from './storedComparison.ts';
import { StoredContents } from './storedContents.ts';

export interface SearchResult {
  readonly similar: SimilarPassages;
  readonly repositories: readonly RepositoryState[];
}

/**
 * Stores a repository's current state.
 *
 * @throws CancellationError without changing the index
 */
export type RepositoryAdder = (input: RepositoryInput) => Promise<AddedRepository>;

/** Long methods throw `CancellationError` if the user cancels them. */
export interface OrganisationIndex {
  /** Absolute path of the index. */
  readonly folder: string;
  /** Returns the method; `undefined` if no repository was stored yet. */
  method(): Method | undefined;
  /** Returns all repositories, sorted by name. */
  repositories(): readonly RepositoryState[];
  /** Stores repositories: calls `store` with a function that stores the current state of one. */
  adding<Result>(method: Method, store: (add: RepositoryAdder) => Promise<Result>): Promise<Result>;
  /** Measures the token weights again if the documents have changed too much. */
  renewWeights(cancellation: Cancellation): Promise<void>;
  compare(task: ComparisonTask): Promise<Comparison>;
  /** This method and the following two are the steps of a comparison (comparisonSteps.ts), which pass Parquet files. */
  pairs(file: string, task: ComparisonTask): Promise<void>;
  align(pairs: readonly string[], matches: string, task: ComparisonTask): Promise<void>;
  group(matches: readonly string[], which: 'all' | 'component', task: ComparisonTask): Promise<Comparison>;
  /**
   * @param scanThread  see `methodOf`
   * @param queryIn     returns the query, given the repositories that are searched
   */
  find(
    scanThread: URL,
    text: SimilarText,
    queryIn: (repositories: readonly RepositoryState[]) => SimilarQuery,
    cancellation: Cancellation,
  ): Promise<SearchResult>;
  /** Removes repositories. Precondition: the index contains all of them. */
  drop(names: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens an index.
 *
 * @param access       with `write`, the index need not exist yet: the first call of `adding` creates it
 * @param environment  determines where DuckDB may be installed, and where the default index is
 * @throws IndexError if the index cannot be used
 */
export function openIndex(folder: string, access: 'read' | 'write', environment: NodeJS.ProcessEnv): OrganisationIndex {
  const data = dataFolder(environment);
  const index = new IndexFolder(folder);
  if (access === 'write' && folder === defaultFolder(environment)) {
    explaining(data, () => mkdirSync(data, { recursive: true }));
  }
  index.check(access);
  const partitions = new Partitions(index);
  const weights = new EpochWeights(index);
  const memory = new SearchMemory();
  let opened: Promise<DuckDB> | undefined;
  const duckdb = (): Promise<DuckDB> =>
    (opened ??= openDuckDB({
      packages: path.join(data, 'duckdb'),
      threads: availableParallelism(),
      // The rest is for the documents and groups of a comparison.
      memoryMB: Math.floor(memoryBytes() / 2 / 2 ** 20),
      spill: spillFolder(),
    }));
  const method = (): Method | undefined => index.method<Method>();
  /** Returns the stored method. Throws an IndexError if this program cannot compare arrays built with it. */
  const comparable = (scanThread: URL, states: readonly RepositoryState[]): Method => {
    const stored = method();
    if (stored === undefined || states.length === 0) {
      throw new IndexError('The index has no repository yet: store one with kindred org add PATH.');
    }
    checkMethod(stored, scanThread);
    return stored;
  };
  const reading = <Result>(cancellation: Cancellation, work: (read: ReadIndex) => Promise<Result>): Promise<Result> =>
    stableRead(index, async () => {
      const database = await duckdb();
      const states = index.repositories();
      const read = { ...cancellation, index, duckdb: database, states, source: partitions.contentsOf(states) };
      return database.interruptible(cancellation, () => work(read));
    });
  const comparing = <Result>(
    { scanThread, monitor: { cancelled } }: ComparisonTask,
    work: (compared: ComparedIndex) => Promise<Result>,
  ): Promise<Result> => {
    const stored = comparable(scanThread, index.repositories());
    return reading({ cancelled }, (read) => work({ ...read, method: stored, weights }));
  };
  return {
    folder,
    method,
    repositories: () => index.repositories(),
    adding: async (requiredMethod, store) => {
      const database = await duckdb();
      beginMethod(index, requiredMethod);
      return index.changing(async () => {
        const partitionIds = [...partitionsOf(index.repositories())];
        const stored = await stableRead(index, () => StoredContents.read(index, database, partitionIds));
        const written = { index, duckdb: database, method: requiredMethod, stored };
        const result = await store((input) =>
          stableRead(index, () => database.interruptible(input, () => addRepository(written, input))),
        );
        mergeLists(index, requiredMethod.options);
        return result;
      });
    },
    renewWeights: (cancellation) => reading(cancellation, renewEpoch),
    compare: (input) => {
      const compareIn = (steps: string): Promise<Comparison> =>
        comparing(input, (compared) => compareAll(compared, steps, input));
      return input.matchOnSpark ? index.changing(() => compareIn(index.stepsFolder)) : index.scanning(compareIn);
    },
    pairs: (file, input) => comparing(input, (compared) => candidatePairs(compared, file, input.monitor)),
    align: (pairs, matches, input) => comparing(input, (compared) => alignPairs(compared, { pairs, matches }, input)),
    group: (matches, which, input) => comparing(input, (compared) => groupMatches(compared, matches, which, input)),
    find: (scanThread, text, queryIn, cancellation) =>
      stableRead(index, async () => {
        const states = index.repositories();
        const stored = comparable(scanThread, states);
        const searched = { index, partitions, weights, memory, states };
        return {
          similar: await findSimilarIn(searched, stored, text, queryIn(states), cancellation),
          repositories: states,
        };
      }),
    drop: (names) =>
      index.changing(async () => {
        for (const name of names) await index.writing(name, () => Promise.resolve(index.dropRepository(name)));
        const stored = method();
        if (stored) mergeLists(index, stored.options);
      }),
    close: async () => (await opened)?.close(),
  };
}

/** Returns the memory of the machine, or of the container that this process runs in. */
function memoryBytes(): number {
  return Math.min(totalmem(), process.constrainedMemory() || Infinity);
}

/** Returns a folder for DuckDB's temporary files. Removes those of killed processes, which may have filled the disk. */
function spillFolder(): string {
  const host = hostname();
  const prefix = `kindred-duckdb-${host}-`;
  for (const name of readdirSync(tmpdir()).filter((each) => each.startsWith(prefix))) {
    if (!hasEnded({ process: Number(name.slice(prefix.length)), host })) continue;
    try {
      rmSync(path.join(tmpdir(), name), { recursive: true, force: true });
    } catch {
      // Ignore temporary files of other users, which cannot be removed.
    }
  }
  return path.join(tmpdir(), `${prefix}${process.pid}`);
}

/** Stores the method if the index is new; otherwise checks that it equals the stored method. */
function beginMethod(index: IndexFolder, method: Method): void {
  index.create(method);
  if (index.method<Method>()!.key === method.key) return;
  if (index.repositories().length > 0) throw otherMethod();
  index.replaceMethod(method);
}
