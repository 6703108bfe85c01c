/**
 * Runs the steps of a comparison separately, so that they can be distributed to several machines: find candidate pairs,
 * align some of the pairs, group some of the matches. Together, the steps produce the same findings as `compareAll`.
 */
import { type DocumentName, documentParts } from '../../core/engine/documents/namedDocument.ts';
import { createMemory, Kernel } from '../../core/engine/kernel.ts';
import { type Match, matchRecordBytes, readMatch, writeMatch } from '../../core/engine/matches/matchRecord.ts';
import type { CorpusPlan } from '../../core/engine/comparison.ts';
import { seedBitsShift, seedPositionMask } from '../../core/kernel/seeds/seedLayout.ts';
import { endOf } from '../../scan/indexer/endOf.ts';
import { matchOnThreads } from '../../scan/indexer/matchOnThreads.ts';
import { nodeSystem } from '../../scan/indexer/nodeSystem.ts';
import type { ScanMonitor } from '../../scan/indexer/scanInput.ts';
import { startScanThreads } from '../../scan/indexer/scanThread.ts';
import { IndexError } from '../folder/indexError.ts';
import type { IndexFolder, RepositoryState } from '../folder/indexFolder.ts';
import { prefixOf, repositoryOfState, type StoredDocuments } from './catalogue.ts';
import {
  checkMemory,
  type Compared,
  type ComparedIndex,
  type Comparing,
  corpusOf,
  idOfDocuments,
  seedsWorthThread,
  stepsOf,
} from './compareAll.ts';
import { matchFields, type MatchRows, type PairRows, type ReadRows, type RowEnds } from './comparisonRows.ts';
import { beginEpoch } from './epoch.ts';
import type { EpochWeights } from './findSimilarIn.ts';
import { readDocuments } from './folderContents.ts';
import { loadContents } from './loadedContents.ts';
import { measureRarity } from './rarity.ts';
import { type FoundSeeds, placeSeeds, SeedSearch, seedWords } from './seedSearch.ts';
import { type SparkPlan, sparkPlan } from './sparkPlan.ts';

/**
 * Measures the weights of the steps, and returns the plan of a comparison on Spark; `undefined` if it is cancelled, and
 * `matched` if an interrupted comparison has found the matches.
 */
export async function planForSpark(
  { index, duckdb, partitions, method }: ComparedIndex,
  monitor: ScanMonitor,
): Promise<SparkPlan | 'matched' | undefined> {
  const states = index.repositories();
  const steps = stepsOf(index, method, states);
  if (steps.read('matches')) return 'matched';
  const source = partitions.contentsOf(states);
  const stored = await readDocuments(index, duckdb, states, source);
  if (monitor.cancelled()) return undefined;
  beginEpoch(index, states, measureRarity({ source, kernel: new Kernel(createMemory()), stored }));
  return sparkPlan(method.options, {
    state: stateOf(index, states),
    folder: index.folder,
    saved: steps.sparkFolder,
    repositories: states.map((state) => [prefixOf(state), state.documents]),
    partitions: source.partitions.map(({ id }) => id),
    windows: source.partitions.reduce((sum, { description }) => sum + description.windows, 0),
  });
}

/**
 * Returns the candidate pairs of all documents; `undefined` if canceled. Also measures the token weights that the later
 * steps use.
 */
export async function candidatePairs(
  { index, duckdb, partitions, method: { options } }: ComparedIndex,
  monitor: ScanMonitor,
): Promise<Iterable<object> | undefined> {
  const states = index.repositories();
  const source = partitions.contentsOf(states);
  const stored = await readDocuments(index, duckdb, states, source);
  const seeds = await new SeedSearch(index, duckdb, options, monitor).run(source, stored);
  if (seeds === undefined) return undefined;
  beginEpoch(index, states, measureRarity({ source, kernel: new Kernel(createMemory()), stored }));
  return pairRows(stateOf(index, states), stored, seeds);
}

/**
 * Returns an id of the index state, which the rows of all steps must contain. It depends on the documents and the token
 * weights.
 */
function stateOf(index: IndexFolder, states: readonly RepositoryState[]): string {
  return idOfDocuments(index.epoch(), states);
}

