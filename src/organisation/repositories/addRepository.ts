/**
 * Stores a repository's current state in the index. Texts that the index already contains are neither tokenized nor
 * written again. Readers cannot see the new state until it replaces the previous one.
 */
import { randomUUID } from 'node:crypto';
import { renameSync, statSync } from 'node:fs';
import path from 'node:path';
import type { DocumentIndex } from '../../core/engine/documents/documents.ts';
import type { Kernel } from '../../core/engine/kernel.ts';
import { lexiconForPath } from '../../core/engine/languages/allLexicons.ts';
import type { Skipped } from '../../core/engine/report/report.ts';
import { contentKey } from '../../scan/indexer/indexFiles.ts';
import { type DuckDB, quoted } from '../folder/duckdb.ts';
import {
  explaining,
  folderSchema,
  type IndexFolder,
  type RepositoryState,
  type StatePartition,
} from '../folder/indexFolder.ts';
import type { RepositoryRules } from './catalogue.ts';
import type { Method } from './method.ts';
import { type FileRead, filesOf, readFiles, type Reading } from './readFiles.ts';
import { writeNames } from './documentNames.ts';
import { queryFolder } from './folderContents.ts';
import { type NewContent, PartitionWriter } from './partitionWriter.ts';

/**
 * Maximum number of partitions that a repository's state may use. Beyond that, all of its texts are written to new
 * partitions, so that searches open fewer files.
 */
const maxPartitions = 16;

export interface RepositoryInput extends Omit<Reading, 'options' | 'known'> {
  readonly name: string;
  /** Path of the source folder. */
  readonly origin: string;
  readonly commit: string | undefined;
  readonly rules: RepositoryRules;
}

export interface Added {
  readonly files: number;
  readonly lines: number;
  /** Number of texts that were written to the index. */
  readonly written: number;
  /** Number of new or changed files whose text the index already contained. */
  readonly shared: number;
  readonly removed: number;
  readonly unchanged: number;
}

/** Returns `undefined` without changing the index if the operation was canceled. */
export async function addRepository(
  index: IndexFolder,
  duckdb: DuckDB,
  { options }: Method,
  input: RepositoryInput,
): Promise<Added | undefined> {
  return index.writing(input.name, async (scratch) => {
    const before = index.repository(input.name);
    const stored = new StoredContents(index, duckdb, before);
    await stored.read();
    const adding = new Adding(scratch, duckdb, options, stored);
    const reading = { ...input, options, known: () => stored.keys };
    const { files, skipped } = filesOf(reading);
    for await (const read of readFiles(files, reading)) await adding.take(read.kernel, read.files);
    if (input.cancelled()) return undefined;
    for (const { path: own, reason, setting } of skipped) adding.skip(own, { reason, ...(setting && { setting }) });
    const { documents, partitions, created, ...state } = await adding.finish();
    explaining(index.folder, () => {
      for (const id of created) renameSync(path.join(scratch, id), index.partitionFolder(id));
      renameSync(path.join(scratch, `${documents}.parquet`), index.documentsFile(documents));
      renameSync(path.join(scratch, `${documents}.names`), index.namesFile(documents));
    });
    const earlier = await earlierDocuments(index, duckdb, before);
    const { files: paths, ...counts } = state;
    index.replaceRepository({
      schema: folderSchema,
      name: input.name,
      generation: (before?.generation ?? 0) + 1,
      origin: input.origin,
      ...(input.commit !== undefined && { commit: input.commit }),
      rules: input.rules,
      files: paths.size,
      lines: counts.lines,
      tokens: counts.tokens,
      storedAt: new Date().toISOString(),
      documents,
      nameBytes: statSync(index.namesFile(documents)).size,
      partitions,
    });
    index.sweep(input.name);
    const kept = [...paths].filter(([own, key]) => earlier.get(own) === key).length;
    return {
      files: paths.size,
      lines: counts.lines,
      written: counts.written,
      unchanged: kept,
      shared: counts.reused - kept,
      removed: [...earlier.keys()].filter((own) => !adding.has(own)).length,
    };
  });
}

/** Returns the content key (a hash of the text) of each file in a repository's previous state. */
async function earlierDocuments(
  index: IndexFolder,
  duckdb: DuckDB,
  state: RepositoryState | undefined,
): Promise<Map<string, bigint>> {
  if (state === undefined) return new Map();
  const file = quoted(index.documentsFile(state.documents));
  const rows = await queryFolder(index, () =>
    duckdb.rows<{ path: string; key: bigint }>(`SELECT path, key FROM read_parquet(${file}) WHERE key IS NOT NULL`),
  );
  return new Map(rows.map((row) => [row.path, row.key]));
}

