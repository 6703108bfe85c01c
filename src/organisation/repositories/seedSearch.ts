/** Finds the seeds of all documents of an index with DuckDB (seedStatements.ts). */
import type { Kernel } from '../../core/engine/kernel.ts';
import { linesByFamily } from '../../core/engine/seeds/phrases.ts';
import type { Seeds } from '../../core/engine/seeds/seeds.ts';
import { seedBytes } from '../../core/kernel/seeds/seedLayout.ts';
import type { ScanMonitor } from '../../scan/indexer/scanInput.ts';
import { type DuckDB, quoted } from '../folder/duckdb.ts';
import type { View } from './blocks.ts';
import { partsOfShapes, type StoredDocuments } from './catalogue.ts';
import type { FolderContents } from './folderContents.ts';
import type { Method } from './method.ts';
import { nearStatements, type SearchedView, searchedViews, seedStatements, xorOfDuckDB } from './seedStatements.ts';

export const seedWords = seedBytes / 4;

/** Copies sorted seeds into the kernel's memory. */
export function placeSeeds(kernel: Kernel, words: Uint32Array): Seeds {
  const address = kernel.allocate(words.byteLength);
  kernel.words.set(words, address >>> 2);
  return { address, count: words.length / seedWords };
}

const tables = ['window_of_document', 'fingerprint', 'near', 'repeated', 'phrase_of_document'];
const dropTables = (names: readonly string[]): string => names.map((name) => `DROP TABLE IF EXISTS ${name}`).join('; ');
const createTables = `${dropTables([...tables, 'seed'])};
CREATE TABLE near (greater BIGINT, lesser BIGINT, bits UTINYINT);
CREATE TABLE seed (a BIGINT, b BIGINT, bits UTINYINT)`;

export interface SeedSearch {
  readonly duckdb: DuckDB;
  readonly method: Pick<Method, 'options'>;
  readonly monitor: Pick<ScanMonitor, 'onProgress'>;
}

/**
 * Finds the seeds of documents, which are then in the table `seed`. Reports each block key as a step. Returns the
 * number of windows with more near ones than are kept. Precondition: the table `document` has the documents.
 */
export async function findSeeds(
  search: SeedSearch,
  contents: FolderContents,
  { shapes }: StoredDocuments,
): Promise<number> {
  const { duckdb, method } = search;
  await duckdb.run(createTables);
  if (contents.partitions.length === 0) return 0;
  if (linesByFamily(partsOfShapes(shapes.values())).size > 1) {
    await readPartitions(duckdb, contents, 'phrases');
    await duckdb.run(`CREATE TABLE phrase_of_document AS ${seedStatements.phrases};
INSERT INTO seed ${seedStatements.phraseSeeds}; DROP TABLE phrase_of_document`);
  }
  await readPartitions(duckdb, contents, 'windows');
  await duckdb.run(`CREATE TABLE window_of_document AS ${seedStatements.windows};
CREATE TABLE fingerprint AS ${seedStatements.fingerprints}`);
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

/** Names the rows of a file of all partitions. */
function readPartitions(duckdb: DuckDB, { partitions }: FolderContents, name: 'windows' | 'phrases'): Promise<void> {
  const files = partitions.map((partition) => quoted(partition.file(`${name}.parquet`)));
  return duckdb.run(`CREATE OR REPLACE TEMP VIEW ${name} AS
SELECT *, file_index::UINTEGER AS partition FROM read_parquet([${files.join(', ')}])`);
}

/** Adds the seeds of near fingerprints of a view. Returns the number of those with more near ones than are kept. */
async function findNear(
  { duckdb, monitor }: SeedSearch,
  searched: SearchedView,
  fingerprints: number,
): Promise<number> {
  const { near, crowded, seeds } = nearStatements(xorOfDuckDB, searched, fingerprints);
  await duckdb.run('DELETE FROM near');
  for (const [i, statement] of near.entries()) {
    monitor.onProgress({ phase: 'matching', done: i, total: near.length });
    await duckdb.run(`INSERT INTO near ${statement}`);
  }
  const [row] = await duckdb.rows<{ crowded: bigint }>(crowded);
  await duckdb.run(`INSERT INTO seed ${seeds}`);
  return Number(row!.crowded);
}
