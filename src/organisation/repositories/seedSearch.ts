/** Finds the seeds of all documents of an index with DuckDB (folder/steps.ts). */
import { documentParts } from '../../core/engine/documents/namedDocument.ts';
import type { Kernel } from '../../core/engine/kernel.ts';
import { linesByFamily } from '../../core/engine/seeds/phrases.ts';
import type { Seeds } from '../../core/engine/seeds/seeds.ts';
import { seedBytes } from '../../core/kernel/seeds/seedLayout.ts';
import type { ScanMonitor } from '../../scan/indexer/scanInput.ts';
import { type DuckDB, quoted } from '../folder/duckdb.ts';
import { dialectOfDuckDB, phrasesOfDocuments, windowsOfDocuments } from '../folder/steps.ts';
import type { View } from './blocks.ts';
import { partsOfShapes, type StoredDocuments } from './catalogue.ts';
import type { FolderContents } from './folderContents.ts';
import type { Method } from './method.ts';
import type { PartitionFile } from './partition.ts';
import { nearStatements, type SearchedView, searchedViews, seedStatements } from './seedStatements.ts';

export const seedWords = seedBytes / 4;
/** Maximum number of partitions that one statement reads. */
const partitionsAtOnce = 100;

/** Copies sorted seeds into the kernel's memory. */
export function placeSeeds(kernel: Kernel, words: Uint32Array): Seeds {
  const address = kernel.allocate(words.byteLength);
  kernel.words.set(words, address >>> 2);
  return { address, count: words.length / seedWords };
}

const tables = ['document', 'window_of_document', 'fingerprint', 'near', 'repeated', 'phrase_of_document'];
const dropTables = (names: readonly string[]): string => names.map((name) => `DROP TABLE IF EXISTS ${name}`).join('; ');
const createTables = `${dropTables([...tables, 'seed'])};
CREATE TABLE document (content UINTEGER, part UTINYINT, number UINTEGER);
CREATE TABLE window_of_document (view UTINYINT, fp BIGINT, document UINTEGER, place BIGINT);
CREATE TABLE phrase_of_document (phrase BIGINT, language UTINYINT, place BIGINT);
CREATE TABLE near (greater BIGINT, lesser BIGINT, bits UTINYINT);
CREATE TABLE seed (a BIGINT, b BIGINT, bits UTINYINT)`;

export interface SeedSearch {
  readonly duckdb: DuckDB;
  readonly method: Pick<Method, 'options'>;
  readonly monitor: Pick<ScanMonitor, 'onProgress'>;
}

/**
 * Finds the seeds of documents, which are then in the table `seed`. Reports each block key as a step. Returns the
 * number of windows with more near ones than are kept.
 */
export async function findSeeds(
  search: SeedSearch,
  contents: FolderContents,
  { documents, shapes }: StoredDocuments,
): Promise<number> {
  const { duckdb, method } = search;
  await createDocuments(duckdb, documents);
  if (linesByFamily(partsOfShapes(shapes.values())).size > 1) await findPhrases(duckdb, contents);
  await readWindows(duckdb, contents);
  const counts = await duckdb.rows<{ view: View; fingerprints: bigint }>(seedStatements.count);
  let crowded = 0;
  for (const searched of searchedViews(method.options)) {
    const fingerprints = counts.find(({ view }) => view === searched.view)?.fingerprints;
    if (fingerprints) crowded += await findNear(search, searched, Number(fingerprints));
  }
  await duckdb.run(`CREATE TABLE repeated AS ${seedStatements.repeated}; INSERT INTO seed ${seedStatements.equal}`);
  await duckdb.run(dropTables(tables));
  return crowded;
}

async function createDocuments(duckdb: DuckDB, documents: StoredDocuments['documents']): Promise<void> {
  await duckdb.run(createTables);
  const columns = [
    Uint32Array.from(documents, ({ content }) => content),
    Uint8Array.from(documents, ({ part }) => documentParts.indexOf(part)),
    Uint32Array.from(documents, (_, number) => number),
  ];
  await duckdb.append('document', columns, documents.length);
}

/** Adds the seeds of lines with the same phrase. */
async function findPhrases(duckdb: DuckDB, contents: FolderContents): Promise<void> {
  for (const rows of storedRows(contents, 'phrases.parquet', 'phrase, language')) {
    await duckdb.run(`INSERT INTO phrase_of_document ${phrasesOfDocuments(rows, 'content, part')}`);
  }
  await duckdb.run(`INSERT INTO seed ${seedStatements.phraseSeeds}; DROP TABLE phrase_of_document`);
}

async function readWindows(duckdb: DuckDB, contents: FolderContents): Promise<void> {
  for (const rows of storedRows(contents, 'windows.parquet', 'view, fp')) {
    await duckdb.run(`INSERT INTO window_of_document ${windowsOfDocuments(rows, 'content, part')}`);
  }
  await duckdb.run(`CREATE TABLE fingerprint AS ${seedStatements.fingerprints}`);
}

/** Yields subqueries for the rows of all partitions. Contents are numbered across them. */
function* storedRows(
  { partitions, bases }: FolderContents,
  file: PartitionFile,
  columns: string,
): Generator<string, void> {
  const selects = partitions.map(
    (partition, i) => `SELECT ${columns}, (content + ${bases[i]!})::UINTEGER AS content, part, position
FROM read_parquet(${quoted(partition.file(file))})`,
  );
  for (let from = 0; from < selects.length; from += partitionsAtOnce) {
    yield `(${selects.slice(from, from + partitionsAtOnce).join('\nUNION ALL ')})`;
  }
}

/** Adds the seeds of near fingerprints of a view. Returns the number of those with more near ones than are kept. */
async function findNear(
  { duckdb, monitor }: SeedSearch,
  searched: SearchedView,
  fingerprints: number,
): Promise<number> {
  const { near, crowded, seeds } = nearStatements(dialectOfDuckDB, searched, fingerprints);
  await duckdb.run('DELETE FROM near');
  for (const [i, statement] of near.entries()) {
    monitor.onProgress({ phase: 'matching', done: i, total: near.length });
    await duckdb.run(`INSERT INTO near ${statement}`);
  }
  const [row] = await duckdb.rows<{ crowded: bigint }>(crowded);
  await duckdb.run(`INSERT INTO seed ${seeds}`);
  return Number(row!.crowded);
}
