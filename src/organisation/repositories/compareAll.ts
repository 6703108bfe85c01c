/**
 * Finds all near-duplicates across the repositories of an index. DuckDB finds near fingerprints (steps.ts);
 * matching and grouping are those of a scan. The findings equal those of one scan with each repository as a folder.
 */
import { Corpus } from '../../core/engine/corpus.ts';
import { createMemory, Kernel } from '../../core/engine/kernel.ts';
import { fileLexicons } from '../../core/engine/languages/lexicon.ts';
import type { Options } from '../../core/engine/options.ts';
import type { Findings } from '../../core/engine/report/report.ts';
import { equalSeeds, seedOfNear } from '../../core/engine/seeds/gatheredWindows.ts';
import { blockCount, mostPartners } from '../../core/engine/seeds/nearPairs.ts';
import { type AllSeeds, sortingBytes, sortSeeds } from '../../core/engine/seeds/seeds.ts';
import { chosenBlocks } from '../../core/methods/permutation.ts';
import { seedBytes } from '../../core/kernel/seeds/seedLayout.ts';
import { configuredPaths } from '../../scan/indexer/configuredPaths.ts';
import { endOf } from '../../scan/indexer/endOf.ts';
import { leaveAllSteps } from '../../scan/indexer/earlierMatches.ts';
import { matchPlan } from '../../scan/indexer/matchPlan.ts';
import type { ScanMonitor } from '../../scan/indexer/scanInput.ts';
import { nodeSystem } from '../../scan/indexer/nodeSystem.ts';
import { startScanThreads } from '../../scan/indexer/scanThread.ts';
import type { DuckDB } from '../folder/duckdb.ts';
import { IndexError } from '../folder/indexError.ts';
import type { IndexFolder } from '../folder/indexFolder.ts';
import {
  addNearPairs,
  addNearSeeds,
  addWindows,
  comparisonTables,
  countCrowded,
  countFingerprints,
  dropComparisonTables,
  makeFingerprints,
  nearSeeds,
  repeatedWindows,
} from '../folder/steps.ts';
import { distanceOf, type View, views } from './blocks.ts';
import { documentParts } from '../../core/engine/documents/namedDocument.ts';
import { prefixOf, type Repository, repositoryOfState, type StoredDocuments } from './catalogue.ts';
import { contentBytes, type LoadedContents, loadContents } from './loadedContents.ts';
import type { Method } from './method.ts';
import { measureRarity } from './rarity.ts';
import { asking, type FolderContents, type Partitions, readDocuments } from './folderContents.ts';
import { beginEpoch } from './epoch.ts';

const seedWords = seedBytes / 4;
/** Partitions in one statement. */
const partitionsAtOnce = 100;

export interface Compared {
  readonly findings: Findings;
  readonly repositories: readonly Repository[];
  readonly method: Method;
}

export interface Comparing {
  /** See `methodOf`. */
  readonly scanThread: URL;
  /** Number of threads. */
  readonly workers: number;
  readonly monitor: ScanMonitor;
}

/** Returns `undefined` if it is cancelled. */
export async function compareAll(
  index: IndexFolder,
  duckdb: DuckDB,
  partitions: Partitions,
  method: Method,
  { scanThread, workers, monitor }: Comparing,
): Promise<Compared | undefined> {
  const { options } = method;
  const states = index.repositories();
  const source = partitions.contentsOf(states);
  const stored = await readDocuments(index, duckdb, states, source);
  const search = new SeedSearch(index, duckdb, options, monitor);
  const seeds = await search.run(source, stored);
  if (seeds === undefined) return undefined;
  const kernel = new Kernel(createMemory());
  const idfTable = measureRarity({ source, kernel, stored });
  if (monitor.cancelled()) return undefined;
  beginEpoch(index, states, idfTable);
  const wanted = contentsNeeded(stored, seeds.words);
  checkMemory(stored, wanted);
  const loaded = loadContents(source, kernel, stored.shapes, wanted);
  const repositories = states.map(repositoryOfState);
  const corpus = corpusOf(kernel, options, loaded, { stored, repositories, idfTable });
  const plan = corpus.beginPlan().complete(placeSeeds(kernel, seeds));
  const threadsFor = (count: number): ReturnType<typeof startScanThreads> =>
    startScanThreads(count < seedsWorthThread ? 0 : workers - 1, nodeSystem(scanThread), kernel.memory);
  const matched = await matchPlan({ kernel, options, plan, leaving: leaveAllSteps(plan), threadsFor }, monitor);
  if (matched === undefined || monitor.cancelled()) return undefined;
  const finished = await endOf(plan.finishSteps(matched.records, { skipped: stored.skipped, complete: true }), monitor);
  return finished && { findings: finished.result, repositories, method };
}

/** Minimum number of seeds for which starting another thread pays off. */
const seedsWorthThread = 10_000;

interface FoundSeeds {
  /** Unsorted. */
  readonly words: Uint32Array;
  readonly truncated: number;
}

/** Copies seeds into the kernel's memory, sorted. */
function placeSeeds(kernel: Kernel, { words, truncated }: FoundSeeds): AllSeeds {
  const count = words.length / seedWords;
  const address = kernel.allocate(words.byteLength);
  kernel.words.set(words, address >>> 2);
  const mark = kernel.mark();
  sortSeeds(kernel, { address, count }, kernel.allocate(sortingBytes(count)));
  kernel.release(mark);
  return { address, count, truncated };
}

/** Returns the contents of documents with seeds, and of those that can match as whole files. */
function contentsNeeded({ documents, shapes }: StoredDocuments, seeds: Uint32Array): Set<number> {
  const needed = new Set<number>();
  for (let at = 0; at < seeds.length; at += seedWords) {
    needed.add(documents[seeds[at]!]!.content).add(documents[seeds[at + 1]!]!.content);
  }
  for (const { content } of documents) if (shapes.get(content)!.hasSketch) needed.add(content);
  return needed;
}