function* pairRows(state: string, { documents }: StoredDocuments, { words, truncated }: FoundSeeds): Generator<object> {
  if (truncated > 0) yield { state, crowded: truncated };
  for (let at = 0; at < words.length; at += seedWords) {
    const position = words[at + 2]!;
    yield {
      state,
      ...endsOf(documents[words[at]!]!, documents[words[at + 1]!]!),
      tokenA: position & seedPositionMask,
      tokenB: words[at + 3]!,
      bits: position >>> seedBitsShift,
    };
  }
}

function endsOf(a: DocumentName, b: DocumentName): RowEnds {
  const part = (name: DocumentName): number => documentParts.indexOf(name.part);
  return { pathA: a.path, partA: part(a), pathB: b.path, partB: part(b) };
}

/** The index and token weights that a step works with. */
interface Step extends ComparedIndex {
  readonly weights: EpochWeights;
}

/**
 * Aligns candidate pairs and returns their matches; `undefined` if canceled. All pairs of the same two documents must
 * be in one call.
 */
export async function alignPairs(
  step: Step,
  rows: PairRows,
  { scanThread, workers, monitor }: Comparing,
): Promise<Iterable<object> | undefined> {
  const { index, method } = step;
  const states = checkState(index, rows);
  const stored = await readDocuments(index, step.duckdb, states, step.partitions.contentsOf(states), pathsOf(rows));
  const seeds = seedsOf(rows, numbersIn(stored, rows), stored);
  const kernel = new Kernel(createMemory());
  const plan = await planOf(step, kernel, {
    stored,
    seeds: { words: seeds, truncated: 0 },
    needed: new Set(stored.documents.map(({ content }) => content)),
    remedy: 'pass fewer pairs at once',
  });
  const count = seeds.length / seedWords;
  const scanThreads = await startScanThreads(
    count < seedsWorthThread ? 0 : workers - 1,
    nodeSystem(scanThread),
    kernel.memory,
  );
  try {
    const matching = { task: plan.task, options: method.options, scanThreads };
    const found = await matchOnThreads(kernel, matching, monitor, nothing());
    return monitor.cancelled() ? undefined : matchRows(rows, stored, found);
  } finally {
    for (const thread of scanThreads) void thread.end();
  }
}

function* nothing(): Generator<void, void> {}

/** Returns the current repository states. @throws IndexError if the rows were computed from different states */
function checkState(index: IndexFolder, { state }: ReadRows<string>): readonly RepositoryState[] {
  const states = index.repositories();
  if (state === undefined || state === stateOf(index, states)) return states;
  throw new IndexError(
    'The input is of another state of the index, because repositories were added or dropped: run kindred org pairs again.',
  );
}

function pathsOf({ documents }: ReadRows<string>): ReadonlySet<string> {
  return new Set(documents.map(({ path }) => path));
}

/**
 * Returns the number of each document that the rows mention. The numbers are indices into `StoredDocuments.documents`.
 */
function numbersIn({ documents }: StoredDocuments, rows: ReadRows<string>): readonly number[] {
  const numbers = new Map(documents.map(({ path, part }, number) => [part + path, number]));
  return rows.documents.map(({ path, part }) => {
    const number = numbers.get(part + path);
    if (number !== undefined) return number;
    throw new IndexError(
      `The input names ${path}, which the index does not have: pass the output of kindred org pairs.`,
    );
  });
}

function tokensOf({ documents, shapes }: StoredDocuments, document: number): number {
  const { content, part } = documents[document]!;
  const shape = shapes.get(content)!;
  return (part === 'text' ? shape : shape[part]!).tokenCount;
}

function outside(stored: StoredDocuments, document: number): IndexError {
  const { path } = stored.documents[document]!;
  return new IndexError(`The input has a token that ${path} does not have: pass the output of kindred org pairs.`);
}

function seedsOf({ count, ends, values }: PairRows, numbers: readonly number[], stored: StoredDocuments): Uint32Array {
  const seeds = new Uint32Array(count * seedWords);
  for (let row = 0; row < count; row++) {
    const [a, b] = [numbers[ends[2 * row]!]!, numbers[ends[2 * row + 1]!]!];
    const [tokenA, tokenB, bits] = values.subarray(3 * row, 3 * row + 3) as unknown as [number, number, number];
    if (tokenA >= tokensOf(stored, a)) throw outside(stored, a);
    if (tokenB >= tokensOf(stored, b)) throw outside(stored, b);
    const isInOrder = a < b || (a === b && tokenA <= tokenB);
    const [first, second] = isInOrder ? [tokenA, tokenB] : [tokenB, tokenA];
    seeds.set([Math.min(a, b), Math.max(a, b), (first | (bits << seedBitsShift)) >>> 0, second], row * seedWords);
  }
  return seeds;
}

