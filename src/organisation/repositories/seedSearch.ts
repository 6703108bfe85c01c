/** Finds the seeds of all documents of an index with DuckDB (folder/steps.ts). */
import { documentParts } from '../../core/engine/documents/namedDocument.ts';
import type { Kernel } from '../../core/engine/kernel.ts';
import type { Options } from '../../core/engine/options.ts';
import { type Seeds, sortingBytes, sortSeeds } from '../../core/engine/seeds/seeds.ts';
import { seedBytes } from '../../core/kernel/seeds/seedLayout.ts';
import type { ScanMonitor } from '../../scan/indexer/scanInput.ts';
import { type DuckDB, quoted } from '../folder/duckdb.ts';
import type { IndexFolder } from '../folder/indexFolder.ts';
import { dialectOfDuckDB, windowsOfDocuments } from '../folder/steps.ts';
import type { View } from './blocks.ts';
import type { StoredDocuments } from './catalogue.ts';
import { queryFolder, type FolderContents } from './folderContents.ts';
import { nearStatements, type SearchedView, searchedViews, seedStatements } from './seedStatements.ts';

export const seedWords = seedBytes / 4;
/** Maximum number of partitions that one statement reads. */
const partitionsAtOnce = 100;

/** Copies seeds into the kernel's memory, sorted. */
export function placeSeeds(kernel: Kernel, words: Uint32Array): Seeds {
  const count = words.length / seedWords;
  const address = kernel.allocate(words.byteLength);
  kernel.words.set(words, address >>> 2);
  const mark = kernel.mark();
  sortSeeds(kernel, { address, count }, kernel.allocate(sortingBytes(count)));
  kernel.release(mark);
  return { address, count };
}

const tables = ['document', 'window_of_document', 'fingerprint', 'near', 'repeated', 'seed'];
const dropTables = tables.map((table) => `DROP TABLE IF EXISTS ${table}`).join('; ');
const createTables = `${dropTables};
CREATE TABLE document (content UINTEGER, part UTINYINT, number UINTEGER);
CREATE TABLE window_of_document (view UTINYINT, fp BIGINT, document UINTEGER, place BIGINT);
CREATE TABLE near (greater BIGINT, lesser BIGINT, bits UTINYINT);
CREATE TABLE seed (a BIGINT, b BIGINT, bits UTINYINT)`;

/** Finds the seeds of all documents. Reports each statement as a step. */
export class SeedSearch {
  readonly #index: IndexFolder;
  readonly #duckdb: DuckDB;
  readonly #options: Options;
  readonly #monitor: ScanMonitor;

  constructor(index: IndexFolder, duckdb: DuckDB, options: Options, monitor: ScanMonitor) {
    this.#index = index;
    this.#duckdb = duckdb;
    this.#options = options;
    this.#monitor = monitor;
  }

  /**
   * Finds the seeds, which are then in the table `seed`. Returns the number of windows with more near ones than are
   * kept; `undefined` if the user cancels the search.
   */
  async find(contents: FolderContents, stored: StoredDocuments): Promise<number | undefined> {
    await queryFolder(this.#index, () => this.#readWindows(contents, stored));
    const different = await this.#countFingerprints();
    let truncated = 0;
    for (const searched of searchedViews(this.#options)) {
      const fingerprints = different.get(searched.view) ?? 0;
      if (!(await this.#findNear(searched, fingerprints, (crowded) => (truncated += crowded)))) return undefined;
    }
    await this.#duckdb.run(`CREATE TABLE repeated AS ${seedStatements.repeated}`);
    await this.#duckdb.run(`INSERT INTO seed ${seedStatements.equal}`);
    await this.#duckdb.run(
      'DROP TABLE document; DROP TABLE window_of_document; DROP TABLE fingerprint; DROP TABLE near; DROP TABLE repeated',
    );
    return this.#monitor.cancelled() ? undefined : truncated;
  }

  async #readWindows({ partitions, bases }: FolderContents, { documents }: StoredDocuments): Promise<void> {
    await this.#duckdb.run(createTables);
    const columns = [
      Uint32Array.from(documents, ({ content }) => content),
      Uint8Array.from(documents, ({ part }) => documentParts.indexOf(part)),
      Uint32Array.from(documents, (_, number) => number),
    ];
    await this.#duckdb.append('document', columns, documents.length);
    const windows = partitions.map(
      (partition, i) => `SELECT view, fp, (content + ${bases[i]!})::UINTEGER AS content, part, position
FROM read_parquet(${quoted(partition.file('windows.parquet'))})`,
    );
    for (let from = 0; from < windows.length; from += partitionsAtOnce) {
      const some = windows.slice(from, from + partitionsAtOnce).join('\nUNION ALL ');
      await this.#duckdb.run(`INSERT INTO window_of_document ${windowsOfDocuments(`(${some})`, 'content, part')}`);
    }
    await this.#duckdb.run(`CREATE TABLE fingerprint AS ${seedStatements.fingerprints}`);
  }

  async #countFingerprints(): Promise<Map<View, number>> {
    const rows = await this.#duckdb.rows<{ view: View; fingerprints: bigint }>(seedStatements.count);
    return new Map(rows.map(({ view, fingerprints }) => [view, Number(fingerprints)]));
  }

  /** Finds the near pairs of a view, and adds the first windows of those that are kept. Returns false if cancelled. */
  async #findNear(
    searched: SearchedView,
    fingerprints: number,
    onCrowded: (crowded: number) => void,
  ): Promise<boolean> {
    if (fingerprints === 0) return true;
    const { near, crowded, seeds } = nearStatements(dialectOfDuckDB, searched, fingerprints);
    await this.#duckdb.run('DELETE FROM near');
    for (const [i, statement] of near.entries()) {
      if (this.#monitor.cancelled()) return false;
      this.#monitor.onProgress({ phase: 'matching', done: i, total: near.length });
      await this.#duckdb.run(`INSERT INTO near ${statement}`);
    }
    const [row] = await this.#duckdb.rows<{ crowded: bigint }>(crowded);
    onCrowded(Number(row!.crowded));
    await this.#duckdb.run(`INSERT INTO seed ${seeds}`);
    return true;
  }
}
