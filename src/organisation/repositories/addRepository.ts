/**
 * Stores a repository's current state in the index. Texts that the index already contains are neither tokenized nor
 * written again. Readers cannot see the new state until it replaces the previous one.
 */
import { randomUUID } from 'node:crypto';
import { renameSync, statSync } from 'node:fs';
import path from 'node:path';
import { sum } from '../../core/collections/lists.ts';
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
import { type PlacedDocument, writeNames } from './documentNames.ts';
import type { ContentPlace, StoredContents } from './storedContents.ts';
import { type NewContent, PartitionWriter } from './partitionWriter.ts';

export interface RepositoryInput extends Omit<ReadInput, 'knownKeys' | 'options'> {
  readonly name: string;
  readonly origin: string;
  readonly commit: string | undefined;
  readonly rules: RepositoryRules;
}

export interface AddedRepository {
  readonly files: number;
  readonly lines: number;
  readonly written: number;
  /** Number of new or changed files whose text another file has stored. */
  readonly shared: number;
  readonly removed: number;
  readonly unchanged: number;
}

export interface WrittenIndex {
  readonly index: IndexFolder;
  readonly duckdb: DuckDB;
  readonly method: Method;
  readonly stored: StoredContents;
}

/** @throws CancellationError without changing the index */
export async function addRepository(written: WrittenIndex, input: RepositoryInput): Promise<AddedRepository> {
  const { index, duckdb, method, stored } = written;
  return index.writing(input.name, async (scratch) => {
    const before = index.repository(input.name);
    const writer = new RepositoryWriter(written, scratch, before);
    const readInput = { ...input, options: method.options, knownKeys: () => writer.knownKeys() };
    const { files, skipped } = filesOf(readInput);
    for await (const read of readFiles(files, readInput)) await writer.addFiles(read.kernel, read.files);
    await checkCancelled(input);
    for (const each of skipped) writer.skipped.set(each.path, each);
    const state = await writer.finish();
    const earlier = await earlierDocuments(index, duckdb, before);
    const names = `${state.documents}.names`;
    explaining(index.folder, () => {
      for (const id of writer.partitions) renameSync(path.join(scratch, id), index.file('contents', id));
      for (const name of [`${state.documents}.parquet`, names]) {
        renameSync(path.join(scratch, name), index.file('documents', name));
      }
    });
    index.replaceRepository({
      schema: folderSchema,
      name: input.name,
      generation: (before?.generation ?? 0) + 1,
      origin: input.origin,
      commit: input.commit,
      rules: input.rules,
      storedAt: new Date().toISOString(),
      nameBytes: statSync(index.file('documents', names)).size,
      ...state,
    });
    // The repository is stored now: if the user cancels, this has no effect, and the next repository is not begun.
    await stored.add(writer.written).catch((error: unknown) => {
      if (!input.cancelled()) throw error;
    });
    const changed = [...writer.files].filter(([own, key]) => earlier.get(own) !== key).map(([, key]) => key);
    const firsts = new Set(changed.filter((key) => writer.written.has(key)));
    return {
      files: state.files,
      lines: state.lines,
      written: writer.written.size,
      shared: changed.length - firsts.size,
      unchanged: state.files - changed.length,
      removed: [...earlier.keys()].filter((own) => !writer.files.has(own) && !writer.skipped.has(own)).length,
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
  const file = quoted(index.file('documents', `${state.documents}.parquet`));
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

/** Builds the new state: collects its files, and writes new texts to new partitions. */
class RepositoryWriter {
  /** Content key of each compared file; reason for each skipped file. */
  readonly files = new Map<string, bigint>();
  readonly skipped = new Map<string, Omit<SkippedFile, 'path'>>();
  readonly written = new Map<bigint, ContentPlace>();
  readonly partitions: string[] = [];
  readonly #index: WrittenIndex;
  readonly #scratch: string;
  /** Partitions of the repository's previous state. */
  readonly #own: readonly string[];
  #writer: PartitionWriter | undefined;

  constructor(index: WrittenIndex, scratch: string, before: RepositoryState | undefined) {
    this.#index = index;
    this.#scratch = scratch;
    this.#own = before?.partitions.map(({ id }) => id) ?? [];
  }

  /** Sorted lists of the keys of all texts that need not be stored. */
  knownKeys(): readonly BigUint64Array[] {
    const keys = BigUint64Array.from(this.written.keys()).sort();
    return this.#own.length > maxPartitions ? [keys] : [...this.#index.stored.keys, keys];
  }

  /** Adds files to the state, and writes the texts that the index does not contain yet. */
  async addFiles(kernel: Kernel, files: readonly RepositoryFile[]): Promise<void> {
    const fresh = new Map<bigint, NewContent>();
    for (const { path: file, digest, content } of files) {
      if (content !== 'same' && 'reason' in content) {
        this.skipped.set(file, content);
        continue;
      }
      const language = lexiconForPath(file).id;
      const key = contentKey(digest, language);
      this.files.set(file, key);
      if (content !== 'same' && !this.written.has(key)) fresh.set(key, { digest, language, index: content });
    }
    if (fresh.size === 0) return;
    const { duckdb, method } = this.#index;
    this.#writer ??= new PartitionWriter(this.#scratch, duckdb, method.options);
    const { id: partition } = this.#writer;
    let content = this.#writer.add(kernel, [...fresh.values()]);
    for (const [key, { index }] of fresh) {
      this.written.set(key, { partition, content: content++, lines: index.totalLines, tokens: index.tokenCount });
    }
    if (this.#writer.isFull()) await this.#finishPartition();
  }

  async #finishPartition(): Promise<void> {
    if (this.#writer === undefined) return;
    await this.#writer.finish();
    this.partitions.push(this.#writer.id);
    this.#writer = undefined;
  }

  /** Completes the new partitions and the table of documents. */
  async finish(): Promise<Pick<RepositoryState, 'documents' | 'partitions' | 'files' | 'lines' | 'tokens'>> {
    await this.#finishPartition();
    const others = new Set([...this.files.values()].filter((key) => !this.written.has(key)));
    const found = await this.#index.stored.find([...others], this.#own);
    const placed = Array.from(this.files, ([file, key]) => {
      const place = this.written.get(key) ?? found.get(key)!;
      return { path: file, key, ...place };
    });
    const documents = randomUUID();
    await this.#writeDocuments(path.join(this.#scratch, `${documents}.parquet`), placed);
    return {
      documents,
      partitions: writeNames(path.join(this.#scratch, `${documents}.names`), placed),
      files: placed.length,
      lines: sum(placed.map(({ lines }) => lines)),
      tokens: sum(placed.map(({ tokens }) => tokens)),
    };
  }

  async #writeDocuments(file: string, placed: readonly (PlacedDocument & { readonly key: bigint })[]): Promise<void> {
    const skipped = [...this.skipped];
    const [noReason, noPlace] = [placed.map(() => null), skipped.map(() => null)];
    const { duckdb } = this.#index;
    await duckdb.createTable('new_document', {
      'path VARCHAR': [...placed.map((one) => one.path), ...skipped.map(([name]) => name)],
      'key UBIGINT': [...placed.map(({ key }) => key), ...noPlace],
      'partition VARCHAR': [...placed.map(({ partition }) => partition), ...noPlace],
      'content UINTEGER': [...placed.map(({ content }) => content), ...noPlace],
      'reason VARCHAR': [...noReason, ...skipped.map(([, { reason }]) => reason)],
      'setting VARCHAR': [...noReason, ...skipped.map(([, { setting }]) => setting ?? null)],
    });
    await duckdb.run(`COPY new_document TO ${quoted(file)} (FORMAT parquet, COMPRESSION zstd)`);
  }
}
