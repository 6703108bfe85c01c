/** Repositories of the tests: folders with given files, stored in the database like on the command line. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../scripts/project.mjs';
import { defaultOptions, type Options } from '../../src/core/engine/options.ts';
import type { Findings } from '../../src/core/engine/report/report.ts';
import { nodeSystem } from '../../src/scan/indexer/nodeSystem.ts';
import { scan, type ScanRequest } from '../../src/scan/indexer/scan.ts';
import { listSources } from '../../src/scan/io/listSources.ts';
import { defaultSourceOptions } from '../../src/scan/io/sources.ts';
import { Database, openDatabase } from '../../src/organisation/database/openDatabase.ts';
import type { Added, RepositoryInput } from '../../src/organisation/repositories/addRepository.ts';
import { openFolder as openIndexIn } from '../../src/organisation/repositories/inFolder/indexInFolder.ts';
import { methodOf } from '../../src/organisation/repositories/method.ts';
import { indexInDatabase, type OrganisationIndex } from '../../src/organisation/repositories/organisationIndex.ts';
import { startPostgres, startServers, type TestServer } from '../harness/postgres.ts';
import { makeFolder, removeFolder } from '../io/temporaryFolder.ts';

export const scanThread = new URL(`file://${path.join(root, 'dist', 'scanThread.js')}`);

/** Writes files, and removes those whose text is undefined. */
export function writeFiles(folder: string, files: Readonly<Record<string, string | undefined>>): void {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, name);
    if (text === undefined) rmSync(file);
    else {
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
  }
}

/** Resources of a test. */
export interface TestIndex {
  server: TestServer;
  database: Database;
}

/** Gives each test of the suite its own server with an empty index. The fields are set before each test. */
export function indexOfEachTest(): TestIndex {
  const index = {} as TestIndex;
  setup(async () => {
    index.server = await startPostgres();
    index.database = await openDatabase([index.server.url], 'write');
  });
  teardown(async () => {
    await index.database.close();
    await index.server.remove();
  });
  return index;
}

/** Opens the index in a folder. */
export function openFolder(folder: string, access: 'read' | 'write' = 'write'): OrganisationIndex {
  return openIndexIn(folder, access, process.env);
}

/** An empty index for a suite, and a function that closes and removes it. */
export interface NewIndex {
  readonly index: OrganisationIndex;
  readonly remove: () => Promise<void>;
}

/** Indexes for suites that all of them pass. */
export const newIndexes: readonly (readonly [place: string, make: () => Promise<NewIndex>])[] = [
  [
    'on two servers',
    async () => {
      const servers = await startServers(2);
      const urls = servers.map(({ url }) => url);
      const index = indexInDatabase(await openDatabase(urls, 'write'));
      const remove = async (): Promise<void> => {
        await index.close();
        await Promise.all(servers.map((server) => server.remove()));
      };
      return { index, remove };
    },
  ],
  [
    'in a folder',
    async () => {
      const folder = makeFolder({});
      const index = openFolder(folder);
      const remove = async (): Promise<void> => {
        await index.close();
        removeFolder(folder);
      };
      return Promise.resolve({ index, remove });
    },
  ],
];

function indexOf(given: Database | OrganisationIndex): OrganisationIndex {
  return given instanceof Database ? indexInDatabase(given) : given;
}

/** Stores a folder as a repository with the name of the folder. */
export async function add(
  given: Database | OrganisationIndex,
  folder: string,
  options: Options = defaultOptions,
  input: Partial<RepositoryInput> = {},
): Promise<Added> {
  const index = indexOf(given);
  const method = methodOf(options, scanThread);
  const listing = await listSources([folder], defaultSourceOptions);
  const added = await index.add(method, {
    name: path.basename(folder),
    origin: folder,
    commit: undefined,
    rules: { categories: {}, overrides: [] },
    listing,
    sources: defaultSourceOptions,
    workers: 1,
    scanThread,
    onProgress: () => undefined,
    cancelled: () => false,
    ...input,
  });
  await index.renewWeights(method);
  return added!;
}

/** Returns the findings of all repositories, computed without other workers. */
export async function compare(given: Database | OrganisationIndex): Promise<Findings> {
  const compared = await indexOf(given).compare({
    scanThread,
    workers: 1,
    monitor: { onProgress: () => undefined, cancelled: () => false },
    startWorkers: () => () => undefined,
  });
  return compared!.findings;
}

/** Counts the rows of tables across all servers. */
export async function countRows(database: Database, ...tables: readonly string[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of tables) {
    counts[table] = 0;
    for (const server of database.servers) {
      const [row] = await server.query<{ count: number }>(`SELECT count(*)::int AS count FROM kindred.${table}`);
      counts[table] += row.count;
    }
  }
  return counts;
}

/** Returns the request of a scan of a folder. */
export async function requestOf(folder: string, options: Options = defaultOptions): Promise<ScanRequest> {
  const listing = await listSources([folder], defaultSourceOptions);
  return {
    scope: 'all',
    listing,
    texts: [],
    options,
    sources: defaultSourceOptions,
    lexicons: [],
    system: nodeSystem(scanThread),
    configured: [{ prefix: '', categories: {}, overrides: [] }],
    workers: 1,
    memoryMB: 0,
    store: undefined,
    weighing: 'measured',
    whenCancelled: 'stop',
  };
}

/** Returns the findings of a scan of a folder. */
export async function scanFolder(folder: string): Promise<Findings> {
  return scan(await requestOf(folder), { onProgress: () => undefined, cancelled: () => false });
}
