/**
 * Stores a repository's current state in the index. Texts that the index already contains are neither tokenized nor
 * written again. Readers cannot see the new state until it replaces the previous one.
 */
import { randomUUID } from 'node:crypto';
import { renameSync, statSync } from 'node:fs';
import path from 'node:path';
import { groupBy, sum } from '../../core/collections/lists.ts';
import type { Kernel } from '../../core/engine/kernel.ts';
import { lexiconForPath } from '../../core/engine/languages/allLexicons.ts';
import type { SkippedFile } from '../../core/engine/report/report.ts';
import { contentKey } from '../../scan/indexer/indexFiles.ts';
import { checkCancelled } from '../folder/cancellation.ts';
import { type DuckDB, quoted } from '../folder/duckdb.ts';
import { explaining } from '../folder/folderFiles.ts';
import { folderSchema, type IndexFolder, type RepositoryRules, type RepositoryState } from '../folder/indexFolder.ts';
import type { Method } from './method.ts';
import { type RepositoryFile, filesOf, readFiles, type ReadInput } from './readFiles.ts';
import { writeNames } from './documentNames.ts';
import type { ContentPlace, StoredContents } from './storedContents.ts';
import { type NewContent, PartitionWriter } from './partitionWriter.ts';

export interface RepositoryInput extends Omit<ReadInput, 'knownKeys' | 'options'> {
  readonly name: string;
  /** Path of the source folder. */
  readonly origin: string;
  readonly commit: string | undefined;
  readonly rules: RepositoryRules;
}

export interface AddedRepository {
  readonly files: number;
  readonly lines: number;
  /** Number of texts that were written to the index. */
  readonly written: number;
  /** Number of new or changed files whose text another file has stored. */
  readonly shared: number;
  readonly removed: number;
  readonly unchanged: number;
}

/** An index that a command adds repositories to. */
export interface WrittenIndex {
  readonly index: IndexFolder;
  readonly duckdb: DuckDB;
  readonly method: Method;
  readonly stored: StoredContents;
}

