/** Repositories of the tests: folders with given files, stored in the database like on the command line. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../scripts/project.mjs';
import { defaultOptions, type Options } from '../../src/core/engine/options.ts';
import type { Findings } from '../../src/core/engine/report/report.ts';
import { scan, type ScanRequest } from '../../src/scan/indexer/scan.ts';
import { listSources } from '../../src/scan/io/listSources.ts';
import { defaultSourceOptions } from '../../src/scan/io/sources.ts';
import { type Database, openDatabase } from '../../src/organisation/database/openDatabase.ts';
import { type Added, addRepository } from '../../src/organisation/repositories/addRepository.ts';
import { compareAll } from '../../src/organisation/repositories/compareAll.ts';
import { methodOf } from '../../src/organisation/repositories/method.ts';
import { renewRarity } from '../../src/organisation/repositories/rarity.ts';
import { startPostgres, type TestServer } from '../harness/postgres.ts';

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

/** Stores a folder as a repository with the name of the folder. */
export async function add(database: Database, folder: string, options: Options = defaultOptions): Promise<Added> {
  const method = methodOf(options, scanThread);
  const listing = await listSources([folder], defaultSourceOptions);
  const added = await addRepository(database, method, {
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
  });
  await renewRarity(database, method);
  return added!;
}

/** Returns the findings of all repositories, computed without other workers. */
export async function compare(database: Database): Promise<Findings> {
  const compared = await compareAll(database, {
    scanThread,
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
    scanThread,
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
