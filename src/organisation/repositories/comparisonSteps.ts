/**
 * Finds all near-duplicates across the repositories of an index, in three steps that pass Parquet files: find candidate
 * pairs, align them, and group their matches. The findings equal those of one scan with each repository as a folder.
 * The steps can also run separately, so that they can be distributed to several machines.
 */
import path from 'node:path';
import { type Match, matchRecordBytes, readMatch, writeMatch } from '../../core/engine/matches/matchRecord.ts';
import type { Findings } from '../../core/engine/report/report.ts';
import { seedBitsShift } from '../../core/kernel/seeds/seedLayout.ts';
import { hash64 } from '../../core/methods/hash64.ts';
import type { ScanMonitor } from '../../scan/indexer/scanInput.ts';
import type { DuckDB } from '../folder/duckdb.ts';
import { IndexError } from '../folder/indexError.ts';
import type { IndexFolder, RepositoryState } from '../folder/indexFolder.ts';
import { SavedSteps, type Step } from '../folder/savedSteps.ts';
import { prefixOf, repositoriesOfStates, type Repository, type StoredDocuments } from './catalogue.ts';
import { beginEpoch } from './epoch.ts';
import type { EpochWeights } from './findSimilarIn.ts';
import { type Partitions, readDocuments } from './folderContents.ts';
import type { Method } from './method.ts';
import { SeedSearch, seedWords } from './seedSearch.ts';
import { type SparkPlan, sparkPlan } from './sparkPlan.ts';
import {
  matchFields,
  matchKind,
  nameDocuments,
  pairKind,
  pathsOfRows,
  type RowsState,
  StepRows,
  writeRows,
} from './stepFiles.ts';
import { type Matching, StoredComparison } from './storedComparison.ts';

export interface ComparedIndex {
  readonly index: IndexFolder;
  readonly duckdb: DuckDB;
  readonly partitions: Partitions;
  readonly method: Method;
  readonly weights: EpochWeights;
}

export interface Compared {
  readonly findings: Findings;
  readonly repositories: readonly Repository[];
  readonly method: Method;
}

export interface Comparing extends Matching {
  /** Called with the last finished step, if an interrupted comparison continues after it. */
  readonly onContinue?: (step: Step) => void;
  /** Maximum number of candidate pairs in a file, unless those of one document are more. */
  readonly pairsInFile?: number;
}

/** Default of `pairsInFile`. Aligning them takes about half a minute, which an interrupted comparison repeats. */
const maxPairsInFile = 2_000_000;

/**
 * Compares all documents, or continues an interrupted comparison of the same documents.
 *
 * @param parent  folder for the results of the steps
 * @returns undefined if the comparison is canceled
 */
export async function compareAll(
  compared: ComparedIndex,
  parent: string,
  { onContinue, pairsInFile = maxPairsInFile, ...matching }: Comparing,
): Promise<Compared | undefined> {
  const { index, duckdb, partitions } = compared;
  const states = index.repositories();
  const stored = await storedOf(compared, states);
  let state = stateOf(index, states);
  const step = await finishedStep(duckdb, new SavedSteps(parent, state));
  if (step) onContinue?.(step);
  else {
    beginEpoch(index, states, { source: partitions.contentsOf(states), stored });
    state = stateOf(index, states);
    const crowded = await findPairs(compared, stored, matching.monitor);
    if (crowded === undefined) return undefined;
    const write = (folder: string): Promise<void> => writeAllPairs(duckdb, folder, pairsInFile, { state, crowded });
    await new SavedSteps(parent, state).writePairs(write);
  }
  const saved = new SavedSteps(parent, state);
  const names = saved.names();
  const filesOf = (own: Step): string[] => names.map((name) => saved.file(own, name));
  const { crowded } = await StepRows.open(duckdb, pairKind, filesOf('pairs'));
  const comparison = await comparisonOf(compared, stored, { ...matching, crowded });
  try {
    for (const [i, name] of names.entries()) {
      if (saved.isMatched(name)) continue;
      const rows = await StepRows.open(duckdb, pairKind, [saved.file('pairs', name)]);
      const own = { ...matching, monitor: monitorOfPart(matching.monitor, i, names.length) };
      const written = { file: saved.file('matches', name), state };
      if (!(await alignRows(comparison, rows, written, own))) return undefined;
    }
    return await groupRows(compared, comparison, await StepRows.open(duckdb, matchKind, filesOf('matches')), matching);
  } finally {
    comparison.close();
  }
}

/** Returns the last step whose results are saved. Removes results that cannot be read. */
async function finishedStep(duckdb: DuckDB, saved: SavedSteps): Promise<Step | undefined> {
  const names = saved.names();
  const matched = names.filter((name) => saved.isMatched(name));
  try {
    for (const name of names) await StepRows.open(duckdb, pairKind, [saved.file('pairs', name)]);
    for (const name of matched) await StepRows.open(duckdb, matchKind, [saved.file('matches', name)]);
  } catch (error) {
    if (!(error instanceof IndexError)) throw error;
    saved.remove();
    return undefined;
  }
  if (names.length === 0) return undefined;
  return matched.length === names.length ? 'matches' : 'pairs';
}

