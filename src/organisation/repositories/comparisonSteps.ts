/**
 * Runs the steps of a comparison separately, so that they can be distributed to several machines: find candidate pairs,
 * align some of the pairs, group some of the matches. Together, the steps produce the same findings as `compareAll`.
 */
import { type DocumentName, documentParts } from '../../core/engine/documents/namedDocument.ts';
import { type Match, matchRecordBytes, readMatch, writeMatch } from '../../core/engine/matches/matchRecord.ts';
import { seedBitsShift, seedPositionMask } from '../../core/kernel/seeds/seedLayout.ts';
import type { ScanMonitor } from '../../scan/indexer/scanInput.ts';
import { IndexError } from '../folder/indexError.ts';
import type { IndexFolder, RepositoryState } from '../folder/indexFolder.ts';
import { prefixOf, repositoryOfState, type StoredDocuments } from './catalogue.ts';
import { type Compared, type ComparedIndex, idOfDocuments, stepsOf } from './compareAll.ts';
import { matchFields, type MatchRows, type PairRows, type ReadRows, type RowEnds } from './comparisonRows.ts';
import { beginEpoch } from './epoch.ts';
import type { EpochWeights } from './findSimilarIn.ts';
import { readDocuments } from './folderContents.ts';
import { seedsAt } from './seedBatches.ts';
import { type FoundSeeds, SeedSearch, seedWords } from './seedSearch.ts';
import { type SparkPlan, sparkPlan } from './sparkPlan.ts';
import { type Matching, StoredComparison } from './storedComparison.ts';

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
  beginEpoch(index, states, { source, stored });
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
  beginEpoch(index, states, { source, stored });
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
  matching: Matching,
): Promise<Iterable<object> | undefined> {
  const states = checkState(step.index, rows);
  const stored = await storedOf(step, states, pathsOf(rows));
  const seeds = sortedSeeds(seedsOf(rows, numbersIn(stored, rows), stored));
  const comparison = await comparisonOf(step, stored, { crowded: 0, ...matching });
  try {
    const records = await comparison.match(seeds, matching);
    return records && matchRows(rows, stored, records);
  } finally {
    comparison.close();
  }
}

function storedOf(
  { index, duckdb, partitions }: Step,
  states: readonly RepositoryState[],
  only?: ReadonlySet<string>,
): Promise<StoredDocuments> {
  return readDocuments(index, duckdb, states, partitions.contentsOf(states), only);
}

async function comparisonOf(
  { index, partitions, method: { options }, weights }: Step,
  stored: StoredDocuments,
  { crowded, documentBytes }: { readonly crowded: number; readonly documentBytes?: number | undefined },
): Promise<StoredComparison> {
  const states = index.repositories();
  const source = partitions.contentsOf(states);
  const repositories = states.map(repositoryOfState);
  const idfTable = await weights.current();
  return new StoredComparison({ source, stored, repositories, options, idfTable, truncated: crowded, documentBytes });
}

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

/** Returns seeds sorted by their first documents. */
function sortedSeeds(seeds: Uint32Array): Uint32Array {
  const places = Uint32Array.from({ length: seeds.length / seedWords }, (_, place) => place * seedWords);
  return seedsAt(
    seeds,
    places.sort((x, y) => seeds[x]! - seeds[y]!),
  );
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

function* matchRows(
  { state, crowded }: ReadRows<string>,
  { documents }: StoredDocuments,
  records: Uint32Array,
): Generator<object> {
  if (crowded > 0) yield { state, crowded };
  for (let at = 0; at < records.length; at += matchRecordBytes / 4) {
    const match = readMatch(records, at);
    const numbers = Object.fromEntries(matchFields.map((field) => [field, match[field]]));
    yield { state, ...endsOf(documents[match.docA]!, documents[match.docB]!), ...numbers };
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
  { monitor, documentBytes }: Pick<Matching, 'monitor' | 'documentBytes'>,
): Promise<Compared | undefined> {
  const { index, method } = step;
  const { crowded } = rows;
  const states = checkState(index, rows);
  const stored = await storedOf(step, states, which === 'component' ? pathsOf(rows) : undefined);
  const records = recordsOf(rows, numbersIn(stored, rows), stored);
  const steps = which === 'scan' ? stepsOf(index, method, states) : undefined;
  steps?.write('matches', { words: records, truncated: crowded });
  const comparison = await comparisonOf(step, stored, { crowded, documentBytes });
  try {
    const findings = await comparison.group(records, monitor);
    if (findings === undefined) return undefined;
    steps?.remove();
    return { findings, repositories: states.map(repositoryOfState), method };
  } finally {
    comparison.close();
  }
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
