/**
 * Contents (distinct texts) and documents of an index. Contents are numbered across all partitions, in the order of the
 * partitions.
 */
import type { DocumentShape } from '../../core/engine/documents/documents.ts';
import { firstPlace, groupBy } from '../../core/collections/lists.ts';
import type { AdmittingSetting, SkippedFile } from '../../core/engine/report/report.ts';
import type { Cancellation } from '../folder/cancellation.ts';
import { resultOf } from './resultOf.ts';
import { type DuckDB, quoted } from '../folder/duckdb.ts';
import { damaged, explained, MissingFileError } from '../folder/folderFiles.ts';
import type { IndexFolder, RepositoryState } from '../folder/indexFolder.ts';
import { IndexError } from '../folder/indexError.ts';
import { documentsOf, prefixOf, type StoredDocuments } from './catalogue.ts';
import { listsOfPartition, type MergedLists, openMergedLists, type SearchedLists } from './mergedLists.ts';
import { Partition } from './partition.ts';

export class FolderContents {
  readonly partitions: readonly Partition[];
  /** For each partition, the number of its first content. */
  readonly bases: readonly number[];
  /** Lists that together have the windows of all contents. */
  readonly lists: readonly SearchedLists[];
  readonly #byId: ReadonlyMap<string, number>;

  /** @param merged  merged lists of some of the partitions */
  constructor(partitions: readonly Partition[], merged: readonly MergedLists[]) {
    this.partitions = partitions;
    let base = 0;
    this.bases = partitions.map(({ contents }) => {
      const own = base;
      base += contents;
      return own;
    });
    this.#byId = new Map(partitions.map(({ id }, i) => [id, i]));
    const bases = new Map(partitions.map(({ id }, i) => [id, this.bases[i]!]));
    const ofMerged = merged.flatMap((lists) => lists.searched(bases) ?? []);
    // The lists of the partitions that are left.
    const others = partitions.filter(({ id }) => bases.has(id));
    this.lists = [...ofMerged, ...others.map((partition) => listsOfPartition(partition, bases.get(partition.id)!))];
  }

  /**
   * Returns the number of a content, given its partition and its index in the partition. Returns `undefined` if there
   * is no such content.
   */
  numberOf(partition: string, content: number): number | undefined {
    const place = this.#byId.get(partition);
    if (place === undefined || content >= this.partitions[place]!.contents) return undefined;
    return this.bases[place]! + content;
  }

  /** Number of contents in all partitions. */
  get count(): number {
    return this.partitions.length === 0 ? 0 : this.bases.at(-1)! + this.partitions.at(-1)!.contents;
  }

  /** Returns the number of a content's partition. */
  readonly partitionOf = (content: number): number =>
    firstPlace(this.bases.length, (i) => this.bases[i]! <= content) - 1;

  /** Returns the partition of a content, and its index in the partition. */
  placeOf(content: number): { readonly partition: Partition; readonly place: number } {
    const i = this.partitionOf(content);
    return { partition: this.partitions[i]!, place: content - this.bases[i]! };
  }

  /** Reads the shapes of contents. A step reads those of one partition. */
  *shapesSteps(numbers: Iterable<number>): Generator<void, Map<number, DocumentShape>> {
    const shapes = new Map<number, DocumentShape>();
    for (const { partition, base, contents } of this.byPartition(numbers)) {
      for (const [content, shape] of partition.shapes(contents)) shapes.set(base + content, shape);
      yield;
    }
    return shapes;
  }

  /** Splits content numbers by partition. Returns the indices inside each partition in ascending order. */
  byPartition(numbers: Iterable<number>): { partition: Partition; base: number; contents: number[] }[] {
    const sorted = Float64Array.from(numbers).sort();
    return [...groupBy(sorted, this.partitionOf)].map(([i, all]) => {
      const base = this.bases[i]!;
      return { partition: this.partitions[i]!, base, contents: all.map((number) => number - base) };
    });
  }
}

/** Opens partitions and caches them. Partitions never change, so the cache stays valid. */
export class Partitions {
  readonly #index: IndexFolder;
  #opened: ReadonlyMap<string, Partition> = new Map();
  #merged: readonly MergedLists[] = [];

  constructor(index: IndexFolder) {
    this.#index = index;
  }

  contentsOf(states: readonly RepositoryState[]): FolderContents {
    const ids = [...new Set(states.flatMap(({ partitions }) => partitions.map(({ id }) => id)))];
    this.#merged = openMergedLists(this.#index, this.#merged);
    const sizes = new Map(this.#merged.flatMap(({ description }) => description.partitions));
    this.#opened = new Map(
      ids.map((id) => [id, this.#opened.get(id) ?? new Partition(this.#index, id, sizes.get(id))]),
    );
    return new FolderContents([...this.#opened.values()], this.#merged);
  }
}

interface DocumentRow {
  readonly repository: number;
  readonly path: string;
  readonly partition: string | null;
  readonly content: number | null;
  readonly reason: string | null;
  readonly setting: AdmittingSetting | null;
}

/** Repository states of an index, and their contents. A command reads them once, because writers replace states. */
export interface ReadIndex extends Cancellation {
  readonly index: IndexFolder;
  readonly duckdb: DuckDB;
  readonly states: readonly RepositoryState[];
  readonly source: FolderContents;
}

/** Returns SQL that selects the documents of repository states. The column `repository` is the index of the state. */
function documentRows({ index, states }: ReadIndex, only: string | undefined): string {
  const rows = states.map(
    (state, i) =>
      `SELECT ${i}::UINTEGER AS repository, ${quoted(prefixOf(state))} || path AS path, partition, content, reason, setting
FROM read_parquet(${quoted(index.documentsFile(state.documents))})`,
  );
  return `SELECT * FROM (${rows.join('\nUNION ALL ')})${only === undefined ? '' : ` WHERE path IN ${only}`}`;
}

/**
 * Reads the documents of an index.
 *
 * @param only  SQL of the paths of the files to read, starting with the repository name; omit to read all files
 */
export async function readDocuments(read: ReadIndex, only?: string): Promise<StoredDocuments> {
  const { index, duckdb, states, source } = read;
  const rows = await duckdb.rows<DocumentRow>(documentRows(read, only));
  const skipped: SkippedFile[] = [];
  const files: { readonly path: string; readonly content: number }[] = [];
  for (const { repository, path, partition, content, reason, setting } of rows) {
    if (partition !== null && content !== null) {
      const number = source.numberOf(partition, content);
      if (number === undefined) throw damaged(index.documentsFile(states[repository]!.documents));
      files.push({ path, content: number });
    } else skipped.push({ path, reason: reason ?? '', ...(setting !== null && { setting }) });
  }
  const contents = new Set(files.map(({ content }) => content));
  return documentsOf(files, skipped, await resultOf(source.shapesSteps(contents), read));
}

/** Maximum number of attempts if repositories change during the read. */
const attempts = 3;

/** Reads an index, and explains errors. Repeats the read if a repository changes during it and files are deleted. */
export async function stableRead<Result>(index: IndexFolder, read: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await read();
    } catch (thrown) {
      const error = explained(thrown, index.folder);
      if (!(error instanceof MissingFileError)) throw error;
      if (attempt < attempts) continue;
      throw new IndexError(
        `${error.message} is missing: repeat the command if repositories are being added; otherwise restore the file, or delete ${index.folder} and add the repositories again.`,
      );
    }
  }
}
