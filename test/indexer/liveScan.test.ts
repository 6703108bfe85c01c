/** Invariant of the disk and the store: after any history, a followed scan has the findings of a new one. */
import assert from 'node:assert/strict';
import { mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { reachesAllCases, scaled } from '../../scripts/scaled.mjs';
import { changesBetween, works } from '../../src/core/engine/optionChanges.ts';
import { defaultOptions, type Options } from '../../src/core/engine/options.ts';
import type { Findings, Totals } from '../../src/core/engine/report/report.ts';
import type { IndexStore } from '../../src/scan/indexer/indexStore.ts';
import type { LiveScan } from '../../src/scan/indexer/liveScan.ts';
import type { ScanRequest } from '../../src/scan/indexer/scan.ts';
import type { ScanMonitor } from '../../src/scan/indexer/scanInput.ts';
import { type Changes, findingsOf } from '../engine/corpusOf.ts';
import {
  changedOptions,
  changesOf,
  choiceGlobs,
  choices,
  document,
  minimumChoices,
  type OptionSteps,
  options as firstOptions,
  overrideChoices,
  stepsAndTrials,
} from '../engine/histories.ts';
import { makeFolder, removeFolder } from '../io/temporaryFolder.ts';
import { impatient, inputOf, patient, requestOf, scanToFollow, soundScan, storeAt } from './scanning.ts';

/** A folder that is scanned and followed, as in the worker. */
class Followed {
  readonly folder = makeFolder({});
  readonly #storage = makeFolder({});
  readonly texts = new Map<string, string>();
  readonly #touched = new Set<string>();
  #options: Options;
  #choice = 0;
  #override = 0;
  #store!: IndexStore;
  #live!: LiveScan;
  #writes = 0;
  findings!: Findings;

  constructor(changes: Changes) {
    this.#options = { ...defaultOptions, ...changes };
  }

  /** Writes a file, or deletes it. */
  put(name: string, text: string | undefined): void {
    const file = path.join(this.folder, name);
    this.#touched.add(name);
    if (text === undefined) {
      rmSync(file, { force: true });
      this.texts.delete(name);
      return;
    }
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
    // Times of recent writes are not trusted, so each write is set a minute after the previous one.
    const time = 1_600_000_000 + 60 * this.#writes++;
    utimesSync(file, time, time);
    this.texts.set(name, text);
  }

  /** Scans with the stored data. */
  async scan(): Promise<void> {
    this.#openStore();
    const request = requestOf(await inputOf(this.folder), { ...this.#settings(), store: this.#store });
    const { findings, live } = await scanToFollow(request, patient, 'index');
    assert.ok(live);
    this.#live = live;
    this.findings = findings;
    this.#touched.clear();
  }

  #openStore(): void {
    const place = path.join(this.#storage, 'index');
    this.#store = storeAt(place, this.#options, undefined, JSON.stringify([this.#choice, this.#override]));
  }

  async restart(): Promise<void> {
    this.#store.follow(() => this.#live.state());
    await this.#store.save();
    await this.scan();
  }

  /** Applies other options, and scans if they were not applied completely. Returns the amount of work. */
  async turnTo(changes: Changes, monitor: ScanMonitor): Promise<string> {
    const options = { ...defaultOptions, ...changes };
    const { work } = changesBetween(this.#options, options);
    this.#options = options;
    if (work === 'tokens') {
      await this.scan();
      return work;
    }
    // Named files are updated whatever their stamp. Others are detected by stamp.
    await this.#turn(monitor);
    return work;
  }

  /** Applies other categories in the same way. */
  async choose(choice: number, monitor: ScanMonitor): Promise<void> {
    this.#choice = choice;
    await this.#turnPaths(monitor);
  }

  /** Applies other overrides in the same way. */
  async override(choice: number, monitor: ScanMonitor): Promise<void> {
    this.#override = choice;
    await this.#turnPaths(monitor);
  }

  async #turnPaths(monitor: ScanMonitor): Promise<void> {
    await this.#turn(monitor);
    // The store is in use by another program.
    this.#openStore();
  }

  #settings(): Pick<ScanRequest, 'options' | 'configured'> {
    const [categories, overrides] = [choiceGlobs[this.#choice], overrideChoices[this.#override]];
    return { options: this.#options, configured: [{ prefix: '', categories, overrides }] };
  }

  async #turn(monitor: ScanMonitor): Promise<void> {
    const findings = await this.#live.applySettings(this.#settings(), await inputOf(this.folder), new Set(), monitor);
    if (findings === undefined) await this.scan();
    else if (findings.complete) await this.#take(findings);
    else await this.update(patient);
  }

  /** Prepares for changes, up to a number of checks for cancellation. */
  async prepare(maxChecks: number): Promise<void> {
    await this.#live.prepare(impatient(maxChecks).cancelled);
  }

  async update(monitor: ScanMonitor): Promise<void> {
    await this.#take(await this.#live.update(await inputOf(this.folder), this.#touched, monitor));
  }

  /** Begins a new epoch, unless it is canceled after a number of checks. Returns true if it began. */
  async renew(maxChecks: number): Promise<boolean> {
    const findings = await this.#live.renew(impatient(maxChecks).cancelled);
    if (findings) this.findings = soundScan(findings, await inputOf(this.folder));
    return findings !== undefined;
  }

  /** Returns the counts of all files as in the totals, or undefined if they are unknown. */
  counted(): (Pick<Totals, 'files' | 'lines' | 'duplicatedLines'> & { readonly byCategory: object }) | undefined {
    const files = this.#live.countedFiles();
    if (files === undefined) return undefined;
    const count = (of: typeof files) => ({
      files: of.length,
      lines: of.reduce((sum, { lines }) => sum + lines, 0),
      duplicatedLines: of.reduce((sum, file) => sum + file.duplicatedLines, 0),
    });
    const present = [...new Set(files.map(({ category }) => category))].sort();
    const byCategory = Object.fromEntries(
      present.map((name) => [name, count(files.filter(({ category }) => category === name))]),
    );
    return { ...count(files), byCategory };
  }

  /** Tries other options and checks that the result equals that of a scan. Returns the outcome. */
  async try(before: Changes, steps: OptionSteps, maxChecks: number): Promise<string> {
    const changes = changedOptions(before, steps);
    const options = { ...defaultOptions, ...changes };
    if (changesBetween(this.#options, options).work === 'tokens') return 'noTrial';
    const findings = await this.#live.trial(options, impatient(maxChecks));
    if (findings === undefined) return 'trialInVain';
    assert.deepEqual(soundScan(findings, await inputOf(this.folder)), this.expected(changes));
    return 'trial';
  }

  /** Returns the findings of a new scan of the same files, with the same table. */
  expected(changes: Changes): Findings {
    const { idfTable } = this.#live.state().matches!.epoch;
    return findingsOf(
      Object.fromEntries(this.texts),
      changes,
      idfTable,
      choices[this.#choice],
      minimumChoices[this.#override],
    );
  }

  /** Returns the findings of a scan that measures its own table. */
  expectedAnew(changes: Changes): Findings {
    return findingsOf(
      Object.fromEntries(this.texts),
      changes,
      undefined,
      choices[this.#choice],
      minimumChoices[this.#override],
    );
  }

  end(): void {
    removeFolder(this.folder);
    removeFolder(this.#storage);
  }

  async #take(findings: Findings | undefined): Promise<void> {
    if (findings?.complete === false) return;
    this.#touched.clear();
    if (findings) this.findings = soundScan(findings, await inputOf(this.folder));
  }
}

/** Returns a monitor that cancels after a number of checks, or never if it is null. */
function monitorOf(patience: number | null): ScanMonitor {
  return patience === null ? patient : impatient(patience);
}

/** Returns the counts of files and lines in totals. */
function countsIn({ files, lines, duplicatedLines, categories }: Totals) {
  const present = Object.entries(categories).filter(([, of]) => of.files > 0);
  const byCategory = Object.fromEntries(
    present
      .sort(([x], [y]) => (x < y ? -1 : 1))
      .map(([name, of]) => [name, { files: of.files, lines: of.lines, duplicatedLines: of.duplicatedLines }]),
  );
  return { files, lines, duplicatedLines, byCategory };
}

suite('a scan that is followed', () => {
  test('has the findings of a new scan after any history, across restarts and canceled updates', async () => {
    const done = new Map<string, number>();
    let [groups, countedTimes] = [0, 0];
    await fc.assert(
      fc.asyncProperty(
        fc.array(document, { maxLength: 8, size: 'max' }),
        firstOptions,
        fc.array(fc.tuple(stepsAndTrials, fc.option(fc.nat(12))), { minLength: 1, maxLength: 10, size: 'max' }),
        async (first, atFirst, history) => {
          const followed = new Followed(atFirst);
          try {
            for (const [name, text] of first) followed.put(name, text);
            await followed.scan();
            let now = atFirst;
            for (const [step, patience] of history) {
              let what: string = step.type;
              const monitor = monitorOf(patience);
              if (step.type === 'options') {
                now = changedOptions(now, step.changes);
                what = await followed.turnTo(now, monitor);
              } else if (step.type === 'categories') {
                what = 'groups';
                await followed.choose(step.choice, monitor);
              } else if (step.type === 'overrides') await followed.override(step.choice, monitor);
              else if (step.type === 'trial') {
                what = await followed.try(now, step.changes, patience ?? Infinity);
              } else if (step.type === 'restart') await followed.restart();
              else if (step.type === 'renewal' || step.type === 'renewInVain') {
                const began = await followed.renew(step.type === 'renewal' ? Infinity : (patience ?? 0));
                what = began ? 'renewal' : 'renewInVain';
                if (began) assert.deepEqual(followed.findings, followed.expectedAnew(now));
              } else if (step.type === 'beginIndex') await followed.prepare(step.after);
              else {
                for (const [name, text] of changesOf(step, followed.texts)) followed.put(name, text);
                if (patience !== null) await followed.update(monitor);
                await followed.update(patient);
              }
              done.set(what, (done.get(what) ?? 0) + 1);
              const { findings } = followed;
              groups += findings.groups.length;
              assert.deepEqual(findings, followed.expected(now));
              const counted = followed.counted();
              if (counted === undefined) continue;
              countedTimes++;
              assert.deepEqual(counted, countsIn(findings.totals));
            }
          } finally {
            followed.end();
          }
        },
      ),
      // A failing history is more useful immediately than after minutes of shrinking.
      { numRuns: scaled(100), endOnFailure: true },
    );
    assert.ok(countedTimes > scaled(100), `files were counted only ${countedTimes} times`);
    assert.ok(groups > scaled(100), `only ${groups} groups were found`);
    if (!reachesAllCases) return;
    const changes = ['put', 'remove', 'rename', 'edit'];
    const others = ['overrides', 'restart', 'renewal', 'renewInVain', 'beginIndex', 'trial', 'trialInVain', ...works];
    for (const what of [...changes, ...others]) {
      assert.ok((done.get(what) ?? 0) > 0, `${what} was never tried`);
    }
  });

  test('reports the files that the listing skips now', async () => {
    const folder = makeFolder({ 'a.ts': 'export const one = 1;\n' });
    const { live } = await scanToFollow(requestOf(await inputOf(folder)), patient, 'index');
    const skippedAfter = async (act: () => void, ...touched: readonly string[]): Promise<readonly string[]> => {
      act();
      const findings = await live!.update(await inputOf(folder), new Set(touched), patient);
      return findings!.skipped.map((file) => file.path);
    };
    const link = path.join(folder, 'link.ts');
    assert.deepEqual(await skippedAfter(() => writeFileSync(path.join(folder, 'a.ts'), '2;\n'), 'a.ts'), []);
    assert.deepEqual(await skippedAfter(() => symlinkSync('nowhere', link)), ['link.ts']);
    assert.deepEqual(await skippedAfter(() => rmSync(link)), []);
    removeFolder(folder);
  });
});
