/**
 * Finds all near-duplicates across the repositories of an index. The findings equal those of one scan with each
 * repository as a folder.
 */
import { Corpus } from '../../core/engine/corpus.ts';
import { createMemory, Kernel } from '../../core/engine/kernel.ts';
import { fileLexicons } from '../../core/engine/languages/allLexicons.ts';
import { matchRecordBytes, readMatch } from '../../core/engine/matches/matchRecord.ts';
import type { Options } from '../../core/engine/options.ts';
import type { Findings } from '../../core/engine/report/report.ts';
import { hash64 } from '../../core/methods/hash64.ts';
import { configuredPaths } from '../../scan/indexer/configuredPaths.ts';
import { endOf } from '../../scan/indexer/endOf.ts';
import { leaveAllSteps } from '../../scan/indexer/earlierMatches.ts';
import { matchPlan } from '../../scan/indexer/matchPlan.ts';
import type { ScanMonitor } from '../../scan/indexer/scanInput.ts';
import { nodeSystem } from '../../scan/indexer/nodeSystem.ts';
import { startScanThreads } from '../../scan/indexer/scanThread.ts';
import type { DuckDB } from '../folder/duckdb.ts';
import { FinishedSteps, type Step, type StepResult } from '../folder/finishedSteps.ts';
import { IndexError } from '../folder/indexError.ts';
import type { IndexFolder, RepositoryState } from '../folder/indexFolder.ts';
import { prefixOf, type Repository, repositoryOfState, type StoredDocuments } from './catalogue.ts';
import { contentBytes, type LoadedContents, loadContents } from './loadedContents.ts';
import type { Method } from './method.ts';
import { measureRarity } from './rarity.ts';
import { type Partitions, readDocuments } from './folderContents.ts';
import { beginEpoch } from './epoch.ts';
import { type FoundSeeds, placeSeeds, SeedSearch, seedWords } from './seedSearch.ts';

export interface ComparedIndex {
  readonly index: IndexFolder;
  readonly duckdb: DuckDB;
  readonly partitions: Partitions;
  readonly method: Method;
}

export interface Compared {
  readonly findings: Findings;
  readonly repositories: readonly Repository[];
  readonly method: Method;
}

export interface Comparing {
  /** Path of the script that scan threads run. See `methodOf`. */
  readonly scanThread: URL;
  /** Number of scan threads. */
  readonly workers: number;
  readonly monitor: ScanMonitor;
  /** Called with the last finished step, if an interrupted comparison continues after it. */
  readonly onContinue?: (step: Step) => void;
}

/**
 * Compares all documents, or continues an interrupted comparison of the same documents.
 *
 * @returns undefined if the comparison is canceled
 */
export async function compareAll(
  { index, duckdb, partitions, method }: ComparedIndex,
  { scanThread, workers, monitor, onContinue }: Comparing,
): Promise<Compared | undefined> {
  const { options } = method;
  const states = index.repositories();
  const source = partitions.contentsOf(states);
  const stored = await readDocuments(index, duckdb, states, source);
  const steps = stepsOf(index, method, states);
  const finishedStep = (step: Step): StepResult | undefined => {
    const result = steps.read(step);
    if (result) onContinue?.(step);
    return result;
  };
  const matches = finishedStep('matches');
  let seeds: FoundSeeds | undefined = matches && { words: new Uint32Array(), truncated: matches.truncated };
  seeds ??= finishedStep('pairs');
  if (seeds === undefined) {
    seeds = await new SeedSearch(index, duckdb, options, monitor).run(source, stored);
    if (seeds === undefined) return undefined;
    steps.write('pairs', seeds);
  }
  const kernel = new Kernel(createMemory());
  const idfTable = measureRarity({ source, kernel, stored });
  if (monitor.cancelled()) return undefined;
  beginEpoch(index, states, idfTable);
  const wanted = contentsNeeded(stored, matches ? matchedDocuments(matches.words) : seededDocuments(seeds.words));
  checkMemory(stored, wanted);
  const loaded = loadContents(source, kernel, stored.shapes, wanted);
  const repositories = states.map(repositoryOfState);
  const corpus = corpusOf(kernel, options, loaded, { stored, repositories, idfTable });
  const plan = corpus.beginPlan().complete(placeSeeds(kernel, seeds));
  let records = matches?.words;
  if (records === undefined) {
    const threadsFor = (count: number): ReturnType<typeof startScanThreads> =>
      startScanThreads(count < seedsWorthThread ? 0 : workers - 1, nodeSystem(scanThread), kernel.memory);
    const matched = await matchPlan({ kernel, options, plan, leaving: leaveAllSteps(plan), threadsFor }, monitor);
    if (matched === undefined || monitor.cancelled()) return undefined;
    ({ records } = matched);
    steps.write('matches', { words: records, truncated: seeds.truncated });
  }
  const finished = await endOf(plan.finishSteps(records, { skipped: stored.skipped, complete: true }), monitor);
  if (finished === undefined) return undefined;
  steps.remove();
  return { findings: finished.result, repositories, method };
}

