/**
 * Entry point of tests to the engine: builds a corpus from named texts and returns its findings. Only this file needs
 * to change with the signatures of the engine's entry points.
 */
import assert from 'node:assert/strict';
import type { ReportContext } from '../../src/core/engine/comparison.ts';
import { Corpus } from '../../src/core/engine/corpus.ts';
import type { LiveCorpus } from '../../src/core/engine/liveCorpus.ts';
import {
  documentBytes,
  type DocumentIndex,
  placeDocument,
  shapeOf,
} from '../../src/core/engine/documents/documents.ts';
import { DocumentIndexer } from '../../src/core/engine/documents/indexDocument.ts';
import { createMemory, Kernel, type KernelMemory } from '../../src/core/engine/kernel.ts';
import { lexiconForPath } from '../../src/core/engine/languages/allLexicons.ts';
import { changesBetween, type Work } from '../../src/core/engine/optionChanges.ts';
import { type Match, readMatch, type TokenRange } from '../../src/core/engine/matches/matchRecord.ts';
import { matchWords } from '../../src/core/kernel/matches/matchRecordLayout.ts';
import { seedBitsShift, seedPositionMask } from '../../src/core/kernel/seeds/seedLayout.ts';
import { Matcher } from '../../src/core/engine/matches/matches.ts';
import { defaultOptions, type Options } from '../../src/core/engine/options.ts';
import { passageOf } from '../../src/core/engine/report/passageOf.ts';
import type { Findings, Group, Passage } from '../../src/core/engine/report/report.ts';
import { noMinimum, type MinimumOfPath } from '../../src/core/engine/matches/minimumMatch.ts';
import type { ChosenCategory } from '../../src/core/engine/rows/categories.ts';
import type { PhraseFilter } from '../../src/core/engine/seeds/phrases.ts';
import type { SimilarPassages, SimilarQuery } from '../../src/core/engine/similar/findSimilar.ts';
import { lastOf } from '../../src/core/engine/steps.ts';
import { sound } from '../reportProblems.ts';

/** Texts by file name. The extension determines the language. */
export type Documents = Readonly<Record<string, string>>;

/** Like `Documents`, but with texts or bytes. The bytes are mostly invalid UTF-8. */
export type AnyDocuments = Readonly<Record<string, string | Uint8Array>>;

/** Options that differ from the defaults. */
export type Changes = Partial<Options>;

/**
 * Kernel shared by all tests. Its memory is released after use but not cleared, because old contents must not matter.
 */
const sharedKernel = new Kernel(createMemory());

/** Computes a complete report on this thread. */
export function reportOf(
  corpus: Corpus | LiveCorpus,
  kernel: Kernel,
  options: Options,
  more: Pick<ReportContext, 'isFinal'> = {},
): Findings {
  const plan = lastOf(corpus.planSteps());
  const records = new Matcher(kernel, plan.task, options).matchSeeds(0, plan.task.seeds.count);
  return lastOf(plan.finishSteps(records, { ...context, ...more }));
}

/** A corpus to which tests add texts. */
export class TextCorpus {
  readonly #indexer: DocumentIndexer;
  readonly #kernel: Kernel;
  readonly #options: Options;
  readonly #corpus: Corpus;
  readonly #texts = new Map<string, Uint8Array>();

