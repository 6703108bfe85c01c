import assert from 'node:assert/strict';
import { DocumentIndexer } from '../../src/core/engine/documents/indexDocument.ts';
import { createMemory, Kernel } from '../../src/core/engine/kernel.ts';
import { noMinimum } from '../../src/core/engine/matches/minimumMatch.ts';
import { defaultOptions } from '../../src/core/engine/options.ts';
import type { Findings } from '../../src/core/engine/report/report.ts';
import { nodeSystem } from '../../src/scan/indexer/nodeSystem.ts';
import type { IndexedFile } from '../../src/scan/indexer/indexedFile.ts';
import { indexBytes, keepWithin, maxIndexBytes } from '../../src/scan/indexer/memoryBudget.ts';
import { startScanThreads } from '../../src/scan/indexer/scanThread.ts';
import { planWithin } from '../../src/scan/indexer/planWithin.ts';
import { makeFolder, removeFolder } from '../io/temporaryFolder.ts';
import { writeManyFiles } from '../manyFiles.ts';
import { indexedFile } from './indexedFile.ts';
import { inputOf, scanThreadScript, patient, requestOf, scan } from './scanning.ts';

/** Returns files of some lines each, indexed by a kernel. Files of one `kind` are copies. */
function indexedFiles(kernel: Kernel, count: number, kind = (file: number): number => file): IndexedFile[] {
  const indexer = new DocumentIndexer(kernel, defaultOptions);
  return Array.from({ length: count }, (_, file) => {
    const name = `${String(file).padStart(4, '0')}.ts`;
    const lines = Array.from(
      { length: 200 },
      (__, i) => `const a${kind(file)}_${i} = b${(kind(file) * 31 + i) % 97}(c${i}, ${i});`,
    );
    return indexedFile(indexer, name, lines.join('\n'));
  });
}