/** Returns the monitor of one of several parts that take the same time. */
function monitorOfPart(monitor: ScanMonitor, part: number, parts: number): ScanMonitor {
  return {
    ...monitor,
    onProgress: ({ phase, done, total }) =>
      monitor.onProgress({ phase, done: part * total + done, total: parts * total }),
  };
}

/**
 * Measures the weights of the steps, and returns the plan of a comparison on Spark; `undefined` if it is cancelled, and
 * `matched` if `compareAll` continues with the matches of an interrupted one.
 */
export async function planForSpark(
  compared: ComparedIndex,
  parent: string,
  monitor: ScanMonitor,
): Promise<SparkPlan | 'matched' | undefined> {
  const { index, duckdb, partitions, method } = compared;
  const states = index.repositories();
  const step = await finishedStep(duckdb, new SavedSteps(parent, stateOf(index, states)));
  if (step === 'matches') return 'matched';
  const source = partitions.contentsOf(states);
  if (!step) {
    const stored = await readDocuments(index, duckdb, states, source);
    if (monitor.cancelled()) return undefined;
    beginEpoch(index, states, { source, stored });
  }
  const state = stateOf(index, states);
  return sparkPlan(method.options, {
    state,
    folder: index.folder,
    saved: new SavedSteps(parent, state).folder,
    repositories: states.map((state) => [prefixOf(state), state.documents]),
    partitions: source.partitions.map(({ id }) => id),
    windows: source.partitions.reduce((sum, partition) => sum + partition.description().windows, 0),
  });
}

/**
 * Writes the candidate pairs of all documents to a file. Also measures the token weights that the later steps use.
 * Returns false if canceled.
 */
export async function candidatePairs(compared: ComparedIndex, file: string, monitor: ScanMonitor): Promise<boolean> {
  const { index, duckdb, partitions } = compared;
  const states = index.repositories();
  const stored = await storedOf(compared, states);
  const crowded = await findPairs(compared, stored, monitor);
  if (crowded === undefined) return false;
  beginEpoch(index, states, { source: partitions.contentsOf(states), stored });
  await writePairs(duckdb, file, 'seed', { state: stateOf(index, states), crowded });
  return true;
}

/** Finds the seeds of documents, which are then in the table `seed`. See `SeedSearch.find`. */
function findPairs(
  { index, duckdb, partitions, method: { options } }: ComparedIndex,
  stored: StoredDocuments,
  monitor: ScanMonitor,
): Promise<number | undefined> {
  const source = partitions.contentsOf(index.repositories());
  return new SeedSearch(index, duckdb, options, monitor).find(source, stored);
}

/** Writes the table `seed` to several files, so that only one of them has to fit into memory. Removes the table. */
async function writeAllPairs(
  duckdb: DuckDB,
  folder: string,
  pairsInFile: number,
  { state, crowded }: RowsState,
): Promise<void> {
  await duckdb.run('CREATE OR REPLACE TABLE sorted_seed AS FROM seed ORDER BY a; DROP TABLE seed');
  const firsts = await duckdb.rows<{ place: bigint }>(
    `SELECT DISTINCT (a >> 32) << 32 AS place FROM sorted_seed WHERE rowid % ${pairsInFile} = 0 ORDER BY place`,
  );
  for (let i = 0; i < Math.max(1, firsts.length); i++) {
    const before = firsts[i + 1] ? ` AND a < ${firsts[i + 1]!.place}` : '';
    const table = `(FROM sorted_seed WHERE a >= ${firsts[i]?.place ?? 0}${before})`;
    const file = path.join(folder, `${String(i).padStart(6, '0')}.parquet`);
    await writePairs(duckdb, file, table, { state, crowded: i === 0 ? crowded : 0 });
  }
  await duckdb.run('DROP TABLE sorted_seed');
}

function writePairs(duckdb: DuckDB, file: string, seeds: string, rowsState: RowsState): Promise<void> {
  const parts = ['a', 'b'].flatMap((end) => [
    `(${end} >> 32)::UINTEGER AS doc${end.toUpperCase()}`,
    `(${end} & 4294967295)::UINTEGER AS token${end.toUpperCase()}`,
  ]);
  return writeRows(duckdb, file, {
    kind: pairKind,
    table: `(SELECT ${parts.join(', ')}, bits FROM ${seeds})`,
    ...rowsState,
  });
}

/**
 * Returns an id of the index state, which the rows of all steps must contain. It depends on the documents and the token
 * weights.
 */
function stateOf(index: IndexFolder, states: readonly RepositoryState[]): string {
  const documents = states.map(({ name, documents: id }) => [name, id]);
  return hash64(JSON.stringify([index.method<Method>()?.key, index.epoch(), documents])).toString(36);
}

/**
 * Aligns the candidate pairs of some files and writes their matches to another file. Returns false if canceled. All
 * pairs of the same two documents must be in one call.
 */