/** Returns the finished steps of a comparison of all documents. */
export function stepsOf(index: IndexFolder, { key }: Method, states: readonly RepositoryState[]): FinishedSteps {
  return new FinishedSteps(index, idOfDocuments(key, states));
}

/**
 * Returns an id of the documents of repositories.
 *
 * @param basis  whatever else a result depends on, as JSON
 */
export function idOfDocuments(basis: unknown, states: readonly RepositoryState[]): string {
  return hash64(JSON.stringify([basis, states.map(({ name, documents }) => [name, documents])])).toString(36);
}

/** Minimum number of seeds for which additional threads pay off. */
export const seedsWorthThread = 10_000;

function* seededDocuments(seeds: Uint32Array): Generator<number> {
  for (let at = 0; at < seeds.length; at += seedWords) {
    yield seeds[at]!;
    yield seeds[at + 1]!;
  }
}

function* matchedDocuments(records: Uint32Array): Generator<number> {
  for (let at = 0; at < records.length; at += matchRecordBytes / 4) {
    const { docA, docB } = readMatch(records, at);
    yield docA;
    yield docB;
  }
}

/** Returns the contents to load: those of the given documents, and of documents that may match as whole files. */
function contentsNeeded({ documents, shapes }: StoredDocuments, numbers: Iterable<number>): Set<number> {
  const needed = new Set<number>();
  for (const number of numbers) needed.add(documents[number]!.content);
  for (const { content } of documents) if (shapes.get(content)!.hasSketch) needed.add(content);
  return needed;
}

/** Maximum size of the loaded documents. The kernel can address 4 GiB; the rest is for grouping. */
const maxBytes = 3 * 2 ** 30;

/**
 * @param remedy  last part of the error message
 * @throws IndexError if the contents do not fit into memory
 */
export function checkMemory(
  { shapes }: StoredDocuments,
  contents: ReadonlySet<number>,
  remedy = 'drop repositories from the index, or search for single passages with kindred org find',
): void {
  const bytes = [...contents].reduce((sum, content) => sum + contentBytes(shapes, content), 0);
  if (bytes <= maxBytes) return;
  const gigabytes = (bytes / 2 ** 30).toFixed(1);
  throw new IndexError(`Comparing needs ${gigabytes} GB of documents in memory, and the limit is 3 GB: ${remedy}.`);
}

/** Documents from which to build a corpus. */
export interface Grouped {
  readonly stored: StoredDocuments;
  readonly repositories: readonly Repository[];
  readonly idfTable: Uint8Array;
}

/** Returns a corpus of all documents. Documents that were not loaded have no token arrays. */
export function corpusOf(
  kernel: Kernel,
  options: Options,
  loaded: LoadedContents,
  { stored, repositories, idfTable }: Grouped,
): Corpus {
  const roots = repositories.map((repository) => ({ ...repository.rules, prefix: prefixOf(repository) }));
  const paths = configuredPaths(roots, fileLexicons([]));
  const corpus = new Corpus(kernel, options, idfTable, paths.chosen, paths.leastOf);
  for (const { path, content, part } of stored.documents)
    if (part === 'text') corpus.adopt(path, loaded.place(content));
  return corpus;
}
