/** Repositories of tests: folders with given files, stored in a database as the command line stores them. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../scripts/project.mjs';
import { defaultOptions, type Options } from '../../src/engine/options.ts';
import type { Findings } from '../../src/engine/report/report.ts';
import { scan, type ScanRequest } from '../../src/indexer/scan.ts';
import { listSources } from '../../src/io/listSources.ts';
import { defaultSourceOptions } from '../../src/io/sources.ts';
import { type Database, openDatabase } from '../../src/database/openDatabase.ts';
import { type Added, addRepository } from '../../src/organisation/addRepository.ts';
import { compareAll } from '../../src/organisation/compareAll.ts';
import { methodOf } from '../../src/organisation/method.ts';
import { renewRarity } from '../../src/organisation/rarity.ts';
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

/** Gives each test of the suite a server of its own with an empty index; filled when the test begins. */
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

/** Stores a folder under its name. */
export async function add(database: Database, folder: string, options: Options = defaultOptions): Promise<Added> {
  const method = methodOf(options, scanThread);
  const listing = await listSources([folder], defaultSourceOptions);
  const added = await addRepository(database, method, {
    name: path.basename(folder),
    origin: folder,
    commit: undefined,
    rules: { categories: {}, overrides: [] },
    ...{ listing, sources: defaultSourceOptions, workers: 1, scanThread },
    onProgress: () => undefined,
    cancelled: () => false,
  });
  await renewRarity(database, method);
  return added!;
}

/** The findings of all repositories, compared by this process alone. */
export async function compare(database: Database): Promise<Findings> {
  const compared = await compareAll(database, {
    scanThread,
    monitor: { onProgress: () => undefined, cancelled: () => false },
    startWorkers: () => () => undefined,
  });
  return compared!.findings;
}

/** Counts the rows of tables on all servers together. */
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

/** A scan of a folder. */
export async function requestOf(folder: string, options: Options = defaultOptions): Promise<ScanRequest> {
  const listing = await listSources([folder], defaultSourceOptions);
  return {
    scope: 'all',
    ...{ listing, texts: [], options, sources: defaultSourceOptions, lexicons: [], scanThread },
    configured: [{ prefix: '', categories: {}, overrides: [] }],
    ...{ workers: 1, memoryMB: 0, store: undefined, weighing: 'measured', whenCancelled: 'stop' },
  };
}

/** Returns the findings of a scan of a folder. */
export async function scanFolder(folder: string): Promise<Findings> {
  return scan(await requestOf(folder), { onProgress: () => undefined, cancelled: () => false });
}
