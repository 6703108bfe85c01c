/**
 * Finds all near-duplicates across the repositories of an index, in three steps that pass Parquet files: find candidate
 * pairs, align them, and group their matches. The findings equal those of one scan with each repository as a folder.
 * The steps can also run separately, so that they can be distributed to several machines.
 */
import path from 'node:path';
import type { Findings } from '../../core/engine/report/report.ts';
import { matchWords } from '../../core/kernel/matches/matchRecordLayout.ts';
import { seedBitsShift } from '../../core/kernel/seeds/seedLayout.ts';
import { hash64 } from '../../core/methods/hash64.ts';
import type { ScanMonitor } from '../../scan/indexer/scanInput.ts';
import type { DuckDB } from '../folder/duckdb.ts';
import { IndexError } from '../folder/indexError.ts';
import type { Epoch, RepositoryState } from '../folder/indexFolder.ts';
import { SavedSteps, type Step } from '../folder/savedSteps.ts';
import { beginEpoch } from './epoch.ts';
import { readDocuments, type StoredDocuments } from './folderContents.ts';
import type { Method } from './method.ts';
import { findSeeds } from './seedSearch.ts';
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
import { type ComparedIndex, type MatchResources, StoredComparison } from './storedComparison.ts';

export interface Comparison {
  readonly findings: Findings;
  readonly repositories: readonly RepositoryState[];
  readonly method: Method;
}

export interface ComparisonTask extends MatchResources {
  /** Called with the last finished step, if an interrupted comparison continues after it. */
  readonly onContinue?: (step: Step) => void;
  /** Maximum number of candidate pairs in a file, unless those of one document are more. */
  readonly pairsInFile?: number;
  /** Finds and aligns candidate pairs on Spark. Called unless all of them were aligned before. */
  readonly matchOnSpark?: ((plan: SparkPlan) => Promise<void>) | undefined;
}

/** Default of `pairsInFile`. Aligning them takes about half a minute, which an interrupted comparison repeats. */
const maxPairsInFile = 2_000_000;

/**
 * Compares all documents, or continues an interrupted comparison of the same documents.
 *
 * @param parent  folder for the results of the steps
 * @throws CancellationError. The results of complete steps are kept
 */
