/** Writes texts to a new partition (partition.ts). */
import { closeSync, mkdirSync, openSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { documentBytes, type DocumentIndex, shapeOf } from '../../core/engine/documents/documents.ts';
import { createMemory, Kernel } from '../../core/engine/kernel.ts';
import type { Options } from '../../core/engine/options.ts';
import { contentKey } from '../../scan/indexer/indexFiles.ts';
import { type DuckDB, quoted } from '../folder/duckdb.ts';
import { explaining, writeFully } from '../folder/folderFiles.ts';
import { distanceOf, views } from './blocks.ts';
import { forEachWindow, type Window } from './windows.ts';
import { ListWriter, sortFingerprints } from './fingerprintLists.ts';
import {
  descriptionFile,
  maxWindows,
  type PartitionDescription,
  type PartitionFile,
  partitionFiles,
} from './partition.ts';

const contentsTable =
  'CREATE OR REPLACE TEMP TABLE new_content (content UINTEGER, key UBIGINT, digest UBIGINT, bytes UINTEGER, language VARCHAR, lines UINTEGER, tokens UINTEGER)';
const windowsTable =
  'CREATE OR REPLACE TEMP TABLE new_window (view UTINYINT, fp UBIGINT, content UINTEGER, part UTINYINT, position UINTEGER)';

/** A text that the index does not contain yet. */
export interface NewContent {
  readonly digest: bigint;
  readonly language: string;
  readonly index: DocumentIndex;
}

export class PartitionWriter {
  readonly #folder: string;
  readonly #duckdb: DuckDB;
  readonly #options: Options;
  readonly #contents: NewContent[] = [];
  /** For each content, two numbers: the ends of its arrays and of its shape. */
  readonly #ends: number[] = [];
  readonly #windows = new Map(views.map((view) => [view, new WindowColumns()]));
  readonly #files: { readonly arrays: number; readonly shapes: number };

  /** @param folder  path of the partition's folder, which is new */
  constructor(folder: string, duckdb: DuckDB, options: Options) {
    this.#folder = folder;
    this.#duckdb = duckdb;
    this.#options = options;
    this.#files = explaining(folder, () => {
      mkdirSync(folder);
      return { arrays: openSync(this.#file('arrays.bin'), 'w'), shapes: openSync(this.#file('shapes.bin'), 'w') };
    });
  }

  #file(name: PartitionFile): string {
    return path.join(this.#folder, name);
  }

  isFull(): boolean {
    return [...this.#windows.values()].reduce((sum, { count }) => sum + count, 0) >= maxWindows;
  }

  /** Adds contents from the memory of a kernel. Returns the index of the first one in the partition. */
  add(kernel: Kernel, contents: readonly NewContent[]): number {
    const first = this.#contents.length;
    const arrays = contents.map(({ index }) => kernel.bytes.slice(index.tokens, index.tokens + documentBytes(index)));
    const shapes = contents.map(({ index }) => Buffer.from(JSON.stringify(shapeOf(index))));
    explaining(this.#folder, () => {
      writeFully(this.#files.arrays, Buffer.concat(arrays));
      writeFully(this.#files.shapes, Buffer.concat(shapes));
    });
    for (const [i, content] of contents.entries()) {
      const [ofArrays, ofShapes] = [this.#ends.at(-2) ?? 0, this.#ends.at(-1) ?? 0];
      this.#ends.push(ofArrays + arrays[i]!.length, ofShapes + shapes[i]!.length);
      forEachWindow(kernel, content.index, (window) => {
        this.#windows.get(window.view)!.add(window, first + i);
      });
      // Keep only the description: the arrays are written, and the caller will release the kernel's memory.
      this.#contents.push(content);
    }
    return first;
  }

  /** Completes all files. The writer cannot be used after this call. */
  async finish(): Promise<void> {
    for (const file of Object.values(this.#files)) closeSync(file);
    await this.#writeContents();
    const { lists, ends } = await this.#writeWindows();
    const sizes = Object.fromEntries(partitionFiles.map((name) => [name, statSync(this.#file(name)).size]));
    const description: PartitionDescription = {
      contents: this.#contents.length,
      windows: lists.reduce((sum, { contents, count }) => sum + (contents === undefined ? 0 : count), 0),
      sizes: sizes as Record<PartitionFile, number>,
      lists,
      ends,
    };
    writeFileSync(path.join(this.#folder, descriptionFile), JSON.stringify(description, undefined, 2));
  }

  async #writeContents(): Promise<void> {
    const all = this.#contents;
    await this.#duckdb.run(contentsTable);
    const columns = [
      Uint32Array.from(all, (_, i) => i),
      BigUint64Array.from(all, ({ digest, language }) => contentKey(digest, language)),
      BigUint64Array.from(all, ({ digest }) => digest),
      Uint32Array.from(all, ({ index }) => index.sizeBytes),
      all.map(({ language }) => language),
      Uint32Array.from(all, ({ index }) => index.totalLines),
      Uint32Array.from(all, ({ index }) => index.tokenCount),
    ];
    await this.#duckdb.append('new_content', columns, all.length);
    await this.#copy('new_content', 'contents.parquet');
  }

  /** Writes the windows to the Parquet table and to the sorted lists. */
  async #writeWindows(): Promise<Pick<PartitionDescription, 'lists' | 'ends'>> {
    await this.#duckdb.run(windowsTable);
    const kernel = new Kernel(createMemory());
    const file = openSync(this.#file('lists.bin'), 'w');
    const writer = new ListWriter(file, kernel);
    try {
      for (const [view, columns] of this.#windows) {
        if (columns.count === 0) continue;
        const { order, sorted } = sortFingerprints(kernel, { high: columns.column(0), low: columns.column(1) });
        const [contents, parts, positions] = [2, 3, 4].map((word) => columns.column(word, order));
        const fingerprints = new BigUint64Array(sorted.buffer);
        const rows = [new Uint8Array(order.length).fill(view), fingerprints, contents!, parts!, positions!];
        await this.#duckdb.append('new_window', rows, order.length);
        writer.write(view, sorted, contents!, distanceOf(view, this.#options));
      }
      writeFully(file, new Uint8Array(Float64Array.from(this.#ends).buffer));
    } finally {
      closeSync(file);
    }
    await this.#copy('new_window', 'windows.parquet');
    return { lists: writer.lists, ends: writer.end };
  }

  async #copy(table: string, name: PartitionFile): Promise<void> {
    await this.#duckdb.run(
      `COPY ${table} TO ${quoted(this.#file(name))} (FORMAT parquet, PARQUET_VERSION v2, COMPRESSION zstd)`,
    );
    await this.#duckdb.run(`DROP TABLE ${table}`);
  }
}

/** Number of words of a window. */
const windowWords = 5;

/** The windows of one view: high, low, content, part, and position of each. There may be millions of them. */
class WindowColumns {
  count = 0;
  #words = new Uint32Array(windowWords * 4_096);

  add({ high, low, part, position }: Window, content: number): void {
    const at = windowWords * this.count++;
    if (at === this.#words.length) {
      const more = new Uint32Array(2 * at);
      more.set(this.#words);
      this.#words = more;
    }
    this.#words[at] = high;
    this.#words[at + 1] = low;
    this.#words[at + 2] = content;
    this.#words[at + 3] = part;
    this.#words[at + 4] = position;
  }

  /**
   * Returns a word of each window.
   *
   * @param order  order of the windows; omit for that in which they were added
   */
  column(word: number, order?: Uint32Array): Uint32Array {
    const values = new Uint32Array(this.count);
    for (let i = 0; i < values.length; i++) values[i] = this.#words[windowWords * (order ? order[i]! : i) + word]!;
    return values;
  }
}
