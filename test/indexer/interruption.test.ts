/**
 * Canceled work stops at the next check, in every phase. For each n, `cancelled` returns true from the n-th call on.
 * Afterwards, the next request finds the same as a new scan.
 */
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { defaultOptions, type Options } from '../../src/core/engine/options.ts';
import type { Findings } from '../../src/core/engine/report/report.ts';
import type { IndexStore } from '../../src/scan/indexer/indexStore.ts';
import type { LiveScan } from '../../src/scan/indexer/liveScan.ts';
import type { ScanRequest } from '../../src/scan/indexer/scan.ts';
import type { ScanInput, ScanMonitor } from '../../src/scan/indexer/scanInput.ts';
import { listSources } from '../../src/scan/io/listSources.ts';
import { defaultSourceOptions } from '../../src/scan/io/sources.ts';
import { makeFolder, removeFolder } from '../io/temporaryFolder.ts';
import { impatient, inputOf, patient, requestOf, scanToFollow, storeAt } from './scanning.ts';

/** Few check numbers, including the first ones, so that a phase without checks is detected. */
const places = [0, 1, 2, 3, 4, 6, 9, 16];

suite('canceled work', () => {
  let folder = '';
  setup(() => {
    const files = Object.fromEntries(Array.from({ length: 40 }, (_, file) => [`src/${file}.ts`, textOf(file)]));
    folder = makeFolder(files);
    mkdirSync(path.join(folder, 'store'));
  });
  teardown(() => removeFolder(folder));

  test('listing ends early', async () => {
    const all = await listed();
    const monitor = impatient(0);
    const { files } = await listSources([path.join(folder, 'src')], defaultSourceOptions, monitor.cancelled);
    assert.ok(monitor.checks > 0 && files.length < all.listing.files.length);
  });

  test('a scan stops in any phase, reports that, and does not affect the next one', async () => {
    const input = await listed();
    const { findings: all } = await scanOf(input, defaultOptions, patient);
    assert.ok(all.totals.groups > 0);
    const stops = await stopAtEachQuestion(all, async (monitor, n) => {
      const store = storeOf(defaultOptions);
      const { findings, live } = await scanOf(input, defaultOptions, monitor, store);
      if (findings.complete) return findings;
      assert.equal(live, undefined);
      assert.equal(store.findings(), undefined);
      assert.deepEqual((await scanOf(input, defaultOptions, patient, store)).findings, all, `after question ${n}`);
      return findings;
    });
    // Reading, each table of the index, slices of seeds, clusters, groups, and files.
    assert.ok(stops > 20, `stopped ${stops} times`);
  });

  test('a stored report without files differs from a listing that was stopped before the first file', async () => {
    const store = storeOf(defaultOptions);
    const nothing: ScanInput = { listing: { files: [], skipped: [] }, texts: [] };
    await scanOf(nothing, defaultOptions, patient, store);
    await store.save();
    const scanAgain = async (monitor: ScanMonitor): Promise<Findings> =>
      (await scanToFollow(requestOf(nothing, { store }), monitor, 'findings')).findings;
    assert.equal(await scanAgain(patient), store.findings()?.findings);
    assert.equal((await scanAgain(impatient(0))).complete, false);
  });

  test('the comparison of whole files stops if canceled', async () => {
    for (let file = 0; file < 160; file++) write(`copy${file}.ts`, `${textOf(file)}const copies = ${file};\n`);
    const input = await listed();
    const { findings: all } = await scanOf(input, defaultOptions, patient, undefined, { scope: 'files' });
    assert.ok(all.complete && all.totals.groups > 0);
    const stops = await stopAtEachQuestion(all, async (monitor) => {
      return (await scanOf(input, defaultOptions, monitor, undefined, { scope: 'files' })).findings;
    });
    // A few times before files are compared, and then repeatedly.
    assert.ok(stops > 6, `stopped ${stops} times`);
  });

  test('groups the matches of a canceled scan if requested', async () => {
    const input = await listed();
    const { findings: all } = await scanOf(input, defaultOptions, patient);
    // Cancel after the last slice was matched. Everything is found, but the scan cannot know that.
    let isMatching = false;
    const monitor: ScanMonitor = {
      onProgress: ({ phase, done, total }) => (isMatching = phase === 'matching' && total > 0 && done === total),
      cancelled: () => isMatching,
    };
    const { findings } = await scanOf(input, defaultOptions, monitor, undefined, { whenCancelled: 'group' });
    assert.deepEqual(findings, { ...all, complete: false });
  });

  for (const [about, count, options] of [
    ['an update', 3, defaultOptions],
    ['an update of most files', 30, defaultOptions],
    ['an update with another k', 3, { ...defaultOptions, maxDistance: 5 }],
    ['an update with other shingles', 3, { ...defaultOptions, shingleSize: 6 }],
  ] satisfies [string, number, Options][]) {
    test(`${about} is completed by the next request after it was stopped`, async () => {
      let stopped = 0;
      for (const n of places) {
        const live = await followed();
        const touched = new Set(Array.from({ length: count }, (_, file) => `${file}.ts`));
        for (const [file, name] of [...touched].entries()) write(name, textOf(file + 7 * n + 1));
        const input = await listed();
        const monitor = impatient(n);
        const isTurned = options !== defaultOptions;
        const ask = (by: ScanMonitor): Promise<Findings | undefined> =>
          isTurned && live.options !== options
            ? live.applySettings({ options, configured: [] }, input, touched, by)
            : live.update(input, touched, by);
        const first = await ask(monitor);
        if (monitor.checks > n) {
          stopped++;
          assert.notEqual(first?.complete, true, `stopped at question ${n}`);
        }
        // A partial change makes it unusable.
        if (first === undefined) continue;
        const findings = first.complete ? first : await ask(patient);
        const report = live.state();
        const store = storeOf(options);
        store.replace({ ...report, files: [], changedFiles: 0, report: undefined });
        assert.deepEqual(findings, (await scanOf(input, options, patient, store)).findings);
      }
      assert.ok(stopped >= 1, `stopped ${stopped} times`);
    });
  }

  test('a file whose change only its stamp shows is read after a stopped catch-up', async () => {
    let stopped = 0;
    for (const n of places) {
      const live = await followed();
      write('0.ts', textOf(3 + n));
      const input = await listed();
      const nothing = new Set<string>();
      const first = await live.catchUp(input, nothing, impatient(n));
      if (first?.complete !== true) stopped++;
      await live.update(input, nothing, patient);
      assert.deepEqual(live.findings.groups, (await scanOf(input, defaultOptions, patient)).findings.groups);
    }
    assert.ok(stopped >= 1, `stopped ${stopped} times`);
  });

  test('a new epoch that is stopped keeps the old one', async () => {
    let stopped = 0;
    for (const n of [...places, Number.POSITIVE_INFINITY]) {
      const live = await followed();
      for (let file = 0; file < 8; file++) write(`${file}.ts`, textOf(file + 50));
      const touched = new Set(Array.from({ length: 8 }, (_, file) => `${file}.ts`));
      const input = await listed();
      await live.update(input, touched, patient);
      const [before, { matches }] = [live.findings, live.state()];
      const findings = await live.renew(impatient(n).cancelled);
      if (findings === undefined) {
        stopped++;
        assert.equal(live.findings, before);
        assert.equal(live.state().matches, matches);
        assert.equal(await live.update(input, touched, patient), undefined);
      } else assert.deepEqual(findings, (await scanOf(input, defaultOptions, patient)).findings);
    }
    assert.ok(stopped >= 3 && stopped <= places.length, `stopped ${stopped} times`);
  });

  test('does not replace the stored index', async () => {
    const input = await listed();
    const store = storeOf(defaultOptions);
    await scanOf(input, defaultOptions, patient, store);
    await store.save();
    const before = contents();
    assert.equal(before.length, 3);
    write('0.ts', textOf(99));
    await scanOf(await listed(), defaultOptions, patient, store);
    await store.save(() => true);
    assert.deepEqual(contents(), before);
    await store.save();
    assert.notDeepEqual(contents(), before);
  });

  /** Stops a scan at each of its checks, until it completes. Returns the number of stops. */
  async function stopAtEachQuestion(
    all: Findings,
    scan: (monitor: ScanMonitor, n: number) => Promise<Findings>,
  ): Promise<number> {
    for (let n = 0; ; n++) {
      const monitor = impatient(n);
      const findings = await scan(monitor, n);
      if (monitor.checks <= n) {
        assert.deepEqual(findings, all);
        return n;
      }
      assert.equal(findings.complete, false, `stopped at question ${n}`);
      assert.deepEqual(findings.groups, []);
    }
  }

  async function followed(): Promise<LiveScan> {
    const { live } = await scanOf(await listed(), defaultOptions, patient);
    await live!.prepare(() => false);
    return live!;
  }

  function scanOf(
    input: ScanInput,
    options: Options,
    monitor: ScanMonitor,
    store?: IndexStore,
    how: Partial<Pick<ScanRequest, 'scope' | 'whenCancelled'>> = {},
  ): ReturnType<typeof scanToFollow> {
    return scanToFollow(requestOf(input, { options, store, ...how }), monitor, 'index');
  }

  function storeOf(options: Options): IndexStore {
    return storeAt(path.join(folder, 'store', 'index'), options);
  }

  function listed(): Promise<ScanInput> {
    return inputOf(path.join(folder, 'src'));
  }

  function contents(): string[] {
    const place = path.join(folder, 'store');
    return readdirSync(place).map((name) => readFileSync(path.join(place, name)).toString('base64'));
  }

  function write(name: string, text: string): void {
    const file = path.join(folder, 'src', name);
    writeFileSync(file, text);
    const time = Date.now() / 1000 - 60;
    utimesSync(file, time, time);
  }
});

/** Returns a text with its own lines and a function that every third text shares. */
function textOf(n: number): string {
  const own = Array.from(
    { length: 12 },
    (_, line) => `export const value${n}x${line} = call${line}(${n * line}, "${n}");\n`,
  );
  const shared = Array.from(
    { length: 12 },
    (_, line) => `  step${line}.run(input${n % 3}, ${line}, "phase ${line}");\n`,
  );
  return `${own.join('')}function work(input${n % 3}) {\n${shared.join('')}}\n`;
}
