/** An index in a folder of Parquet files. */
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { embeddedFolder } from '../../database/embedded/embeddedServer.ts';
import { type DuckDB, openDuckDB } from '../../parquet/duckdb.ts';
import { IndexFolder } from '../../parquet/indexFolder.ts';
import { noRepository } from '../catalogue.ts';
import { checkMethod, type Method, otherMethod } from '../method.ts';
import type { OrganisationIndex } from '../organisationIndex.ts';
import { addToFolder } from './addToFolder.ts';
import { compareFolder } from './compareFolder.ts';
import { EpochWeights, findInFolder } from './findInFolder.ts';
import { Partitions, stableRead } from './folderContents.ts';
import { renewFolderEpoch } from './folderEpoch.ts';
import { repositoryOfState } from './repositoryOfState.ts';

/**
 * Opens an index.
 *
 * @param access       `write` creates it if there is none
 * @param environment  determines the folder in which DuckDB may be installed
 * @throws DatabaseError if it cannot be used
 */
export function openFolder(
  folder: string,
  access: 'read' | 'write',
  environment: NodeJS.ProcessEnv,
): OrganisationIndex {
  const packages = path.join(path.dirname(embeddedFolder(environment)), 'duckdb');
  const index = new IndexFolder(folder);
  if (access === 'write') index.create();
  else index.check();
  const partitions = new Partitions(index);
  const weights = new EpochWeights(index);
  let opened: Promise<DuckDB> | undefined;
  const duckdb = (): Promise<DuckDB> =>
    (opened ??= openDuckDB({
      packages,
      threads: availableParallelism(),
      spill: path.join(tmpdir(), `kindred-duckdb-${process.pid}`),
    }));
  const method = (): Method | undefined => index.method<Method>();
  /** Returns the method of an index that this program can compare with. */
  const comparable = (scanThread: URL): Method => {
    const stored = method();
    if (stored === undefined || index.repositories().length === 0) throw noRepository();
    checkMethod(stored, scanThread);
    return stored;
  };
  return {
    label: folder,
    database: undefined,
    method: () => Promise.resolve(method()),
    repositories: () => Promise.resolve(index.repositories().map(repositoryOfState)),
    add: async (wanted, input) => {
      beginMethod(index, wanted);
      return stableRead(index, async () => addToFolder(index, await duckdb(), wanted, input));
    },
    renewWeights: () => stableRead(index, async () => renewFolderEpoch(index, await duckdb(), partitions)),
    compare: ({ scanThread, workers, monitor }) => {
      const stored = comparable(scanThread);
      return stableRead(index, async () =>
        compareFolder(index, await duckdb(), partitions, stored, { scanThread, workers, monitor }),
      );
    },
    find: (scanThread, text, query) => {
      const stored = comparable(scanThread);
      return stableRead(index, () => findInFolder({ index, partitions, weights }, stored, text, query));
    },
    drop: async (names) => {
      for (const name of names) {
        await index.writing(name, () => {
          index.dropRepository(name);
          index.sweep(name);
          return Promise.resolve();
        });
      }
    },
    close: async () => (await opened)?.close(),
  };
}

/** Stores the method of a new index, or checks it against the stored one. */
function beginMethod(index: IndexFolder, method: Method): void {
  if (index.method() === undefined) index.beginMethod(method);
  if (index.method<Method>()!.key === method.key) return;
  if (index.repositories().length > 0) throw otherMethod();
  index.replaceMethod(method);
}