/** Location of a stored text, and its sizes. */
interface ContentPlace {
  readonly partition: string;
  readonly content: number;
  readonly lines: number;
  readonly tokens: number;
}

/** Texts that the index already contains. There may be millions, so only their keys are kept in memory. */
class StoredContents {
  readonly #index: IndexFolder;
  readonly #duckdb: DuckDB;
  readonly #partitions: readonly string[];
  /** Keys of the texts in the index, and of the texts that this writer added. Both arrays are sorted. */
  #keys: [ofIndex: BigUint64Array, own: BigUint64Array] = [new BigUint64Array(), new BigUint64Array()];

  constructor(index: IndexFolder, duckdb: DuckDB, before: RepositoryState | undefined) {
    this.#index = index;
    this.#duckdb = duckdb;
    const idsOf = ({ partitions }: RepositoryState): string[] => partitions.map(({ id }) => id);
    const own = before === undefined ? [] : idsOf(before);
    const all = index.repositories().flatMap(idsOf);
    this.#partitions = own.length > maxPartitions ? [] : [...new Set([...own, ...all])];
  }

  get keys(): readonly BigUint64Array[] {
    return this.#keys;
  }

  async read(): Promise<void> {
    if (this.#partitions.length === 0) return;
    const [keys] = await queryFolder(this.#index, () =>
      this.#duckdb.columns(`SELECT DISTINCT key FROM ${this.#files()} ORDER BY key`, 1),
    );
    // Scan threads read this array, so it is in shared memory.
    const shared = new BigUint64Array(new SharedArrayBuffer(8 * keys!.count));
    shared.set(keys!.wide);
    this.#keys[0] = shared;
  }

  /** Adds keys of contents that this writer has stored. */
  add(keys: Iterable<bigint>): void {
    this.#keys[1] = BigUint64Array.from([...this.#keys[1], ...keys]).sort();
  }

  /** Returns the location of each text by its key. If several partitions contain the text, uses the earliest one. */
  async find(keys: readonly bigint[]): Promise<Map<bigint, ContentPlace>> {
    const places = new Map<bigint, ContentPlace>();
    if (keys.length === 0 || this.#partitions.length === 0) return places;
    await this.#duckdb.run('CREATE OR REPLACE TEMP TABLE wanted (key UBIGINT)');
    await this.#duckdb.append('wanted', [keys], keys.length);
    const rows = await queryFolder(this.#index, () =>
      this.#duckdb.rows<Omit<ContentPlace, 'partition'> & { key: bigint; filename: string }>(
        `SELECT key, content, lines, tokens, filename FROM ${this.#files()} JOIN wanted USING (key)`,
      ),
    );
    const rank = new Map(this.#partitions.map((id, i) => [id, i]));
    for (const { key, filename, ...row } of rows) {
      const partition = path.basename(path.dirname(filename));
      const other = places.get(key);
      if (other === undefined || rank.get(partition)! < rank.get(other.partition)!) {
        places.set(key, { partition, content: row.content, lines: row.lines, tokens: row.tokens });
      }
    }
    return places;
  }

  #files(): string {
    const files = this.#partitions.map((id) => quoted(path.join(this.#index.partitionFolder(id), 'contents.parquet')));
    return `read_parquet([${files.join(', ')}], filename = true)`;
  }
}

/** Builds the new state: collects its files, and writes new texts to new partitions. */
class Adding {
  readonly #scratch: string;
  readonly #duckdb: DuckDB;
  readonly #options: Method['options'];
  readonly #stored: StoredContents;
  /** Content key of each compared file; reason for each skipped file. */
  readonly #files = new Map<string, bigint>();
  readonly #skipped = new Map<string, Omit<Skipped, 'path'>>();
  readonly #written = new Map<bigint, ContentPlace>();
  readonly #partitions: string[] = [];
  #writer: PartitionWriter | undefined;

  constructor(scratch: string, duckdb: DuckDB, options: Method['options'], stored: StoredContents) {
    this.#scratch = scratch;
    this.#duckdb = duckdb;
    this.#options = options;
    this.#stored = stored;
  }

  has(file: string): boolean {
    return this.#files.has(file) || this.#skipped.has(file);
  }