export async function compareAll(
  compared: ComparedIndex,
  parent: string,
  { onContinue, pairsInFile = maxPairsInFile, matchOnSpark, ...matching }: ComparisonTask,
): Promise<Comparison> {
  const { index, duckdb } = compared;
  const stored = await storedOf(compared);
  let epoch = index.epoch();
  let saved = new SavedSteps(parent, stateOf(compared, epoch));
  const step = await finishedStep(duckdb, saved);
  if (!step) {
    epoch = await beginEpoch(compared, stored, matching.monitor.onProgress);
    saved = new SavedSteps(parent, stateOf(compared, epoch));
  }
  const state = stateOf(compared, epoch);
  if (matchOnSpark && step !== 'matches')
    await matchOnSpark(sparkPlan(compared, stored, { state, saved: saved.folder }));
  else if (step) onContinue?.(step);
  else {
    const crowded = await findSeeds(compared, stored, matching.monitor);
    await saved.writePairs((folder) => writeAllPairs(duckdb, folder, pairsInFile, { state, crowded }));
  }
  const names = saved.names();
  const filesOf = (own: Step): string[] => names.map((name) => saved.file(own, name));
  const { crowded } = await StepRows.open(duckdb, pairKind, filesOf('pairs'));
  return StoredComparison.using(compared, stored, { ...matching, epoch, crowded }, async (comparison) => {
    for (const [i, name] of names.entries()) {
      if (saved.isMatched(name)) continue;
      const rows = await StepRows.open(duckdb, pairKind, [saved.file('pairs', name)]);
      // Aligning the pairs of each file takes about the same time.
      const onProgress: ScanMonitor['onProgress'] = ({ phase, done, total }) =>
        matching.monitor.onProgress({ phase, done: i * total + done, total: names.length * total });
      const own = { ...matching, monitor: { ...matching.monitor, onProgress } };
      await alignRows(comparison, rows, { file: saved.file('matches', name), state }, own);
    }
    return groupRows(
      compared,
      comparison,
      await StepRows.open(duckdb, matchKind, filesOf('matches')),
      matching.monitor,
    );
  });
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

/** Writes the candidate pairs of all documents to a file. Also measures the token weights that the later steps use. */
export async function candidatePairs(compared: ComparedIndex, file: string, monitor: ScanMonitor): Promise<void> {
  const stored = await storedOf(compared);
  const state = stateOf(compared, await beginEpoch(compared, stored, monitor.onProgress));
  const crowded = await findSeeds(compared, stored, monitor);
  await writePairs(compared.duckdb, file, 'seed', { state, crowded });
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
  const table = `(SELECT (a >> 32)::UINTEGER AS docA, (a & 4294967295)::UINTEGER AS tokenA,
  (b >> 32)::UINTEGER AS docB, (b & 4294967295)::UINTEGER AS tokenB, bits FROM ${seeds})`;
  return writeRows(duckdb, file, { kind: pairKind, table, ...rowsState });
}

/**
 * Returns an id of the index state, which the rows of all steps must contain. It depends on the documents and the token
 * weights.
 */
function stateOf({ method, states }: ComparedIndex, epoch: Epoch | undefined): string {
  const documents = states.map(({ name, documents: id }) => [name, id]);
  return hash64(JSON.stringify([method.key, epoch, documents])).toString(36);
}

/**
 * Aligns the candidate pairs of some files and writes their matches to another file. All pairs of two documents must be
 * in one call.
 */
export async function alignPairs(
  compared: ComparedIndex,
  { pairs, matches }: { readonly pairs: readonly string[]; readonly matches: string },
  matching: MatchResources,
): Promise<void> {
  const rows = await StepRows.open(compared.duckdb, pairKind, pairs);
  const { epoch, state } = checkState(compared, rows);
  const stored = await storedOf(compared, pathsOfRows);
  await StoredComparison.using(compared, stored, { ...matching, epoch, crowded: 0 }, (comparison) =>
    alignRows(comparison, rows, { file: matches, state }, matching),
  );
}

async function alignRows(
  comparison: StoredComparison,
  rows: StepRows,
  { file, state }: { readonly file: string; readonly state: string },
  matching: MatchResources,
): Promise<void> {
  const { duckdb, crowded } = rows;
  const records = await comparison.match(await readSeeds(rows), matching);
  const fieldsOf = (word: number): Uint32Array =>
    Uint32Array.from({ length: records.length / matchWords }, (_, row) => records[row * matchWords + word]!);
  const columns = ['docA', 'docB', ...matchFields].map((name, word) => [`${name} UINTEGER`, fieldsOf(word)] as const);
  await duckdb.createTable('matched', Object.fromEntries(columns));
  // Within two documents, matches are in the order in which they were found.
  const order = 'docA, docB, r.rowid';
  await writeRows(duckdb, file, { kind: matchKind, table: 'matched', order, state, crowded });
}

/** Reads seeds, sorted like those of a scan. */
function readSeeds(rows: StepRows): Promise<Uint32Array> {
  const [x, y] = ['x.number * 4294967296::BIGINT + tokenA', 'y.number * 4294967296::BIGINT + tokenB'];
  const [a, b] = [`least(${x}, ${y})`, `greatest(${x}, ${y})`];
  const [first, second] = [`${a} & 4294967295`, `${b} & 4294967295`];
  const seed = [`${a} >> 32`, `${b} >> 32`, `(${first}) + (bits::BIGINT << ${seedBitsShift})`, second];
  return rows.read(seed, `${a} >> 32, ${b}, ${a}, bits`);
}

/** Reads documents, and names them for `StepRows`. */
async function storedOf(compared: ComparedIndex, only?: string): Promise<StoredDocuments> {
  const stored = await readDocuments(compared, only);
  await nameDocuments(compared.duckdb, compared.source, stored);
  return stored;
}

/** Returns the current epoch and state. @throws IndexError if the rows were computed from a different state */
function checkState(compared: ComparedIndex, rows: StepRows): { epoch: Epoch | undefined; state: string } {
  const epoch = compared.index.epoch();
  const state = stateOf(compared, epoch);
  if (rows.state === undefined || rows.state === state) return { epoch, state };
  throw new IndexError(
    'The input is of another state of the index, because repositories were added or dropped: run kindred org pairs again.',
  );
}

/**
 * Groups the matches of files.
 *
 * @param which  `all`: all files of the index. `component`: only the files in the given matches, which must include
 *   every match between these files. The files are also compared as whole files
 */
export async function groupMatches(
  compared: ComparedIndex,
  matches: readonly string[],
  which: 'all' | 'component',
  { documentBytes, monitor }: Pick<MatchResources, 'documentBytes' | 'monitor'>,
): Promise<Comparison> {
  const rows = await StepRows.open(compared.duckdb, matchKind, matches);
  const { epoch } = checkState(compared, rows);
  const stored = await storedOf(compared, which === 'component' ? pathsOfRows : undefined);
  const input = { epoch, crowded: rows.crowded, documentBytes };
  return StoredComparison.using(compared, stored, input, (comparison) =>
    groupRows(compared, comparison, rows, monitor),
  );
}

async function groupRows(
  compared: ComparedIndex,
  comparison: StoredComparison,
  rows: StepRows,
  monitor: ScanMonitor,
): Promise<Comparison> {
  const ends = ['x.number', 'y.number'];
  const order = [...ends, 'filename', 'file_row_number'].join(', ');
  const findings = await comparison.group(await rows.read([...ends, ...matchFields], order), monitor);
  return { findings, repositories: compared.states, method: compared.method };
}