/** Documents and seeds from which to plan the work of a step. */
interface Planned {
  readonly stored: StoredDocuments;
  readonly seeds: FoundSeeds;
  /** Contents to load into memory. */
  readonly needed: ReadonlySet<number>;
  /** Recommendation in the error message if these contents are too large. */
  readonly remedy: string;
}

async function planOf(
  { index, partitions, method, weights }: Step,
  kernel: Kernel,
  { stored, seeds, needed, remedy }: Planned,
): Promise<CorpusPlan> {
  const states = index.repositories();
  checkMemory(stored, needed, remedy);
  const loaded = loadContents(partitions.contentsOf(states), kernel, stored.shapes, needed);
  const grouped = { stored, repositories: states.map(repositoryOfState), idfTable: await weights.current() };
  return corpusOf(kernel, method.options, loaded, grouped).beginPlan().complete(placeSeeds(kernel, seeds));
}

function* matchRows(
  { state, crowded }: ReadRows<string>,
  { documents }: StoredDocuments,
  found: readonly Uint32Array[],
): Generator<object> {
  if (crowded > 0) yield { state, crowded };
  for (const records of found) {
    for (let at = 0; at < records.length; at += matchRecordBytes / 4) {
      const match = readMatch(records, at);
      const numbers = Object.fromEntries(matchFields.map((field) => [field, match[field]]));
      yield { state, ...endsOf(documents[match.docA]!, documents[match.docB]!), ...numbers };
    }
  }
}

/**
 * Files to group. `all`: all files of the index. `scan`: the same, and the matches are kept until they are grouped, so
 * that an interrupted comparison continues with them. `component`: only the files in the given matches, which must include
 * every match between these files. The files are also compared as whole files.
 */
export type Which = 'all' | 'scan' | 'component';

/** Groups matches; returns `undefined` if canceled. */
export async function groupMatches(
  step: Step,
  rows: MatchRows,
  which: Which,
  monitor: ScanMonitor,
): Promise<Compared | undefined> {
  const { index, duckdb, partitions, method } = step;
  const states = checkState(index, rows);
  const only = which === 'component' ? pathsOf(rows) : undefined;
  const stored = await readDocuments(index, duckdb, states, partitions.contentsOf(states), only);
  const numbers = numbersIn(stored, rows);
  const records = recordsOf(rows, numbers, stored);
  const steps = which === 'scan' ? stepsOf(index, method, states) : undefined;
  steps?.write('matches', { words: records, truncated: rows.crowded });
  const kernel = new Kernel(createMemory());
  const needed = new Set(numbers.map((number) => stored.documents[number]!.content));
  for (const [content, { hasSketch }] of stored.shapes) if (hasSketch) needed.add(content);
  const seeds = { words: new Uint32Array(), truncated: rows.crowded };
  const plan = await planOf(step, kernel, { stored, seeds, needed, remedy: 'group each component by itself' });
  const context = { skipped: stored.skipped, complete: true };
  const finished = await endOf(plan.finishSteps(records, context), monitor);
  if (finished) steps?.remove();
  return finished && { findings: finished.result, repositories: states.map(repositoryOfState), method };
}

function recordsOf(
  { count, ends, values, fields }: MatchRows,
  numbers: readonly number[],
  stored: StoredDocuments,
): Uint32Array {
  const words = matchRecordBytes / 4;
  const records = new Uint32Array(count * words);
  for (let row = 0; row < count; row++) {
    const [docA, docB] = [numbers[ends[2 * row]!]!, numbers[ends[2 * row + 1]!]!];
    const read = fields.map((field, i) => [field, values[fields.length * row + i]!] as const);
    const match = { ...(Object.fromEntries(read) as unknown as Match), docA, docB };
    const { a0, a1, b0, b1 } = match;
    if (a0 >= a1 || a1 > tokensOf(stored, docA)) throw outside(stored, docA);
    if (b0 >= b1 || b1 > tokensOf(stored, docB)) throw outside(stored, docB);
    writeMatch(records, row * words, match);
  }
  return records;
}