  skip(file: string, reason: Omit<Skipped, 'path'>): void {
    this.#skipped.set(file, reason);
  }

  /** Adds files to the state, and writes the texts that the index does not contain yet. */
  async take(kernel: Kernel, files: readonly FileRead[]): Promise<void> {
    const fresh = new Map<bigint, NewContent>();
    for (const { path: file, digest, content } of files) {
      if (content !== 'same' && 'reason' in content) {
        this.skip(file, { reason: content.reason, ...(content.setting && { setting: content.setting }) });
        continue;
      }
      const language = lexiconForPath(file).id;
      const key = contentKey(digest, language);
      this.#files.set(file, key);
      if (content !== 'same' && !this.#written.has(key)) fresh.set(key, newContent(digest, language, content));
    }
    if (fresh.size > 0) await this.#write(kernel, fresh);
  }

  async #write(kernel: Kernel, fresh: ReadonlyMap<bigint, NewContent>): Promise<void> {
    if (this.#writer === undefined) {
      this.#partitions.push(randomUUID());
      this.#writer = new PartitionWriter(
        path.join(this.#scratch, this.#partitions.at(-1)!),
        this.#duckdb,
        this.#options,
      );
    }
    let content = this.#writer.add(kernel, [...fresh.values()]);
    for (const [key, { index }] of fresh) {
      const sizes = { lines: index.totalLines, tokens: index.tokenCount };
      this.#written.set(key, { partition: this.#partitions.at(-1)!, content: content++, ...sizes });
    }
    this.#stored.add(fresh.keys());
    if (this.#writer.isFull) await this.#finishPartition();
  }

  async #finishPartition(): Promise<void> {
    await this.#writer?.finish();
    this.#writer = undefined;
  }

  /** Completes the new partitions and the table of documents. Returns the table's name as `documents`. */
  async finish(): Promise<{
    readonly documents: string;
    readonly partitions: readonly StatePartition[];
    /** Ids of the new partitions. */
    readonly created: readonly string[];
    readonly files: ReadonlyMap<string, bigint>;
    readonly lines: number;
    readonly tokens: number;
    /** Number of texts written, and number of files whose text the index already contained. */
    readonly written: number;
    readonly reused: number;
  }> {
    await this.#finishPartition();
    const others = [...new Set(this.#files.values())].filter((key) => !this.#written.has(key));
    const found = await this.#stored.find(others);
    const placeOf = (key: bigint): ContentPlace => this.#written.get(key) ?? found.get(key)!;
    const documents = randomUUID();
    await this.#writeDocuments(documents, placeOf);
    const placed = [...this.#files].map(([file, key]) => ({ path: file, ...placeOf(key) }));
    return {
      documents,
      partitions: writeNames(path.join(this.#scratch, `${documents}.names`), placed),
      created: this.#partitions,
      files: this.#files,
      lines: placed.reduce((sum, { lines }) => sum + lines, 0),
      tokens: placed.reduce((sum, { tokens }) => sum + tokens, 0),
      written: this.#written.size,
      reused: [...this.#files.values()].filter((key) => found.has(key)).length,
    };
  }

  async #writeDocuments(documents: string, placeOf: (key: bigint) => ContentPlace): Promise<void> {
    const [files, skipped] = [[...this.#files], [...this.#skipped]];
    const nothing = skipped.map(() => null);
    const places = files.map(([, key]) => placeOf(key));
    await this.#duckdb.run(
      'CREATE OR REPLACE TEMP TABLE new_document (path VARCHAR, key UBIGINT, partition VARCHAR, content UINTEGER, reason VARCHAR, setting VARCHAR)',
    );
    const columns = [
      [...files, ...skipped].map(([file]) => file),
      [...files.map(([, key]) => key), ...nothing],
      [...places.map(({ partition }) => partition), ...nothing],
      [...places.map(({ content }) => content), ...nothing],
      [...files.map(() => null), ...skipped.map(([, { reason }]) => reason)],
      [...files.map(() => null), ...skipped.map(([, { setting }]) => setting ?? null)],
    ];
    await this.#duckdb.append('new_document', columns, files.length + skipped.length);
    const file = path.join(this.#scratch, `${documents}.parquet`);
    await this.#duckdb.run(`COPY new_document TO ${quoted(file)} (FORMAT parquet, COMPRESSION zstd)`);
  }
}

function newContent(digest: bigint, language: string, index: DocumentIndex): NewContent {
  return { digest, language, bytes: index.sizeBytes, index };
}
