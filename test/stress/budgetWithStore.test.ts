/**
 * A memory budget together with a stored index: the findings equal those of a scan without a store, and memory stays
 * within the budget.
 */
import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { defaultOptions } from '../../src/core/engine/options.ts';
import type { Findings } from '../../src/core/engine/report/report.ts';
import { maxIndexBytes } from '../../src/scan/indexer/memoryBudget.ts';
import type { StageEnd } from '../../src/scan/indexer/stages.ts';
import { makeFolder, removeFolder } from '../io/temporaryFolder.ts';
import { writeManyFiles } from '../manyFiles.ts';
import { inputOf, patient, requestOf, scan, storeAt } from '../indexer/scanning.ts';

/** Below the minimum for users, so that little text suffices. */
const short = 165;

interface Outcome {
  readonly findings: Findings;
  /** Kernel memory after reading all files. */
  readonly bytes: number;
}

suite('a memory budget with a stored index', () => {
  let folder = '';
  let stores = '';
  suiteSetup(async () => {
    folder = makeFolder({});
    stores = makeFolder({});
    await writeManyFiles(folder, 700);
    // Recently written files are not considered settled.
    for (const file of await files()) utimesSync(file, 1_000_000_000, 1_000_000_000);
  });
  suiteTeardown(() => [folder, stores].forEach(removeFolder));

  /** Returns the paths of all files, in order. */
  async function files(): Promise<string[]> {
    const { listing } = await inputOf(folder);
    return listing.files.map(({ path: name }) => path.join(folder, name));
  }

  /** Scans with the named index as left by the previous scan. Without a name, no index is kept. */
  async function scanWith(memoryMB: number, name?: string, workers = 2): Promise<Outcome> {
    const warnings: string[] = [];
    const store =
      name === undefined
        ? undefined
        : storeAt(path.join(stores, name), defaultOptions, (problem) => warnings.push(problem), String(memoryMB));
    let bytes = 0;
    const note = (message: unknown): void => {
      const end = message as StageEnd;
      if (end.stage === 'read') bytes = end.bytes ?? 0;
    };
    subscribe('kindred.stage', note);
    try {
      const request = requestOf(await inputOf(folder), { workers, memoryMB, store, weighing: 'measured' });
      const findings = await scan(request, patient);
      await store?.save(() => false);
      assert.deepEqual(warnings, []);
      return { findings, bytes };
    } finally {
      unsubscribe('kindred.stage', note);
    }
  }

  test('repeated calls have the same result and use no more memory', async () => {
    const { findings, bytes } = await scanWith(short);
    assert.ok(findings.totals.files > 0 && findings.totals.files < 700);
    for (let call = 0; call < 4; call++) {
      const again = await scanWith(short, 'same', 1 + (call % 2));
      assert.deepEqual(again.findings, findings);
      assert.ok(again.bytes < bytes + maxIndexBytes(short) / 2, `${again.bytes} bytes in call ${call}, ${bytes} alone`);
    }
  });

  test('an index of a larger budget is not read into a smaller one', async () => {
    const all = await scanWith(0, 'larger');
    assert.equal(all.findings.totals.files, 700);
    const alone = await scanWith(short);
    const within = await scanWith(short, 'larger');
    assert.deepEqual(within.findings, alone.findings);
    assert.ok(within.bytes < alone.bytes + maxIndexBytes(short) / 2, `${within.bytes} bytes, ${alone.bytes} alone`);
    assert.deepEqual((await scanWith(0, 'larger')).findings, all.findings);
  });

  test('a changed file is compared in its place', async () => {
    await scanWith(short, 'changed');
    const first = (await files())[3];
    writeFileSync(first, Array.from({ length: 900 }, (_, i) => `const long${i} = other${i % 7}(${i});`).join('\n'));
    const { findings } = await scanWith(short);
    assert.deepEqual((await scanWith(short, 'changed')).findings, findings);
    writeFileSync(first, 'const nothing = 1;\n');
    const shorter = await scanWith(short);
    assert.ok(shorter.findings.totals.files > findings.totals.files);
    assert.deepEqual((await scanWith(short, 'changed')).findings, shorter.findings);
  });
});