  /**
   * @param idfTable        table of another corpus, for the same token weights
   * @param chosenCategory  chosen categories, as for `Corpus`; likewise `minimumOf`
   */
  constructor(
    changes: Changes = {},
    kernel = new Kernel(createMemory()),
    idfTable?: Uint8Array,
    chosenCategory?: ChosenCategory,
    minimumOf?: MinimumOfPath,
  ) {
    const options = { ...defaultOptions, ...changes };
    [this.#kernel, this.#options] = [kernel, options];
    this.#indexer = new DocumentIndexer(kernel, options);
    this.#corpus = new Corpus(kernel, options, idfTable, chosenCategory, minimumOf);
  }

  /** Adds a document or replaces the document of the same name. */
  put(path: string, text: string | Uint8Array): void {
    const bytes = bytesOf(text);
    this.#texts.set(path, bytes);
    this.#corpus.adopt(path, this.#index(path, bytes));
  }

  /** Returns a final report, which other tests compare with reports that were updated. */
  findings(): Findings {
    const report = reportOf(this.#corpus, this.#kernel, this.#options, { isFinal: true });
    return sound(report, (path) => textOf(this.#texts.get(path)));
  }

  /** Returns the passages that resemble a text, without a report. The corpus must not be used afterwards. */
  similarOnce(name: string, text: string, query: SimilarQuery, isLinked?: PhraseFilter): SimilarPassages {
    const searched = { bytes: bytesOf(text), lexicon: lexiconForPath(name), query };
    return lastOf(this.#corpus.findSimilarSteps([searched], isLinked))[0];
  }

  /** Returns the table of token weights used for matching. */
  idfTable(): Uint8Array | undefined {
    return this.#corpus.idfTable();
  }

  #index(path: string, bytes: Uint8Array): DocumentIndex {
    const room = this.#indexer.reserve(bytes.length);
    room.set(bytes);
    return this.#indexer.index(room.subarray(0, bytes.length), lexiconForPath(path));
  }
}

/** A live corpus of texts, whose findings are updated incrementally. */
export class LiveTextCorpus {
  kernel: Kernel;
  readonly #memory: () => KernelMemory;
  readonly #texts: Map<string, string | Uint8Array>;
  #options: Options;
  #corpus: LiveCorpus;
  #chosenCategory: ChosenCategory = () => undefined;
  #minimumOf: MinimumOfPath = noMinimum;
  /** Number of incremental updates. */
  updates = 0;

  /** @param memory creates the initial memory, and one for each restart */
  constructor(documents: AnyDocuments, changes: Changes = {}, memory = createMemory) {
    this.#memory = memory;
    this.kernel = new Kernel(memory());
    this.#texts = new Map(Object.entries(documents));
    this.#options = { ...defaultOptions, ...changes };
    this.#corpus = this.#read(undefined);
  }

  put(path: string, text: string | Uint8Array): void {
    this.#texts.set(path, text);
    const bytes = bytesOf(text);
    const room = this.#corpus.reserve(bytes.length);
    room.set(bytes);
    this.#corpus.put(path, room.subarray(0, bytes.length), lexiconForPath(path));
  }

  remove(path: string): void {
    this.#texts.delete(path);
    this.#corpus.remove(path);
  }

  /** Applies other options with the least possible work. Returns the amount of work. */
  turnTo(changes: Changes): Work {
    const options = { ...defaultOptions, ...changes };
    const { work } = changesBetween(this.#options, options);
    this.#options = options;
    if (work === 'tokens') this.#corpus = this.#read(this.idfTable());
    else lastOf(this.#corpus.applyOptionsSteps(options, lexiconForPath));
    return work;
  }

  /** Returns the passages that resemble a text. The extension of `name` determines its language. */
  similar(name: string, text: string, query: SimilarQuery = {}): SimilarPassages {
    const bytes = bytesOf(text);
    const room = this.#corpus.reserve(bytes.length);
    room.set(bytes);
    lastOf(this.#corpus.indexSteps());
    const similar = this.#corpus.findSimilar(room.subarray(0, bytes.length), lexiconForPath(name), query);
    if (similar === undefined) throw new Error('There is no index to ask.');
    return similar;
  }

  /** Applies other categories of paths. */
  choose(chosenCategory: ChosenCategory): void {
    this.#chosenCategory = chosenCategory;
    lastOf(this.#corpus.applyOptionsSteps(this.#options, lexiconForPath, chosenCategory));
  }

  /** Applies other limits for the matches of paths. */
  ask(minimumOf: MinimumOfPath): void {
    this.#minimumOf = minimumOf;
    lastOf(this.#corpus.applyOptionsSteps(this.#options, lexiconForPath, undefined, minimumOf));
  }

  /** Restarts in another memory from the arrays that a store would keep, in any order. */
  restart(): void {
    const idfTable = this.idfTable();
    const stored = [...this.#texts.keys()].map((path) => {
      const index = this.#corpus.document(path)!;
      const shape = shapeOf(index);
      return { path, shape, bytes: this.kernel.bytes.slice(index.tokens, index.tokens + documentBytes(shape)) };
    });
    this.kernel = new Kernel(this.#memory());
    const corpus = new Corpus(this.kernel, this.#options, idfTable, this.#chosenCategory, this.#minimumOf);
    for (const { path, shape, bytes } of stored.reverse()) {
      const address = this.kernel.allocate(bytes.length);
      this.kernel.bytes.set(bytes, address);
      corpus.adopt(path, placeDocument(shape, address));
    }
    this.#corpus = this.#keep(corpus);
  }

  /** Measures a new table of token weights and returns the findings with it. */
  renewIdfTable(): Findings {
    this.findings();
    const plan = lastOf(this.#corpus.planRenewalSteps());
    const records = new Matcher(this.kernel, plan.task, this.#options).matchSeeds(0, plan.task.seeds.count);
    return this.#sound(lastOf(plan.finishSteps(records, context)));
  }

  /** Starts to measure a new table and cancels: during the search for seeds, the matching, and the grouping. */
  renewInVain(): void {
    this.findings();
    const steps = this.#corpus.planRenewalSteps();
    steps.next();
    steps.return(undefined as never);
    const plan = lastOf(this.#corpus.planRenewalSteps());
    const matcher = new Matcher(this.kernel, plan.task, this.#options);
    const records = matcher.matchSeeds(0, plan.task.seeds.count >> 1);
    const finishing = plan.finishSteps(records, context);
    for (let step = 0; step < 3; step++) finishing.next();
    finishing.return(undefined as never);
    plan.abandon();
    assert.throws(() => plan.abandon(), /finished or abandoned/);
  }

  /** Returns the findings with other options, or `undefined` if the options change the tokens. */
  trial(changes: Changes): Findings | undefined {
    const options = { ...defaultOptions, ...changes };
    this.findings();
    if (changesBetween(this.#options, options).work === 'tokens') {
      assert.throws(() => this.#corpus.planTrialSteps(options, lexiconForPath).next(), /read again/);
      return undefined;
    }
    // If too much has changed, the findings come from a comparison of all documents, which makes no index.
    lastOf(this.#corpus.indexSteps());
    const used = this.kernel.usedBytes();
    const plan = lastOf(this.#corpus.planTrialSteps(options, lexiconForPath));
    const records = new Matcher(this.kernel, plan.task, options).matchSeeds(0, plan.task.seeds.count);
    const findings = lastOf(plan.finishSteps(records, context));
    assert.equal(this.kernel.usedBytes(), used);
    return this.#sound(findings);
  }

  /** Starts a trial and cancels it: during the search for seeds, the matching, and the grouping. */
  trialInVain(changes: Changes): void {
    const options = { ...defaultOptions, ...changes };
    const used = this.kernel.usedBytes();
    const steps = this.#corpus.planTrialSteps(options, lexiconForPath);
    steps.next();
    steps.return(undefined as never);
    assert.equal(this.kernel.usedBytes(), used);
    const plan = lastOf(this.#corpus.planTrialSteps(options, lexiconForPath));
    const matcher = new Matcher(this.kernel, plan.task, options);
    const records = matcher.matchSeeds(0, plan.task.seeds.count >> 1);
    const finishing = plan.finishSteps(records, context);
    for (let step = 0; step < 3; step++) finishing.next();
    finishing.return(undefined as never);
    plan.abandon();
    assert.equal(this.kernel.usedBytes(), used);
  }

  /**
   * Compares all documents, starts to build their index, and stops after some steps. The next operation finds it
   * incomplete.
   */
  beginIndex(stepCount: number): Findings {
    const findings = this.#compareAll();
    const steps = this.#corpus.indexSteps();
    for (let step = 0; step < stepCount; step++) steps.next();
    steps.return();
    return findings;
  }

  /** Ingests the changes, one document at a time, and stops after some steps. */
  updateInVain(stepCount: number): void {
    const steps = this.#corpus.updateSteps(context, 1);
    for (let step = 0; step < stepCount; step++) steps.next();
    steps.return(undefined);
  }

  findings(): Findings {
    const findings = lastOf(this.#corpus.updateSteps(context, 2));
    if (findings === undefined) return this.#compareAll();
    this.updates++;
    return this.#sound(findings);
  }

  idfTable(): Uint8Array | undefined {
    return this.#corpus.idfTable();
  }

  #read(idfTable: Uint8Array | undefined): LiveCorpus {
    this.kernel = new Kernel(this.#memory());
    const indexer = new DocumentIndexer(this.kernel, this.#options);
    const corpus = new Corpus(this.kernel, this.#options, idfTable, this.#chosenCategory, this.#minimumOf);
    for (const [path, text] of this.#texts) {
      const bytes = bytesOf(text);
      const room = indexer.reserve(bytes.length);
      room.set(bytes);
      corpus.adopt(path, indexer.index(room.subarray(0, bytes.length), lexiconForPath(path)));
    }
    return this.#keep(corpus);
  }

  #keep(corpus: Corpus): LiveCorpus {
    this.#sound(reportOf(corpus, this.kernel, this.#options));
    return corpus.keep();
  }

  #compareAll(): Findings {
    return this.#sound(reportOf(this.#corpus, this.kernel, this.#options));
  }

  #sound(findings: Findings): Findings {
    return sound(findings, (path) => textOf(this.#texts.get(path)));
  }
}

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

function bytesOf(text: string | Uint8Array): Uint8Array {
  return typeof text === 'string' ? encoder.encode(text) : text;
}

function textOf(text: string | Uint8Array | undefined): string | undefined {
  return text instanceof Uint8Array ? decoder.decode(text) : text;
}

const context = { skipped: [], complete: true };

/** Returns the findings of a new corpus with these documents. */
export function findingsOf(
  documents: AnyDocuments,
  changes: Changes = {},
  idfTable?: Uint8Array,
  chosenCategory?: ChosenCategory,
  minimumOf?: MinimumOfPath,
): Findings {
  const mark = sharedKernel.mark();
  const corpus = new TextCorpus(changes, sharedKernel, idfTable, chosenCategory, minimumOf);
  for (const [path, text] of Object.entries(documents)) corpus.put(path, text);
  const findings = corpus.findings();
  sharedKernel.release(mark);
  return findings;
}

/** A window of one document and an equal window of another document or of the same one, by their first tokens. */
export interface EqualWindows {
  readonly left: number;
  readonly right: number;
  readonly a: number;
  readonly b: number;
}

/** Matches between documents that are numbered by name. */
export interface CorpusMatches {
  /** Seeds of equal windows. */
  readonly seeds: EqualWindows[];
  readonly matches: Match[];
  /** Returns the passages of a match. */
  readonly passagesOf: (match: Match) => readonly [Passage, Passage];
  /** The match of two given passages. */
  readonly matchGiven: (a: TokenRange, b: TokenRange) => Match | undefined;
}

export function matchesOf(documents: Documents, changes: Changes = {}, idfTable?: Uint8Array): CorpusMatches {
  const options = { ...defaultOptions, ...changes };
  const kernel = new Kernel(createMemory());
  const indexer = new DocumentIndexer(kernel, options);
  const corpus = new Corpus(kernel, options, idfTable);
  for (const [path, text] of Object.entries(documents)) {
    const bytes = encoder.encode(text);
    const room = indexer.reserve(bytes.length);
    room.set(bytes);
    corpus.adopt(path, indexer.index(room, lexiconForPath(path)));
  }
  const { task, documents: planned } = lastOf(corpus.planSteps());
  const matcher = new Matcher(kernel, task, options);
  const words = matcher.matchSeeds(0, task.seeds.count);
  const seeds = Array.from({ length: task.seeds.count }, (_, i) => {
    const [left, right, window, b] = kernel.words.subarray((task.seeds.address >>> 2) + 4 * i);
    return { left, right, a: window & seedPositionMask, b, bits: window >>> seedBitsShift };
  });
  const matches = Array.from({ length: words.length / matchWords }, (_, i) => readMatch(words, i * matchWords));
  const matchGiven = (a: TokenRange, b: TokenRange): Match | undefined => matcher.matchPassages(a, b);
  const passagesOf = ({ docA, a0, a1, docB, b0, b1 }: Match): readonly [Passage, Passage] => [
    passageOf(kernel, planned[docA], { start: a0, end: a1 }),
    passageOf(kernel, planned[docB], { start: b0, end: b1 }),
  ];
  return { seeds: seeds.filter(({ bits }) => bits === 0), matches, passagesOf, matchGiven };
}

/** Returns the groups of passages that a new corpus of these documents finds. */
export function groupsOf(documents: Documents, changes: Changes = {}): readonly Group[] {
  return findingsOf(documents, changes).groups.filter(({ kind }) => kind !== 'file');
}

/** Returns the groups of whole files that a new corpus of these documents finds. */
export function fileGroupsOf(documents: Documents, changes: Changes = {}): readonly Group[] {
  return findingsOf(documents, changes).groups.filter(({ kind }) => kind === 'file');
}

/** Returns the places of a group as users see them: `a.ts:3-24`, with one-based inclusive lines. */
export function placesOf(group: Group): string[] {
  return group.passages.map(placeOf);
}

export function placeOf({ path, startLine, endLine }: Passage): string {
  return `${path}:${startLine}-${endLine}`;
}
