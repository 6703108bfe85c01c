/**
 * Invariant of the worker: it reports what a new corpus of the current texts finds. This holds after any history of
 * files on disk and elsewhere, editor texts, folders, options, cancellations, and crashes, at any pace.
 */
import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import fc from 'fast-check';
import { reachesAllCases, scaled } from '../../scripts/scaled.mjs';
import type { MinimumOfPath } from '../../src/core/engine/matches/minimumMatch.ts';
import { defaultOptions, type Options } from '../../src/core/engine/options.ts';
import type { Group, Totals } from '../../src/core/engine/report/report.ts';
import type { Category } from '../../src/core/engine/rows/category.ts';
import { defaultSourceOptions } from '../../src/scan/io/sources.ts';
import type {
  Answer,
  Overlay,
  ReportResponse,
  Request,
  Root,
  UpdateRequest,
} from '../../src/session/protocol/messages.ts';
import { unpackGroups } from '../../src/scan/io/packedGroups.ts';
import { changeGroups } from '../../src/session/protocol/packedFindings.ts';
import { type Changes, findingsOf } from '../engine/corpusOf.ts';
import {
  changedOptions,
  changesOf,
  choiceGlobs,
  choices,
  document,
  type DocumentStep,
  minimumChoices,
  options,
  overrideChoices,
  steps,
} from '../engine/histories.ts';
import { storeAt } from '../indexer/scanning.ts';
import { makeFolder, removeFolder } from '../io/temporaryFolder.ts';
import { untilStored, WorkerThread } from './conversation.ts';
import { MemoryFiles } from './memoryFiles.ts';

const decoder = new TextDecoder();
/**
 * The index is written after three quiet seconds. No message reports this, and some histories leave nothing to write,
 * so the test cannot wait for it.
 */
const writtenMs = 4_500;

/** Location of a text. */
type Place = 'disk' | 'elsewhere' | 'editor';

/** State of a report. */
interface ShownReport {
  readonly totals: Totals;
  readonly groups: readonly Group[];
}

/** An action and the time to wait for its answer in milliseconds. `undefined` waits until the answer arrives. */
type WindowStep = { readonly patience: number | undefined; readonly isCancelled: boolean } & (
  | { readonly type: 'documents'; readonly place: Place; readonly step: DocumentStep }
  | { readonly type: 'save' | 'revert' | 'folders' | 'death' | 'quiet' }
  | { readonly type: 'options'; readonly change: (before: Changes) => Changes }
  | { readonly type: 'categories' | 'overrides'; readonly choice: number }
);

/**
 * A window: the content of its folders and editors, and the report that it shows. It sends the same requests as the
 * extension's host.
 */
class Window {
  readonly #folder = makeFolder({});
  readonly #storage = makeFolder({});
  readonly #wantedGeneration = new Int32Array(new SharedArrayBuffer(4));
  readonly #disk = new Map<string, string>();
  readonly #elsewhere = new MemoryFiles();
  readonly #editors = new Map<string, string>();
  #options: Changes;
  #hasElsewhere = true;
  /** Assigned categories of the folder on disk. */
  #choice = 0;
  #override = 0;
  #worker = this.#start();
  #workerKnowsScan = false;
  #generation = 0;
  #pending: { readonly generation: number; readonly resolve: () => void } | undefined;
  #answered: Promise<void> = Promise.resolve();
  #missed: ReportResponse | undefined;
  #shown: (ShownReport & { readonly generation: number }) | undefined;
  readonly problems: string[] = [];
  readonly done = new Map<string, number>();

  constructor(changes: Changes) {
    this.#options = changes;
    this.#scan();
  }

  async take(step: WindowStep): Promise<void> {
    this.done.set(step.type, (this.done.get(step.type) ?? 0) + 1);
    switch (step.type) {
      case 'documents':
        this.#change(step.place, step.step);
        break;
      case 'save':
        this.#save();
        break;
      case 'revert':
        this.#dropEditors();
        break;
      case 'folders':
        this.#hasElsewhere = !this.#hasElsewhere;
        this.#scan();
        break;
      case 'options':
        this.#options = step.change(this.#options);
        this.#scan();
        break;
      case 'categories':
        this.#choice = step.choice;
        this.#scan();
        break;
      case 'overrides':
        this.#override = step.choice;
        this.#scan();
        break;
      case 'quiet':
        await setTimeout(writtenMs);
        break;
      case 'death':
        await this.#worker.terminate();
        this.#worker = this.#start();
        this.#workerKnowsScan = false;
        this.#missed = undefined;
        this.#update({});
    }
    if (step.patience === undefined) await this.#answered;
    else await setTimeout(step.patience);
    if (step.isCancelled) this.#cancel();
  }