export async function alignPairs(
  compared: ComparedIndex,
  { pairs, matches }: { readonly pairs: readonly string[]; readonly matches: string },
  matching: Matching,
): Promise<boolean> {
  const { index, duckdb } = compared;
  const rows = await StepRows.open(duckdb, pairKind, pairs);
  const states = checkState(index, rows);
  const stored = await storedOf(compared, states, pathsOfRows);
  const comparison = await comparisonOf(compared, stored, { crowded: 0, ...matching });
  try {
    return await alignRows(comparison, rows, { file: matches, state: stateOf(index, states) }, matching);
  } finally {
    comparison.close();
  }
}

async function alignRows(
  comparison: StoredComparison,
  rows: StepRows,
  { file, state }: { readonly file: string; readonly state: string },
  matching: Matching,
): Promise<boolean> {
  const { duckdb, crowded } = rows;
  const records = await comparison.match(await readSeeds(rows), matching);
  if (records === undefined) return false;
  await duckdb.run(
    `CREATE OR REPLACE TABLE matched (docA UINTEGER, docB UINTEGER, ${matchFields.map((name) => `${name} UINTEGER`).join(', ')})`,
  );
  const found = Array.from({ length: records.length / matchWords }, (_, row) => readMatch(records, row * matchWords));
  const columns = (['docA', 'docB', ...matchFields] as const).map((field) => found.map((match) => match[field]));
  await duckdb.append('matched', columns, found.length);
  // Within two documents, matches are in the order in which they were found.
  const order = 'docA, docB, r.rowid';
  await writeRows(duckdb, file, { kind: matchKind, table: 'matched', order, state, crowded });
  return true;
}

const matchWords = matchRecordBytes / 4;

/** Reads seeds, sorted by the places of their windows (folder/steps.ts). */
async function readSeeds(rows: StepRows): Promise<Uint32Array> {
  const [x, y] = ['x.number * 4294967296::BIGINT + tokenA', 'y.number * 4294967296::BIGINT + tokenB'];
  const [a, b] = [`least(${x}, ${y})`, `greatest(${x}, ${y})`];
  const parts = [a, b].flatMap((place) => [`(${place} >> 32)::UINTEGER`, `(${place} & 4294967295)::UINTEGER`]);
  const columns = await rows.read([...parts, 'bits'], `${a}, ${b}, bits`);
  const [docA, posA, docB, posB, bits] = columns.map(({ words }) => words);
  const seeds = new Uint32Array(docA!.length * seedWords);
  for (let i = 0, end = 0; i < docA!.length; i++, end += seedWords) {
    seeds[end] = docA![i]!;
    seeds[end + 1] = docB![i]!;
    seeds[end + 2] = posA![i]! | (bits![i]! << seedBitsShift);
    seeds[end + 3] = posB![i]!;
  }
  return seeds;
}

/** Reads documents, and names them for `StepRows`. */
async function storedOf(
  { index, duckdb, partitions }: ComparedIndex,
  states: readonly RepositoryState[],
  only?: string,
): Promise<StoredDocuments> {
  const stored = await readDocuments(index, duckdb, states, partitions.contentsOf(states), only);
  await nameDocuments(duckdb, stored);
  return stored;
}

async function comparisonOf(
  { index, partitions, method: { options }, weights }: ComparedIndex,
  stored: StoredDocuments,
  { crowded, documentBytes }: { readonly crowded: number; readonly documentBytes?: number | undefined },
): Promise<StoredComparison> {
  const states = index.repositories();
  const source = partitions.contentsOf(states);
  const repositories = repositoriesOfStates(states);
  const idfTable = await weights.current();
  return new StoredComparison({ source, stored, repositories, options, idfTable, truncated: crowded, documentBytes });
}

/** Returns the current repository states. @throws IndexError if the rows were computed from different states */
function checkState(index: IndexFolder, { state }: StepRows): readonly RepositoryState[] {
  const states = index.repositories();
  if (state === undefined || state === stateOf(index, states)) return states;
  throw new IndexError(
    'The input is of another state of the index, because repositories were added or dropped: run kindred org pairs again.',
  );
}

/**
 * Groups the matches of files; returns `undefined` if canceled.
 *
 * @param which  `all`: all files of the index. `component`: only the files in the given matches, which must include
 *   every match between these files. The files are also compared as whole files
 */
export async function groupMatches(
  compared: ComparedIndex,
  matches: readonly string[],
  which: 'all' | 'component',
  matching: Pick<Matching, 'monitor' | 'documentBytes'>,
): Promise<Compared | undefined> {
  const rows = await StepRows.open(compared.duckdb, matchKind, matches);
  const states = checkState(compared.index, rows);
  const stored = await storedOf(compared, states, which === 'component' ? pathsOfRows : undefined);
  const comparison = await comparisonOf(compared, stored, { ...matching, crowded: rows.crowded });
  try {
    return await groupRows(compared, comparison, rows, matching);
  } finally {
    comparison.close();
  }
}

async function groupRows(
  { index, method }: ComparedIndex,
  comparison: StoredComparison,
  rows: StepRows,
  { monitor }: Pick<Matching, 'monitor'>,
): Promise<Compared | undefined> {
  const findings = await comparison.group(await readRecords(rows), monitor);
  return findings && { findings, repositories: repositoriesOfStates(index.repositories()), method };
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
