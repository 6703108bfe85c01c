/** Repositories of the tests: folders with given files, stored in an index like on the command line. */
import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../scripts/project.mjs';
import { defaultOptions, type Options } from '../../src/core/engine/options.ts';
import type { Findings } from '../../src/core/engine/report/report.ts';
import { nodeSystem } from '../../src/scan/indexer/nodeSystem.ts';
import { scanToFollow, type ScanRequest } from '../../src/scan/indexer/scan.ts';
import { listSources } from '../../src/scan/io/listSources.ts';
import { defaultSourceOptions } from '../../src/scan/io/sources.ts';
import type { AddedRepository, RepositoryInput } from '../../src/organisation/repositories/addRepository.ts';
import { IndexError } from '../../src/organisation/folder/indexError.ts';
import { methodOf } from '../../src/organisation/repositories/method.ts';
import { openIndex, type OrganisationIndex } from '../../src/organisation/repositories/organisationIndex.ts';
import { makeFolder, removeFolder } from '../io/temporaryFolder.ts';

export const notCancelled = { cancelled: (): boolean => false };
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

/** Before each test, opens an empty index in the folder `index` of a new folder, which is removed after the test. */
export function openForEachTest(
  take: (opened: { readonly folder: string; readonly index: OrganisationIndex }) => void,
): void {
  let folder = '';
  let index: OrganisationIndex;
  setup(() => {
    folder = makeFolder({});
    index = openFolder(path.join(folder, 'index'));
    take({ folder, index });
  });
  teardown(async () => {
    await index.close();
    removeFolder(folder);
  });
}

/** Opens the index in a folder. */
export function openFolder(folder: string, access: 'read' | 'write' = 'write'): OrganisationIndex {
  return openIndex(folder, access, process.env);
}

/** Stores folders as repositories with their names, and closes the index. */
export async function addAll(folder: string, sources: readonly string[]): Promise<void> {
  const index = openFolder(folder);
  for (const source of sources) await add(index, source);
  await index.close();
}

/** Stores a folder as a repository with the name of the folder. */
export async function add(
  index: OrganisationIndex,
  folder: string,
  options: Options = defaultOptions,
  input: Partial<RepositoryInput> = {},
): Promise<AddedRepository> {
  const all = { ...(await inputOf(folder)), ...input };
  const added = await index.adding(methodOf(options, scanThread), (addOne) => addOne(all));
  await index.renewWeights(notCancelled);
  return added;
}

export async function inputOf(folder: string): Promise<RepositoryInput> {
  return {
    name: path.basename(folder),
    origin: folder,
    commit: undefined,
    rules: { categories: {}, overrides: [] },
    listing: await listSources([folder], defaultSourceOptions),
    sources: defaultSourceOptions,
    workers: 1,
    scanThread,
    onProgress: () => undefined,
    cancelled: () => false,
  };
}

/** Returns the findings of all repositories. */
export async function compare(
  index: OrganisationIndex,
  comparing: Partial<Parameters<OrganisationIndex['compare']>[0]> = {},
): Promise<Findings> {
  const monitor = { onProgress: () => undefined, cancelled: () => false };
  return (await index.compare({ scanThread, workers: 1, monitor, ...comparing })).findings;
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
  const monitor = { onProgress: () => undefined, cancelled: () => false };
  return (await scanToFollow(await requestOf(folder), monitor, 'findings')).findings;
}

/** Returns the message with which an action is rejected. It must be an `IndexError`. */
export async function refusal(action: () => unknown): Promise<string> {
  try {
    await action();
  } catch (error) {
    assert.ok(error instanceof IndexError, String(error));
    return error.message;
  }
  return assert.fail('nothing was rejected');
}