  /** Returns the shown state after everything settles, and the expected one. */
  async end(): Promise<{ readonly shown: ShownReport | undefined; readonly expected: ShownReport }> {
    try {
      this.#update({});
      await this.#answered;
      const shown = this.#shown && { totals: this.#shown.totals, groups: this.#shown.groups };
      const texts = this.#texts();
      // Only the store, which is written after each report, has the table of weights.
      const askedAt = Date.now();
      this.#write('last.ts', 'const last = 1;\n');
      this.#update({ paths: ['disk/last.ts'] });
      await this.#answered;
      await untilStored(this.#storage, askedAt);
      const store = storeAt(path.join(this.#storage, 'index'), { ...defaultOptions, ...this.#options });
      const { idfTable } = store.matches()!.epoch;
      const chosenCategory = (name: string): Category | undefined =>
        name.startsWith('disk/') ? choices[this.#choice](name.slice('disk/'.length)) : undefined;
      const minimumOf: MinimumOfPath = (name) =>
        name.startsWith('disk/') ? minimumChoices[this.#override](name.slice('disk/'.length)) : undefined;
      const { totals, groups } = findingsOf(
        Object.fromEntries(texts),
        this.#options,
        idfTable,
        chosenCategory,
        minimumOf,
      );
      return { shown, expected: { totals, groups } };
    } finally {
      await this.#worker.terminate();
      removeFolder(this.#folder);
      removeFolder(this.#storage);
    }
  }

  /** Returns the current texts by their names in the report. */
  #texts(): Map<string, string> {
    const texts = new Map([...this.#disk].map(([name, text]) => [`disk/${name}`, text]));
    if (this.#hasElsewhere) for (const [name, text] of this.#textsIn('elsewhere')) texts.set(`elsewhere/${name}`, text);
    for (const { path: name, text, overFile } of this.#overlays())
      if (!overFile || texts.has(name)) texts.set(name, text);
    return texts;
  }

  #change(place: Place, step: DocumentStep): void {
    const before = this.#textsIn(place);
    const changes = changesOf(step, before);
    if (place === 'editor') this.#type(changes);
    else {
      for (const [name, text] of changes) {
        if (place === 'disk') this.#write(name, text);
        else if (text === undefined) this.#elsewhere.delete(name);
        else this.#elsewhere.write(name, text);
      }
      if (place === 'elsewhere' && !this.#hasElsewhere) return;
      this.#update({ paths: changes.map(([name]) => `${place}/${name}`) });
    }
  }

  #textsIn(place: Place): Map<string, string> {
    if (place === 'disk') return this.#disk;
    if (place === 'elsewhere') {
      return new Map([...this.#elsewhere.files].map(([name, { bytes }]) => [name, decoder.decode(bytes)]));
    }
    return new Map([...this.#disk, ...this.#editors]);
  }

  #write(name: string, text: string | undefined): void {
    const file = path.join(this.#folder, name);
    if (text === undefined) {
      rmSync(file, { force: true });
      this.#disk.delete(name);
      return;
    }
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
    this.#disk.set(name, text);
  }

  #type(changes: readonly (readonly [string, string | undefined])[]): void {
    const dropped: string[] = [];
    for (const [name, text] of changes) {
      if (text !== undefined) this.#editors.set(name, text);
      else if (this.#editors.delete(name)) dropped.push(`disk/${name}`);
    }
    const names = new Set(changes.map(([name]) => `disk/${name}`));
    this.#update({ overlays: this.#overlays().filter((overlay) => names.has(overlay.path)), dropped });
  }

  #overlays(): Overlay[] {
    return [...this.#editors].map(([name, text]) => ({ path: `disk/${name}`, text, overFile: true }));
  }

  #save(): void {
    const names = [...this.#editors.keys()].map((name) => `disk/${name}`);
    for (const [name, text] of this.#editors) this.#write(name, text);
    this.#editors.clear();
    this.#update({ paths: names, dropped: names });
  }

  #dropEditors(): void {
    const names = [...this.#editors.keys()].map((name) => `disk/${name}`);
    this.#editors.clear();
    this.#update({ dropped: names });
  }

  #scan(): void {
    const [categories, overrides] = [choiceGlobs[this.#choice], overrideChoices[this.#override]];
    const sources = { ...defaultSourceOptions, categories, overrides };
    const roots: Root[] = [{ folder: this.#folder, prefix: 'disk/', sources }];
    if (this.#hasElsewhere) {
      roots.push({ uri: 'memory:/', prefix: 'elsewhere/', inner: [], sources: defaultSourceOptions });
    }
    const own: Options = { ...defaultOptions, ...this.#options };
    this.#workerKnowsScan = true;
    this.#ask({
      type: 'scan',
      generation: ++this.#generation,
      roots,
      options: own,
      languages: [],
      workers: 1,
      memoryMB: 0,
      overlays: this.#overlays(),
      storage: this.#storage,
      recall: this.#shown === undefined,
      ignored: [],
    });
  }

  #update(changes: Partial<UpdateRequest>, has = this.#shown?.generation ?? 0): void {
    if (!this.#workerKnowsScan) this.#scan();
    else {
      const generation = ++this.#generation;
      this.#ask({ type: 'update', generation, paths: [], overlays: [], dropped: [], has, ...changes });
    }
  }

  #cancel(): void {
    Atomics.store(this.#wantedGeneration, 0, ++this.#generation);
  }

  #ask(request: Request): void {
    Atomics.store(this.#wantedGeneration, 0, request.generation);
    this.#pending?.resolve();
    this.#answered = new Promise((resolve) => (this.#pending = { generation: request.generation, resolve }));
    void this.#worker.call('run', request).then((answer) => this.#receive(answer, request.generation));
  }

  #start(): WorkerThread {
    const later = <Value>(answer: () => Value): Promise<Value> =>
      new Promise((resolve) => setImmediate(() => resolve(answer())));
    const worker = new WorkerThread(this.#wantedGeneration, {
      readFolder: (uri, path) => later(() => this.#elsewhere.readFolder(uri, path)),
      readFile: (question) => later(() => this.#elsewhere.readFile(question)),
    });
    worker.onDidSay((notice) => {
      if (notice.type === 'warning') this.problems.push(notice.message);
    });
    worker.onDidFail((error) => this.problems.push(String(error)));
    return worker;
  }

  #receive(response: Answer, generation: number): void {
    if (generation !== this.#pending?.generation) {
      if (response.type === 'report' && response.findings.complete) this.#missed = response;
      return;
    }
    const report = response.type === 'unchanged' ? this.#missed : response.type === 'report' ? response : undefined;
    this.#missed = undefined;
    if (response.type === 'failed') this.problems.push(response.stack);
    if (report && !this.#show(report)) {
      const { resolve } = this.#pending;
      this.#pending = undefined;
      this.#update({}, 0);
      void this.#answered.then(resolve);
      return;
    }
    this.#pending.resolve();
  }

  /** Returns true if it could be shown. A report may refer to an earlier one that this window does not have. */
  #show({ findings, generation }: ReportResponse): boolean {
    if (!findings.complete) return true;
    const { base, totals } = findings;
    if (base && base.generation !== this.#shown?.generation) return false;
    const groups = base ? changeGroups({ ...findings, base }, this.#shown!.groups).groups : [...unpackGroups(findings)];
    this.#shown = { generation, totals, groups };
    return true;
  }
}

const patience = fc.option(fc.integer({ min: 0, max: 60 }), { nil: undefined });
const isCancelled = fc.integer({ min: 0, max: 9 }).map((n) => n === 0);
const windowStep: fc.Arbitrary<WindowStep> = fc
  .tuple(
    fc.oneof(
      {
        weight: 16,
        arbitrary: fc.record({
          type: fc.constant('documents' as const),
          place: fc.constantFrom('disk' as const, 'elsewhere' as const, 'editor' as const),
          step: steps.filter((step): step is DocumentStep => 'path' in step || 'from' in step || 'documents' in step),
        }),
      },
      {
        weight: 4,
        arbitrary: steps
          .filter((step) => step.type === 'options')
          .map(({ changes }) => ({
            type: 'options' as const,
            change: (before: Changes) => changedOptions(before, changes),
          })),
      },
      {
        weight: 2,
        arbitrary: fc.record({
          type: fc.constantFrom('categories' as const, 'overrides' as const),
          // Both lists have the same length.
          choice: fc.nat(choices.length - 1),
        }),
      },
      {
        weight: 8,
        arbitrary: fc
          .constantFrom('save' as const, 'save' as const, 'revert' as const, 'folders' as const, 'death' as const)
          .map((type) => ({ type })),
      },
      { weight: 1, arbitrary: fc.constant({ type: 'quiet' as const }) },
    ),
    patience,
    isCancelled,
  )
  .map(([step, patience, isCancelled]) => ({ ...step, patience, isCancelled }));
const history = fc.tuple(
  options,
  fc.array(document, { maxLength: 8, size: 'max' }),
  fc.array(windowStep, { maxLength: 14, size: 'max' }),
);

suite('a worker', () => {
  test('reports what a new corpus finds, after any history', async () => {
    let groups = 0;
    const done = new Map<string, number>();
    await fc.assert(
      // Histories mostly wait, so many run at once.
      fc.asyncProperty(fc.array(history, { minLength: 12, maxLength: 12 }), async (histories) => {
        const ends = await Promise.all(
          histories.map(async ([first, documents, windowSteps]) => {
            const window = new Window(first);
            await window.take({
              type: 'documents',
              place: 'disk',
              step: { type: 'put', documents },
              patience: undefined,
              isCancelled: false,
            });
            for (const step of windowSteps) await window.take(step);
            for (const [what, count] of window.done) done.set(what, (done.get(what) ?? 0) + count);
            return { ...(await window.end()), problems: window.problems };
          }),
        );
        for (const { shown, expected, problems } of ends) {
          assert.deepEqual(problems, []);
          assert.deepEqual(shown, expected);
          groups += expected.groups.length;
        }
      }),
      { numRuns: scaled(2), endOnFailure: true },
    );
    assert.ok(groups > scaled(20), `only ${groups} groups were found`);
    if (!reachesAllCases) return;
    for (const what of ['documents', 'options', 'categories', 'overrides', 'save', 'revert', 'folders', 'death']) {
      assert.ok((done.get(what) ?? 0) > 0, `${what} was never tried`);
    }
  });
});
