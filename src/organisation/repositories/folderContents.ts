/**
 * Contents (distinct texts) and documents of an index. Contents are numbered across all partitions, in the order of the
 * partitions.
 */
import { closeSync } from 'node:fs';
import { firstPlace, groupBy } from '../../core/collections/lists.ts';
import {
  documentBytes,
  type DocumentIndex,
  type DocumentShape,
  placeDocument,
} from '../../core/engine/documents/documents.ts';
import {
  compareNames,
  type DocumentName,
  type DocumentPart,
  documentParts,
} from '../../core/engine/documents/namedDocument.ts';
import type { Kernel } from '../../core/engine/kernel.ts';
import type { AdmittingSetting, SkippedFile } from '../../core/engine/report/report.ts';
import { byPath } from '../../scan/io/byPath.ts';
import type { Cancellation } from '../folder/cancellation.ts';
import { resultOf } from './resultOf.ts';
import { type DuckDB, quoted } from '../folder/duckdb.ts';
import { damaged, explained, explaining, MissingFileError, readFully } from '../folder/folderFiles.ts';
import { type IndexFolder, partitionsOf, type RepositoryState } from '../folder/indexFolder.ts';
import { IndexError } from '../folder/indexError.ts';
import {
  listsOfMerged,
  listsOfPartition,
  type MergedLists,
  openMergedLists,
  type SearchedLists,
} from './mergedLists.ts';
import { type OpenArrays, Partition } from './partition.ts';

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
    const ofMerged = merged.flatMap((lists) => listsOfMerged(lists, bases) ?? []);
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

  get count(): number {
    return this.partitions.length === 0 ? 0 : this.bases.at(-1)! + this.partitions.at(-1)!.contents;
  }

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

/** Maximum number of files that an `ArrayReader` keeps open. */
const maxOpen = 200;

/** Reads the arrays of contents into the kernel's memory. Keeps files open until it is closed. */
export class ArrayReader {
  readonly #kernel: Kernel;
  readonly #source: FolderContents;
  readonly #open = new Map<Partition, OpenArrays>();

  constructor(kernel: Kernel, source: FolderContents) {
    this.#kernel = kernel;
    this.#source = source;
  }

  /** Returns the document of a content, whose arrays are in newly allocated memory. */
  load(content: number, shape: DocumentShape): DocumentIndex {
    const size = documentBytes(shape);
    const address = this.#kernel.allocate(size);
    this.read(content, address, size);
    return placeDocument(shape, address);
  }

  /** Reads some bytes of a content's arrays to an address. */
  read(content: number, address: number, size: number, offset = 0): void {
    const { partition, place } = this.#source.placeOf(content);
    let arrays = this.#open.get(partition);
    if (arrays === undefined) {
      if (this.#open.size === maxOpen) this.close();
      this.#open.set(partition, (arrays = partition.openArrays()));
    }
    const { name, file, ends } = arrays;
    const position = (ends[2 * place - 2] ?? 0) + offset;
    explaining(name, () => readFully(file, this.#kernel.bytes.subarray(address, address + size), position));
  }

  close(): void {
    for (const { file } of this.#open.values()) closeSync(file);
    this.#open.clear();
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
    const ids = [...partitionsOf(states)];
    this.#merged = openMergedLists(this.#index, this.#merged);
    const sizes = new Map(this.#merged.flatMap(({ description }) => description.partitions));
    this.#opened = new Map(
      ids.map((id) => [id, this.#opened.get(id) ?? new Partition(this.#index, id, sizes.get(id))]),
    );
    return new FolderContents([...this.#opened.values()], this.#merged);
  }
}

/**
 * Documents of repository states. Their names equal those that a scan with each repository as a folder would use.
 */
export interface StoredDocuments {
  /**
   * Sorted by name. The parts of a file (such as quoted code) follow its text. A document's number is its index in this
   * array.
   */
  readonly documents: readonly StoredDocument[];
  readonly skipped: readonly SkippedFile[];
  readonly shapes: ReadonlyMap<number, DocumentShape>;
}

export interface StoredDocument extends DocumentName {
  readonly content: number;
}

/** Returns the shape of a part of a text; `undefined` if the text has no such part. */
export function partOf(text: DocumentShape, part: DocumentPart): DocumentShape | undefined {
  return part === 'text' ? text : text[part];
}

/** Returns the shapes of texts, of their comments, and of the code that they quote. */
export function partsOfTexts({ shapes }: StoredDocuments): DocumentShape[] {
  return [...shapes.values()].flatMap((text) => documentParts.flatMap((part) => partOf(text, part) ?? []));
}

/** Returns the prefix of a repository's paths in reports. */
export function prefixOf({ name }: Pick<RepositoryState, 'name'>): string {
  return `${name}/`;
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
FROM read_parquet(${quoted(index.file('documents', `${state.documents}.parquet`))})`,
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
      if (number === undefined) throw damaged(index.file('documents', `${states[repository]!.documents}.parquet`));
      files.push({ path, content: number });
    } else skipped.push({ path, reason: reason ?? '', ...(setting !== null && { setting }) });
  }
  const contents = new Set(files.map(({ content }) => content));
  const shapes = await resultOf(source.shapesSteps(contents), read);
  const documents = files.flatMap((file) =>
    documentParts.flatMap((part) => (partOf(shapes.get(file.content)!, part) ? { ...file, part } : [])),
  );
  return { documents: documents.sort(compareNames), shapes, skipped: skipped.sort(byPath) };
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
