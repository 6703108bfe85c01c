/** An index of many repositories, as commands and servers use it: in a database or in a folder. */
import type { SimilarPassages, SimilarQuery } from '../../core/engine/similar/findSimilar.ts';
import type { SimilarText } from '../../scan/indexer/liveScan.ts';
import type { ScanMonitor } from '../../scan/indexer/scanInput.ts';
import type { Database } from '../database/openDatabase.ts';
import { type Added, addRepository, type RepositoryInput } from './addRepository.ts';
import { readRepositories, type Repository } from './catalogue.ts';
import { compareAll, type Compared } from './compareAll.ts';
import { findSimilarIn } from './findSimilarIn.ts';
import { type Method, storedMethod } from './method.ts';
import { renewRarity } from './rarity.ts';
import { dropRepositories } from './sweep.ts';

export interface IndexComparing {
  /** See `methodOf`. */
  readonly scanThread: URL;
  readonly monitor: ScanMonitor;
  /** Number of processes or threads. */
  readonly workers: number;
  /** Starts additional processes for an index in a database, and returns a function that stops them. */
  readonly startWorkers: () => () => void;
}

export interface OrganisationIndex {
  /** Its place, for users. */
  readonly label: string;
  /** The database; `undefined` for an index in a folder. */
  readonly database: Database | undefined;
  /** Returns the method; `undefined` if the index has no repository yet. */
  method(): Promise<Method | undefined>;
  /** Returns the repositories by name. */
  repositories(): Promise<readonly Repository[]>;
  /** Stores the state of a repository; `undefined` if it was cancelled and nothing has changed. */
  add(method: Method, input: RepositoryInput): Promise<Added | undefined>;
  /** Measures token weights again if the documents have changed too much. */
  renewWeights(method: Method): Promise<void>;
  /** Finds all near-duplicates; `undefined` if it was cancelled. */
  compare(comparing: IndexComparing): Promise<Compared | undefined>;
  /** @param scanThread  see `methodOf` */
  find(scanThread: URL, text: SimilarText, query: SimilarQuery): Promise<SimilarPassages>;
  /** Removes repositories, which exist. */
  drop(names: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

export function indexInDatabase(database: Database): OrganisationIndex {
  const { home } = database;
  return {
    database,
    label: database.servers.map(({ label }) => label).join(', '),
    method: () => storedMethod(home),
    repositories: () => readRepositories(home),
    add: (method, input) => addRepository(database, method, input),
    renewWeights: (method) => renewRarity(database, method),
    compare: ({ monitor: { onProgress, cancelled }, ...comparing }) =>
      compareAll(database, {
        ...comparing,
        monitor: { onProgress: (progress) => onProgress({ phase: 'matching', ...progress }), cancelled },
      }),
    find: (scanThread, text, query) => findSimilarIn(database, scanThread, text, query),
    drop: async (names) => {
      const method = await storedMethod(home);
      if (method === undefined) return;
      const dropped = (await readRepositories(home)).filter(({ name }) => names.includes(name));
      await dropRepositories(
        database,
        method.options,
        dropped.map(({ id }) => id),
      );
    },
    close: () => database.close(),
  };
}
