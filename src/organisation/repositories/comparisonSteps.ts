/**
 * The steps of a comparison as separate programs without state: candidate pairs, matches of some of them, and groups of
 * some matches. Together they have the findings of `compareAll`.
 */
import { type DocumentName, documentParts } from '../../core/engine/documents/namedDocument.ts';
import { createMemory, Kernel } from '../../core/engine/kernel.ts';
import { type Match, matchRecordBytes, readMatch, writeMatch } from '../../core/engine/matches/matchRecord.ts';
import type { CorpusPlan } from '../../core/engine/comparison.ts';
import { hash64 } from '../../core/methods/hash64.ts';
import { seedBitsShift, seedPositionMask } from '../../core/kernel/seeds/seedLayout.ts';
import { endOf } from '../../scan/indexer/endOf.ts';
import { matchOnThreads } from '../../scan/indexer/matchOnThreads.ts';
import { nodeSystem } from '../../scan/indexer/nodeSystem.ts';
import type { ScanMonitor } from '../../scan/indexer/scanInput.ts';
import { startScanThreads } from '../../scan/indexer/scanThread.ts';
import { IndexError } from '../folder/indexError.ts';
import type { IndexFolder, RepositoryState } from '../folder/indexFolder.ts';
import { repositoryOfState, type StoredDocuments } from './catalogue.ts';
import {
  checkMemory,
  type Compared,
  type ComparedIndex,
  type Comparing,
  corpusOf,
  seedsWorthThread,
} from './compareAll.ts';
import { matchFields, type MatchRows, type PairRows, type ReadRows, type RowEnds } from './comparisonRows.ts';
import { beginEpoch } from './epoch.ts';
import type { EpochWeights } from './findSimilarIn.ts';
import { readDocuments } from './folderContents.ts';
import { loadContents } from './loadedContents.ts';
import { measureRarity } from './rarity.ts';
import { type FoundSeeds, placeSeeds, SeedSearch, seedWords } from './seedSearch.ts';

/** Returns the candidate pairs of all documents; `undefined` if it is cancelled. Measures the weights of the steps. */
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

/** Identifies what all steps must agree on: the documents and the weights. */
function stateOf(index: IndexFolder, states: readonly RepositoryState[]): string {
  return hash64(JSON.stringify([index.epoch(), states.map(({ name, documents }) => [name, documents])])).toString(36);
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

/** A step on some rows. */
interface Step extends ComparedIndex {
  readonly weights: EpochWeights;
}

/** Returns the matches of candidate pairs; `undefined` if it is cancelled. Pairs of equal documents belong together. */
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

/** Returns the current states. @throws IndexError if the rows are of other ones */
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

/** Returns the number of each document of the rows in the order of the stored ones. */
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

/** Documents of a plan, and its seeds. */
interface Planned {
  readonly stored: StoredDocuments;
  readonly seeds: FoundSeeds;
  /** Contents to be loaded. */
  readonly needed: ReadonlySet<number>;
  /** Advice if these are too large. */
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
 * Files that are grouped: all of the index, or only those of the matches, which must then have all matches of each
 * other. They are also compared as a whole.
 */
export type Which = 'all' | 'component';

/** Groups matches; `undefined` if it is cancelled. */
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
  const kernel = new Kernel(createMemory());
  const needed = new Set(numbers.map((number) => stored.documents[number]!.content));
  for (const [content, { hasSketch }] of stored.shapes) if (hasSketch) needed.add(content);
  const seeds = { words: new Uint32Array(), truncated: rows.crowded };
  const plan = await planOf(step, kernel, { stored, seeds, needed, remedy: 'group each component by itself' });
  const context = { skipped: stored.skipped, complete: true };
  const finished = await endOf(plan.finishSteps(records, context), monitor);
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
