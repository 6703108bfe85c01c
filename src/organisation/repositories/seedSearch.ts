/** Finds the seeds of all documents of an index with DuckDB (seedStatements.ts). */
import { linesByFamily } from '../../core/engine/seeds/phrases.ts';
import type { ScanMonitor } from '../../scan/indexer/scanInput.ts';
import { type DuckDB, quoted } from '../folder/duckdb.ts';
import type { View } from './blocks.ts';
import { type FolderContents, partsOfTexts, type StoredDocuments } from './folderContents.ts';
import { nearStatements, searchedViews, seedStatements, xorOfDuckDB } from './seedStatements.ts';
import type { ComparedIndex } from './storedComparison.ts';

/**
 * Finds the seeds of documents, which are then in the table `seed`. Reports each block key as a step. Returns the
 * number of windows with more near ones than are kept. Precondition: the table `document` has the documents.
 */
export async function findSeeds(
  { duckdb, method, source }: ComparedIndex,
  stored: StoredDocuments,
  monitor: ScanMonitor,
): Promise<number> {
  await duckdb.run(`CREATE OR REPLACE TABLE near (greater BIGINT, lesser BIGINT, bits UTINYINT);
CREATE OR REPLACE TABLE seed (a BIGINT, b BIGINT, bits UTINYINT)`);
  if (source.partitions.length === 0) return 0;
  if (linesByFamily(partsOfTexts(stored)).size > 1) {
    await readPartitions(duckdb, source, 'phrases');
    await duckdb.run(`CREATE OR REPLACE TABLE phrase_of_document AS ${seedStatements.phrases};
INSERT INTO seed ${seedStatements.phraseSeeds}; DROP TABLE phrase_of_document`);
  }
  await readPartitions(duckdb, source, 'windows');
  await duckdb.run(`CREATE OR REPLACE TABLE window_of_document AS ${seedStatements.windows};
CREATE OR REPLACE TABLE fingerprint AS ${seedStatements.fingerprints}`);
  const counts = await duckdb.rows<{ view: View; fingerprints: bigint }>(seedStatements.count);
  let crowded = 0;
  for (const searched of searchedViews(method.options)) {
    const fingerprints = counts.find(({ view }) => view === searched.view)?.fingerprints;
    if (!fingerprints) continue;
    const { near, crowded: countCrowded, seeds } = nearStatements(xorOfDuckDB, searched, Number(fingerprints));
    await duckdb.run('DELETE FROM near');
    for (const [i, statement] of near.entries()) {
      monitor.onProgress({ phase: 'matching', done: i, total: near.length });
      await duckdb.run(`INSERT INTO near ${statement}`);
    }
    const [row] = await duckdb.rows<{ crowded: bigint }>(countCrowded);
    crowded += Number(row!.crowded);
    await duckdb.run(`INSERT INTO seed ${seeds}`);
  }
  await duckdb.run(`CREATE OR REPLACE TABLE repeated AS ${seedStatements.repeated};
INSERT INTO seed ${seedStatements.equal};
DROP TABLE window_of_document; DROP TABLE fingerprint; DROP TABLE near; DROP TABLE repeated`);
  return crowded;
}

/** Names the rows of a file of all partitions. */
function readPartitions(duckdb: DuckDB, { partitions }: FolderContents, name: 'windows' | 'phrases'): Promise<void> {
  const files = partitions.map((partition) => quoted(partition.file(`${name}.parquet`)));
  return duckdb.run(`CREATE OR REPLACE TEMP VIEW ${name} AS
SELECT *, file_index::UINTEGER AS partition FROM read_parquet([${files.join(', ')}])`);
}