/** Memory that the kernel can address, minus the share of grouping. */
const maxBytes = 3 * 2 ** 30;

/** @throws IndexError if the contents are too large to be grouped */
function checkMemory({ shapes }: StoredDocuments, contents: ReadonlySet<number>): void {
  const bytes = [...contents].reduce((sum, content) => sum + contentBytes(shapes, content), 0);
  if (bytes <= maxBytes) return;
  const gigabytes = (bytes / 2 ** 30).toFixed(1);
  throw new IndexError(
    `Grouping needs ${gigabytes} GB of documents in memory, and the limit is 3 GB: drop repositories from the index, or search for single passages with kindred org find.`,
  );
}

/** Documents to be grouped. */
interface Grouped {
  readonly stored: StoredDocuments;
  readonly repositories: readonly Repository[];
  readonly idfTable: Uint8Array;
}

/** Returns the corpus of all documents. Those that were not loaded have no arrays. */
function corpusOf(
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

/** Finds the seeds of all documents. Reports each statement as a step. */
class SeedSearch {
  readonly #index: IndexFolder;
  readonly #duckdb: DuckDB;
  readonly #options: Options;
  readonly #monitor: ScanMonitor;
  readonly #seeds: Uint32Array[] = [];

  constructor(index: IndexFolder, duckdb: DuckDB, options: Options, monitor: ScanMonitor) {
    this.#index = index;
    this.#duckdb = duckdb;
    this.#options = options;
    this.#monitor = monitor;
  }

  /** Returns `undefined` if it is cancelled. */
  async run(contents: FolderContents, stored: StoredDocuments): Promise<FoundSeeds | undefined> {
    await asking(this.#index, () => this.#readWindows(contents, stored));
    const different = await this.#countFingerprints();
    let truncated = 0;
    for (const view of views) {
      if (!(await this.#findNear(view, different.get(view) ?? 0, (crowded) => (truncated += crowded))))
        return undefined;
    }
    await this.#takeNear();
    for (const view of views) {
      if (this.#monitor.cancelled()) return undefined;
      await this.#takeEqual(view);
    }
    await this.#duckdb.run(dropComparisonTables);
    const words = new Uint32Array(this.#seeds.reduce((sum, { length }) => sum + length, 0));
    let end = 0;
    for (const some of this.#seeds) {
      words.set(some, end);
      end += some.length;
    }
    return { words, truncated };
  }

  async #readWindows({ partitions, bases }: FolderContents, { documents }: StoredDocuments): Promise<void> {
    await this.#duckdb.run(comparisonTables);
    const columns = [
      Uint32Array.from(documents, ({ content }) => content),
      Uint8Array.from(documents, ({ part }) => documentParts.indexOf(part)),
      Uint32Array.from(documents, (_, number) => number),
    ];
    await this.#duckdb.append('document', columns, documents.length);
    const windows = partitions.map((partition, i) => ({ file: partition.file('windows.parquet'), base: bases[i]! }));
    for (let from = 0; from < windows.length; from += partitionsAtOnce) {
      await this.#duckdb.run(addWindows(windows.slice(from, from + partitionsAtOnce)));
    }
    await this.#duckdb.run(makeFingerprints);
  }

  async #countFingerprints(): Promise<Map<View, number>> {
    const rows = await this.#duckdb.rows<{ view: View; fingerprints: number }>(countFingerprints);
    return new Map(rows.map(({ view, fingerprints }) => [view, fingerprints]));
  }

  /** Finds the near pairs of a view, and adds the first windows of those that are kept. Returns false if cancelled. */
  async #findNear(view: View, different: number, onCrowded: (crowded: number) => void): Promise<boolean> {
    const distance = distanceOf(view, this.#options);
    if (distance === 0 || different === 0) return true;
    const keys = chosenBlocks(blockCount(different, distance), distance);
    await this.#duckdb.run('DELETE FROM near');
    for (const [i, key] of keys.entries()) {
      if (this.#monitor.cancelled()) return false;
      this.#monitor.onProgress({ phase: 'matching', done: i, total: keys.length });
      await this.#duckdb.run(addNearPairs(view, distance, key));
    }
    const most = mostPartners(different, distance);
    const [row] = await this.#duckdb.rows<{ crowded: number }>(countCrowded(most));
    onCrowded(row!.crowded);
    await this.#duckdb.run(addNearSeeds(view, most));
    return true;
  }

  async #takeNear(): Promise<void> {
    const [x, xPosition, y, yPosition, bits] = await this.#duckdb.columns(nearSeeds, 5);
    const seeds = new Uint32Array(x!.count * seedWords);
    let end = 0;
    for (let i = 0; i < x!.count; i++) {
      const first = { document: x!.words[i]!, position: xPosition!.words[i]! };
      const second = { document: y!.words[i]!, position: yPosition!.words[i]! };
      const seed = seedOfNear(first, second, bits!.words[i]!);
      if (seed === undefined) continue;
      seeds.set(seed, end);
      end += seedWords;
    }
    this.#seeds.push(seeds.subarray(0, end));
  }

  async #takeEqual(view: View): Promise<void> {
    const [fingerprints, documents, positions] = await this.#duckdb.columns(repeatedWindows(view), 3);
    if (fingerprints!.count === 0) return;
    const gathered = { fingerprints: fingerprints!.wide, documents: documents!.words, positions: positions!.words };
    this.#seeds.push(equalSeeds(new Kernel(createMemory()), gathered));
  }
}
