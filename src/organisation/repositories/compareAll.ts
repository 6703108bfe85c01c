/**
 * Finds all near-duplicates across all repositories. A run finds the matches; the engine then makes groups and rows of
 * them as in a scan. The findings equal those of one scan with each repository as a folder.
 */
import { Corpus } from '../../core/engine/corpus.ts';
import { createMemory, Kernel } from '../../core/engine/kernel.ts';
import { fileLexicons } from '../../core/engine/languages/lexicon.ts';
import type { Options } from '../../core/engine/options.ts';
import { joinRecords } from '../../core/engine/matches/matches.ts';
import { matchDocAWord, matchDocBWord, matchWords } from '../../core/kernel/matches/matchRecordLayout.ts';
import type { Findings } from '../../core/engine/report/report.ts';
import { lastOf } from '../../core/engine/steps.ts';
import { configuredPaths } from '../../scan/indexer/configuredPaths.ts';
import type { Database } from '../database/openDatabase.ts';
import { DatabaseError } from '../database/databaseError.ts';
import { noRepository, prefixOf, readRepositories, type Repository, type StoredDocuments } from './catalogue.ts';
import { keepingContents } from './locks.ts';
import { groupingTask } from './matchTask.ts';
import { checkMethod, type Method, storedMethod } from './method.ts';
import { contentBytes, type LoadedContents, loadContents, payloadsOf } from './payloads.ts';
import { keepRarity, tokensOf } from './rarity.ts';
import { beginRun, type Run, type RunMonitor } from './run.ts';
import type { SeedResult } from './seedTask.ts';
import { rarityOf, readRunContents, stateOf, workOn } from './work.ts';

export interface Compared {
  readonly findings: Findings;
  readonly repositories: readonly Repository[];
  readonly method: Method;
}

export interface Comparing {
  /** See `methodOf`. */
  readonly scanThread: URL;
  readonly monitor: RunMonitor;
  /** Called if there is work. Starts other workers, and returns a function that stops them. */
  readonly startWorkers: () => () => void;
}

/** Returns `undefined` if it is cancelled. Completed tasks are kept for the next comparison. */
export async function compareAll(database: Database, comparing: Comparing): Promise<Compared | undefined> {
  const { home } = database;
  return keepingContents(home, async () => {
    const method = await storedMethod(home);
    const repositories = await readRepositories(home);
    if (method === undefined || repositories.length === 0) {
      throw noRepository();
    }
    checkMethod(method, comparing.scanThread);
    const generations = repositories.map(({ id, name, generation }) => [{ id, name }, generation] as const);
    const contents = await readRunContents(home, generations);
    const { stored, partTasks, matchTasks } = contents;
    const state = stateOf(method, stored);
    const counts = { near: partTasks, seeds: partTasks, matches: matchTasks };
    const { run } = await beginRun(home, state, generations, counts);
    const endWorkers = comparing.startWorkers();
    try {
      if (!(await workOn(database, method.options, run, contents, comparing.monitor))) return undefined;
    } finally {
      endWorkers();
    }
    const idfTable = await rarityOf(run);
    await keepRarity(home, state, tokensOf(stored), idfTable);
    const findings = await group(database, method, run, { stored, repositories, idfTable });
    return { findings, repositories, method };
  });
}

/** Documents to be grouped. */
export interface Grouped {
  readonly stored: StoredDocuments;
  readonly repositories: readonly Repository[];
  readonly idfTable: Uint8Array;
}

/** Makes groups and rows of the matches. Documents without matches are loaded only if they can match as whole files. */
async function group(
  database: Database,
  { options }: Method,
  run: Run,
  { stored, repositories, idfTable }: Grouped,
): Promise<Findings> {
  const pieces = await run.pieces('matches', groupingTask);
  const records = joinRecords(pieces.map(asWords));
  const wanted = contentsNeeded(stored, records);
  checkMemory(stored, wanted);
  const kernel = new Kernel(createMemory());
  const loaded = await loadContents(payloadsOf(database), kernel, stored.shapes, wanted);
  const corpus = corpusOf(kernel, options, loaded, { stored, repositories, idfTable });
  const truncated = (await run.results<SeedResult>('seeds')).reduce((sum, result) => sum + result.truncated, 0);
  // The run has already searched and matched the seeds.
  const plan = corpus.beginPlan().complete({ address: 0, count: 0, truncated });
  return lastOf(plan.finishSteps(records, { skipped: stored.skipped, complete: true }));
}

/** Returns the corpus of all documents. Those that were not loaded have no arrays. */
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

function asWords(bytes: Buffer): Uint32Array {
  return new Uint32Array(new Uint8Array(bytes).buffer);
}

function contentsNeeded({ documents, shapes }: StoredDocuments, records: Uint32Array): Set<number> {
  const needed = new Set<number>();
  for (let at = 0; at < records.length; at += matchWords) {
    needed.add(documents[records[at + matchDocAWord]!]!.content).add(documents[records[at + matchDocBWord]!]!.content);
  }
  for (const [content, { hasSketch }] of shapes) if (hasSketch) needed.add(content);
  return needed;
}

/** Memory that the kernel can address, minus the share of grouping. */
const maxBytes = 3 * 2 ** 30;

/** @throws DatabaseError if the contents are too large to be grouped */
export function checkMemory({ shapes }: Pick<StoredDocuments, 'shapes'>, contents: ReadonlySet<number>): void {
  const bytes = [...contents].reduce((sum, content) => sum + contentBytes(shapes, content), 0);
  if (bytes <= maxBytes) return;
  const gigabytes = (bytes / 2 ** 30).toFixed(1);
  throw new DatabaseError(
    `Grouping needs ${gigabytes} GB of documents in memory, and the limit is 3 GB: drop repositories from the index, or search for single passages with kindred org find.`,
  );
}