/** @throws CancellationError without changing the index */
export async function addRepository(
  { index, duckdb, method: { options }, stored }: WrittenIndex,
  input: RepositoryInput,
): Promise<AddedRepository> {
  return index.writing(input.name, async (scratch) => {
    const before = index.repository(input.name);
    const own = before?.partitions.map(({ id }) => id) ?? [];
    const writer = new RepositoryWriter(scratch, duckdb, options, { stored, own });
    const readInput = { ...input, options, knownKeys: () => writer.knownKeys() };
    const { files, skipped } = filesOf(readInput);
    for await (const read of readFiles(files, readInput)) await writer.addFiles(read.kernel, read.files);
    await checkCancelled(input);
    for (const each of skipped) writer.skip(each.path, each);
    const { state, created, keys, written } = await writer.finish();
    const earlier = await earlierDocuments(index, duckdb, before);
    explaining(index.folder, () => {
      for (const id of created.keys()) renameSync(path.join(scratch, id), index.partitionFolder(id));
      renameSync(path.join(scratch, `${state.documents}.parquet`), index.documentsFile(state.documents));
      renameSync(path.join(scratch, `${state.documents}.names`), index.namesFile(state.documents));
    });
    index.replaceRepository({
      schema: folderSchema,
      name: input.name,
      generation: (before?.generation ?? 0) + 1,
      origin: input.origin,
      commit: input.commit,
      rules: input.rules,
      storedAt: new Date().toISOString(),
      nameBytes: statSync(index.namesFile(state.documents)).size,
      ...state,
    });
    for (const [id, ofPartition] of created) stored.add(id, ofPartition);
    const changed = [...keys].filter(([own, key]) => earlier.get(own) !== key).map(([, key]) => key);
    const firsts = new Set(changed.filter((key) => written.has(key)));
    return {
      files: state.files,
      lines: state.lines,
      written: written.size,
      shared: changed.length - firsts.size,
      unchanged: keys.size - changed.length,
      removed: [...earlier.keys()].filter((own) => !writer.has(own)).length,
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
  const rows = await duckdb.rows<{ path: string; key: bigint }>(
    `SELECT path, key FROM read_parquet(${file}) WHERE key IS NOT NULL`,
  );
  return new Map(rows.map((row) => [row.path, row.key]));
}

/**
 * Maximum number of partitions that a repository's state may use. Beyond that, all of its texts are written to new
 * partitions, so that searches open fewer files.
 */
const maxPartitions = 16;

/** Texts that a new state may use. */
interface ReusedContents {
  readonly stored: StoredContents;
  /** Partitions of the repository's previous state. */
  readonly own: readonly string[];
}

/** Builds the new state: collects its files, and writes new texts to new partitions. */
class RepositoryWriter {
  readonly #scratch: string;
  readonly #duckdb: DuckDB;
  readonly #options: Method['options'];
  readonly #reused: ReusedContents;
  /** Content key of each compared file; reason for each skipped file. */
  readonly #files = new Map<string, bigint>();
  readonly #skipped = new Map<string, Omit<SkippedFile, 'path'>>();
  readonly #written = new Map<bigint, ContentPlace>();
  /** Sorted keys of all texts in new partitions. */
  #keys = new BigUint64Array();
  #writer: PartitionWriter | undefined;

  constructor(scratch: string, duckdb: DuckDB, options: Method['options'], reused: ReusedContents) {
    this.#scratch = scratch;
    this.#duckdb = duckdb;
    this.#options = options;
    this.#reused = reused;
  }

  /** Sorted lists of the keys of all texts that need not be stored. */
  knownKeys(): readonly BigUint64Array[] {
    const { stored, own } = this.#reused;
    return own.length > maxPartitions ? [this.#keys] : [...stored.keys(), this.#keys];
  }

  has(file: string): boolean {
    return this.#files.has(file) || this.#skipped.has(file);
  }

  skip(file: string, reason: Omit<SkippedFile, 'path'>): void {
    this.#skipped.set(file, reason);
  }

  /** Adds files to the state, and writes the texts that the index does not contain yet. */
  async addFiles(kernel: Kernel, files: readonly RepositoryFile[]): Promise<void> {
    const fresh = new Map<bigint, NewContent>();
    for (const { path: file, digest, content } of files) {
      if (content !== 'same' && 'reason' in content) {
        this.skip(file, content);
        continue;
      }
      const language = lexiconForPath(file).id;
      const key = contentKey(digest, language);
      this.#files.set(file, key);
      if (content !== 'same' && !this.#written.has(key)) fresh.set(key, { digest, language, index: content });
    }
    if (fresh.size > 0) await this.#write(kernel, fresh);
  }

  async #write(kernel: Kernel, fresh: ReadonlyMap<bigint, NewContent>): Promise<void> {
    this.#writer ??= new PartitionWriter(this.#scratch, this.#duckdb, this.#options);
    let content = this.#writer.add(kernel, [...fresh.values()]);
    for (const [key, { index }] of fresh) {
      const sizes = { lines: index.totalLines, tokens: index.tokenCount };
      this.#written.set(key, { partition: this.#writer.id, content: content++, ...sizes });
    }
    this.#keys = BigUint64Array.from(this.#written.keys()).sort();
    if (this.#writer.isFull()) await this.#finishPartition();
  }

  async #finishPartition(): Promise<void> {
    await this.#writer?.finish();
    this.#writer = undefined;
  }

  /** Completes the new partitions and the table of documents. */
  async finish(): Promise<{
    readonly state: Pick<RepositoryState, 'documents' | 'partitions' | 'files' | 'lines' | 'tokens'>;
    /** Keys of the texts of each new partition, by its id. */
    readonly created: ReadonlyMap<string, readonly bigint[]>;
    /** Content key of each file. */
    readonly keys: ReadonlyMap<string, bigint>;
    /** Keys of the texts that were written. */
    readonly written: ReadonlyMap<bigint, unknown>;
  }> {
    await this.#finishPartition();
    const others = [...new Set(this.#files.values())].filter((key) => !this.#written.has(key));
    const found = await this.#reused.stored.find(others, this.#reused.own);
    const placeOf = (key: bigint): ContentPlace => this.#written.get(key) ?? found.get(key)!;
    const documents = randomUUID();
    await this.#writeDocuments(documents, placeOf);
    const placed = [...this.#files].map(([file, key]) => ({ path: file, ...placeOf(key) }));
    return {
      state: {
        documents,
        partitions: writeNames(path.join(this.#scratch, `${documents}.names`), placed),
        files: placed.length,
        lines: sum(placed.map(({ lines }) => lines)),
        tokens: sum(placed.map(({ tokens }) => tokens)),
      },
      created: groupBy(this.#written.keys(), (key) => this.#written.get(key)!.partition),
      keys: this.#files,
      written: this.#written,
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