suite('memory budget', () => {
  const teardownFolders: string[] = [];
  suiteTeardown(() => teardownFolders.forEach(removeFolder));

  const files = indexedFiles(new Kernel(createMemory()), 20);
  const bytes = files.map(({ content }) => indexBytes(content));
  const sum = (count: number): number => bytes.slice(0, count).reduce((x, y) => x + y, 0);
  const paths = (list: readonly { readonly path: string }[]): string[] => list.map((file) => file.path);

  test('keeps files that fit, in path order, whatever the reading order', () => {
    const reversed = [...files].reverse();
    assert.deepEqual(keepWithin(reversed, [], sum(20), 0), { files, leftOut: [] });
    const { files: kept, leftOut } = keepWithin(reversed, [], sum(7), 300);
    assert.deepEqual(paths(kept), paths(files.slice(0, 7)));
    const reason = 'no memory left (limit 300 MB)';
    assert.deepEqual(
      leftOut,
      files.slice(7).map((file) => ({ path: file.path, reason, setting: 'memory' })),
    );
    assert.deepEqual(paths(keepWithin(files, [], sum(7) - 1, 300).files), paths(files.slice(0, 6)));
  });

  test('skips unread files and all after them, and keeps other reasons', () => {
    const skipped: IndexedFile = {
      path: '0015.ts',
      digest: 0n,
      stamp: undefined,
      content: { path: '0015.ts', reason: 'binary' },
    };
    const indexedFiles = files.map((file, i) => (i === 15 ? skipped : file)).filter((_, i) => i !== 12);
    const unread = [{ path: '0012.ts', file: '/0012.ts' }];
    const { files: kept, leftOut } = keepWithin(indexedFiles, unread, Number.MAX_SAFE_INTEGER, 0);
    assert.deepEqual(paths(kept), paths(files.slice(0, 12)));
    assert.deepEqual(paths(leftOut), paths(files.slice(12)));
    assert.deepEqual(
      leftOut.map(({ reason }) => reason),
      leftOut.map((_, i) => (i === 3 ? 'binary' : 'no memory left (limit 4 GB)')),
    );
  });

  test('a larger budget never keeps less', () => {
    const budgets = [256, 257, 512, 1024, 4096, 65_536, 0].map(maxIndexBytes);
    assert.ok((budgets[0] ?? 0) > 2 ** 24);
    assert.deepEqual(
      budgets,
      [...budgets].sort((x, y) => x - y),
    );
    assert.ok((budgets.at(-1) ?? 0) < 2 ** 32);
  });

  /** All available memory. */
  const request = {
    leftOut: [],
    options: defaultOptions,
    idfTable: undefined,
    memoryMB: 0,
    paths: { chosenCategory: () => undefined, minimumOf: noMinimum },
  };

  test('files are excluded until the memory suffices for the search', async () => {
    const plenty = new Kernel(createMemory());
    const copies = (kernel: Kernel): IndexedFile[] => indexedFiles(kernel, 60, () => 0);
    const before = { files: copies(plenty), bytes: plenty.usedBytes() };
    const unlimited = await planWithin(plenty, { ...request, files: before.files }, patient);
    assert.equal(unlimited.plan?.documents.length, 60);
    const needed = plenty.usedBytes() - before.bytes;

    const short = new Kernel(createMemory());
    const all = copies(short);
    const reserved = 2 ** 28;
    short.allocate(2 ** 32 - reserved - short.usedBytes() - needed + 2 ** 16);
    const { plan, skipped } = await planWithin(short, { ...request, files: all }, patient);
    const documents = plan?.documents ?? [];
    assert.ok(documents.length > 0 && documents.length < 60, `${documents.length} files`);
    assert.deepEqual([...paths(documents), ...paths(skipped)], paths(all));
  });

  test('a search on another thread excludes no file that fits without it', async () => {
    const plans = await Promise.all(
      [0, 1].flatMap((scanThreads) =>
        // Ample memory, and little more than the search needs on the same thread.
        [2 ** 31, 2 ** 28 + 2 ** 24].map(async (free) => {
          const kernel = new Kernel(createMemory());
          const all = indexedFiles(kernel, 60, () => 0);
          kernel.allocate(2 ** 32 - free - kernel.usedBytes());
          const [scanThread] = await startScanThreads(scanThreads, nodeSystem(scanThreadScript), kernel.memory);
          try {
            const { plan } = await planWithin(kernel, { ...request, files: all }, patient, scanThread);
            const { address, count } = plan!.task.seeds;
            const seeds = kernel.words.slice(address >>> 2, (address >>> 2) + 4 * count);
            return { files: paths(plan!.documents), seeds };
          } finally {
            void scanThread?.end();
          }
        }),
      ),
    );
    assert.equal(plans[0].files.length, 60);
    assert.deepEqual(plans[2], plans[0]);
    assert.deepEqual(plans[3], plans[1]);
  });

  test('a scan beyond its budget names the excluded files, the same with any number of threads', async () => {
    const folder = makeFolder({});
    teardownFolders.push(folder);
    await writeManyFiles(folder, 700);
    const { listing } = await inputOf(folder);
    const budgeted = async (memoryMB: number, workers: number, only = listing.files): Promise<Findings> => {
      const input = { listing: { ...listing, files: only }, texts: [] };
      return scan(requestOf(input, { memoryMB, workers, weighing: 'measured' }), patient);
    };
    // Below the minimum for users, so that little text suffices.
    const short = await budgeted(165, 1);
    const { files: count } = short.totals;
    assert.ok(count > 0 && count < 700, `${count} files`);
    assert.deepEqual(
      short.skipped,
      listing.files
        .slice(count)
        .map((file) => ({ path: file.path, reason: 'no memory left (limit 165 MB)', setting: 'memory' })),
    );
    for (const workers of [2, 3]) assert.deepEqual(await budgeted(165, workers), short);
    const same = await budgeted(0, 1, listing.files.slice(0, count));
    assert.deepEqual(short.groups, same.groups);
    assert.equal((await budgeted(0, 2)).totals.files, 700);
  });
});
