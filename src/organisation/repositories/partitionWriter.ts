/** Writes texts to a new partition (partition.ts). */
import { closeSync, mkdirSync, openSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { documentBytes, type DocumentIndex, shapeOf } from '../../core/engine/documents/documents.ts';
import { createMemory, Kernel } from '../../core/engine/kernel.ts';
import type { Options } from '../../core/engine/options.ts';
import { contentKey } from '../../scan/indexer/indexFiles.ts';
import { type DuckDB, quoted } from '../folder/duckdb.ts';
import { explained, explaining, writeFully } from '../folder/indexFolder.ts';
import { distanceOf, type View, views } from './blocks.ts';
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
  readonly bytes: number;
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
    this.close();
    try {
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
    } catch (error) {
      throw explained(error, this.#folder);
    }
  }

  close(): void {
    for (const file of Object.values(this.#files)) closeSync(file);
  }

  async #writeContents(): Promise<void> {
    const all = this.#contents;
    await this.#duckdb.run(contentsTable);
    const columns = [
      Uint32Array.from(all, (_, i) => i),
      BigUint64Array.from(all, ({ digest, language }) => contentKey(digest, language)),
      BigUint64Array.from(all, ({ digest }) => digest),
      Uint32Array.from(all, ({ bytes }) => bytes),
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
        const { order, sorted } = sortFingerprints(kernel, columns);
        const documents = columns.pick(order);
        await this.#duckdb.append('new_window', windowRows(view, sorted, documents), order.length);
        writer.write(view, sorted, documents.contents, distanceOf(view, this.#options));
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

function windowRows(
  view: View,
  sorted: Uint32Array,
  { contents, parts, positions }: ReturnType<WindowColumns['pick']>,
): ArrayLike<number | bigint>[] {
  return [new Uint8Array(contents.length).fill(view), new BigUint64Array(sorted.buffer), contents, parts, positions];
}

/** The windows of one view. There may be millions, so they are kept in typed arrays instead of objects. */
class WindowColumns {
  count = 0;
  #high = new Uint32Array(4_096);
  #low = new Uint32Array(4_096);
  #contents = new Uint32Array(4_096);
  #parts = new Uint8Array(4_096);
  #positions = new Uint32Array(4_096);

  get high(): Uint32Array {
    return this.#high.subarray(0, this.count);
  }

  get low(): Uint32Array {
    return this.#low.subarray(0, this.count);
  }

  add({ high, low, part, position }: Window, content: number): void {
    if (this.count === this.#high.length) this.#grow();
    this.#high[this.count] = high;
    this.#low[this.count] = low;
    this.#contents[this.count] = content;
    this.#parts[this.count] = part;
    this.#positions[this.count++] = position;
  }

  #grow(): void {
    const larger = (values: Uint32Array): Uint32Array<ArrayBuffer> => {
      const all = new Uint32Array(2 * this.count);
      all.set(values);
      return all;
    };
    [this.#high, this.#low] = [larger(this.#high), larger(this.#low)];
    [this.#contents, this.#positions] = [larger(this.#contents), larger(this.#positions)];
    const parts = new Uint8Array(2 * this.count);
    parts.set(this.#parts);
    this.#parts = parts;
  }

  /** Returns the contents, parts, and first tokens of the windows, in the given order. */
  pick(order: Uint32Array): { contents: Uint32Array; parts: Uint8Array; positions: Uint32Array } {
    const contents = new Uint32Array(order.length);
    const parts = new Uint8Array(order.length);
    const positions = new Uint32Array(order.length);
    for (let i = 0; i < order.length; i++) {
      const window = order[i]!;
      contents[i] = this.#contents[window]!;
      parts[i] = this.#parts[window]!;
      positions[i] = this.#positions[window]!;
    }
    return { contents, parts, positions };
  }
}
