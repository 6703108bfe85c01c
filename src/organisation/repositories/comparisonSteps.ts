/**
 * Runs the steps of a comparison separately, so that they can be distributed to several machines: find candidate pairs,
 * align some of the pairs, group some of the matches. Together, the steps produce the same findings as `compareAll`.
 */
import { type Match, matchRecordBytes, readMatch, writeMatch } from '../../core/engine/matches/matchRecord.ts';
import type { ScanMonitor } from '../../scan/indexer/scanInput.ts';
import { IndexError } from '../folder/indexError.ts';
import type { IndexFolder, RepositoryState } from '../folder/indexFolder.ts';
import { prefixOf, repositoryOfState, type StoredDocuments } from './catalogue.ts';
import { type Compared, type ComparedIndex, idOfDocuments, stepsOf } from './compareAll.ts';
import { beginEpoch } from './epoch.ts';
import type { EpochWeights } from './findSimilarIn.ts';
import { readDocuments } from './folderContents.ts';
import { readSeeds, SeedSearch } from './seedSearch.ts';
import { type SparkPlan, sparkPlan } from './sparkPlan.ts';
import {
  matchFields,
  matchKind,
  nameDocuments,
  type OpenedRows,
  pairKind,
  pathsOfRows,
  StepRows,
  writeRows,
} from './stepFiles.ts';
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
    windows: source.partitions.reduce((sum, partition) => sum + partition.description().windows, 0),
  });
}

/**
 * Writes the candidate pairs of all documents to a file. Also measures the token weights that the later steps use.
 * Returns false if canceled.
 */
export async function candidatePairs(
  { index, duckdb, partitions, method: { options } }: ComparedIndex,
  file: string,
  monitor: ScanMonitor,
): Promise<boolean> {
  const states = index.repositories();
  const source = partitions.contentsOf(states);
  const stored = await readDocuments(index, duckdb, states, source);
  const search = new SeedSearch(index, duckdb, options, monitor);
  const crowded = await search.find(source, stored);
  if (crowded === undefined) return false;
  beginEpoch(index, states, { source, stored });
  await nameDocuments(duckdb, stored);
  const parts = ['a', 'b'].flatMap((end) => [
    `(${end} >> 32)::UINTEGER AS doc${end.toUpperCase()}`,
    `(${end} & 4294967295)::UINTEGER AS token${end.toUpperCase()}`,
  ]);
  const table = `(SELECT ${parts.join(', ')}, bits FROM seed)`;
  await writeRows(duckdb, file, { kind: pairKind, table, state: stateOf(index, states), crowded });
  return true;
}

/**
 * Returns an id of the index state, which the rows of all steps must contain. It depends on the documents and the token
 * weights.
 */
function stateOf(index: IndexFolder, states: readonly RepositoryState[]): string {
  return idOfDocuments(index.epoch(), states);
}

/** The index and token weights that a step works with. */
interface Step extends ComparedIndex {
  readonly weights: EpochWeights;
}

/**
 * Aligns the candidate pairs of some files and writes their matches to another file. Returns false if canceled. All
 * pairs of the same two documents must be in one call.
 */
export async function alignPairs(
  step: Step,
  { pairs, matches }: { readonly pairs: readonly string[]; readonly matches: string },
  matching: Matching,
): Promise<boolean> {
  const { index, duckdb } = step;
  const rows = new StepRows(duckdb, pairKind, pairs);
  const opened = await rows.open();
  const states = checkState(index, opened);
  const stored = await storedOf(step, states, pathsOfRows);
  const seeds = await readSeeds((select, order) => rows.read(select, order), placesOfPairs);
  const comparison = await comparisonOf(step, stored, { crowded: 0, ...matching });
  try {
    const records = await comparison.match(seeds, matching);
    if (records === undefined) return false;
    await duckdb.run(
      `CREATE OR REPLACE TABLE matched (docA UINTEGER, docB UINTEGER, ${matchFields.map((name) => `${name} UINTEGER`).join(', ')})`,
    );
    const found = Array.from({ length: records.length / matchWords }, (_, row) => readMatch(records, row * matchWords));
    const columns = (['docA', 'docB', ...matchFields] as const).map((field) => found.map((match) => match[field]));
    await duckdb.append('matched', columns, found.length);
    // Within two documents, matches are in the order in which they were found.
    const order = 'docA, docB, r.rowid';
    const { crowded } = opened;
    await writeRows(duckdb, matches, {
      kind: matchKind,
      table: 'matched',
      order,
      state: stateOf(index, states),
      crowded,
    });
    return true;
  } finally {
    comparison.close();
  }
}

const matchWords = matchRecordBytes / 4;

/** Places of both windows of a pair, in order, as in the table `seed`. */
const placesOfPairs = ['x.number * 4294967296::BIGINT + tokenA', 'y.number * 4294967296::BIGINT + tokenB'] as const;

/** Reads documents, and names them for `StepRows`. */
async function storedOf(
  { index, duckdb, partitions }: Step,
  states: readonly RepositoryState[],
  only?: string,
): Promise<StoredDocuments> {
  const stored = await readDocuments(index, duckdb, states, partitions.contentsOf(states), only);
  await nameDocuments(duckdb, stored);
  return stored;
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
function checkState(index: IndexFolder, { state }: OpenedRows): readonly RepositoryState[] {
  const states = index.repositories();
  if (state === undefined || state === stateOf(index, states)) return states;
  throw new IndexError(
    'The input is of another state of the index, because repositories were added or dropped: run kindred org pairs again.',
  );
}

/**
 * Files to group. `all`: all files of the index. `scan`: the same, and the matches are kept until they are grouped, so
 * that an interrupted comparison continues with them. `component`: only the files in the given matches, which must
 * include every match between these files. The files are also compared as whole files.
 */
export type Which = 'all' | 'scan' | 'component';

/** Groups the matches of files; returns `undefined` if canceled. */
export async function groupMatches(
  step: Step,
  matches: readonly string[],
  which: Which,
  { monitor, documentBytes }: Pick<Matching, 'monitor' | 'documentBytes'>,
): Promise<Compared | undefined> {
  const { index, duckdb, method } = step;
  const rows = new StepRows(duckdb, matchKind, matches);
  const opened = await rows.open();
  const { crowded } = opened;
  const states = checkState(index, opened);
  const stored = await storedOf(step, states, which === 'component' ? pathsOfRows : undefined);
  const records = await readRecords(rows);
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

async function readRecords(rows: StepRows): Promise<Uint32Array> {
  const ends = ['x.number', 'y.number'];
  const [docA, docB, ...fields] = (
    await rows.read([...ends, ...matchFields], [...ends, 'filename', 'file_row_number'].join(', '))
  ).map(({ words }) => words);
  const records = new Uint32Array(docA!.length * matchWords);
  for (let row = 0; row < docA!.length; row++) {
    const read = Object.fromEntries(matchFields.map((field, i) => [field, fields[i]![row]!]));
    writeMatch(records, row * matchWords, { ...(read as unknown as Match), docA: docA![row]!, docB: docB![row]! });
  }
  return records;
}
