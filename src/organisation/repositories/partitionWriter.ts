/** Writes texts to a new partition (partition.ts). */
import { randomUUID } from 'node:crypto';
import { closeSync, mkdirSync, openSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { documentBytes, type DocumentIndex, shapeOf } from '../../core/engine/documents/documents.ts';
import { createMemory, Kernel } from '../../core/engine/kernel.ts';
import type { Options } from '../../core/engine/options.ts';
import { phraseShift } from '../../core/kernel/seeds/phrasesLayout.ts';
import { contentKey } from '../../scan/indexer/indexFiles.ts';
import { type DuckDB, quoted } from '../folder/duckdb.ts';
import { explaining } from '../folder/folderFiles.ts';
import { distanceOf, listViews, phraseView, views } from './blocks.ts';
import { ListWriter, sortFingerprints } from './fingerprintLists.ts';
import {
  descriptionFile,
  maxWindows,
  type PartitionDescription,
  type PartitionFile,
  partitionFiles,
} from './partition.ts';
import { forEachWindow } from './windows.ts';

const windowsTable =
  'CREATE OR REPLACE TEMP TABLE new_window (view UTINYINT, fp UBIGINT, content UINTEGER, part UTINYINT, position UINTEGER)';

/** A text that the index does not contain yet. */
export interface NewContent {
  readonly digest: bigint;
  readonly language: string;
  readonly index: DocumentIndex;
}

export class PartitionWriter {
  readonly id = randomUUID();
  readonly #folder: string;
  readonly #duckdb: DuckDB;
  readonly #options: Options;
  readonly #contents: NewContent[] = [];
  /** For each content, two numbers: the ends of its arrays and of its shape. */
  readonly #ends: number[] = [];
  /** Windows of each view, and lines with phrases. */
  readonly #rows = new Map(listViews.map((view) => [view, new FingerprintRows()]));
  readonly #files: { readonly arrays: number; readonly shapes: number };

  /** @param parent  folder in which the partition's folder is created */
  constructor(parent: string, duckdb: DuckDB, options: Options) {
    this.#folder = path.join(parent, this.id);
    this.#duckdb = duckdb;
    this.#options = options;
    this.#files = explaining(this.#folder, () => {
      mkdirSync(this.#folder);
      return { arrays: openSync(this.#file('arrays.bin'), 'w'), shapes: openSync(this.#file('shapes.bin'), 'w') };
    });
  }

  #file(name: PartitionFile): string {
    return path.join(this.#folder, name);
  }

  isFull(): boolean {
    return this.#countWindows() >= maxWindows;
  }

  #countWindows(): number {
    return views.reduce<number>((sum, view) => sum + this.#rows.get(view)!.count, 0);
  }

  /** Adds contents from the memory of a kernel. Returns the index of the first one in the partition. */
  add(kernel: Kernel, contents: readonly NewContent[]): number {
    const first = this.#contents.length;
    const arrays = contents.map(({ index }) => kernel.bytes.slice(index.tokens, index.tokens + documentBytes(index)));
    const shapes = contents.map(({ index }) => Buffer.from(JSON.stringify(shapeOf(index))));
    explaining(this.#folder, () => {
      writeFileSync(this.#files.arrays, Buffer.concat(arrays));
      writeFileSync(this.#files.shapes, Buffer.concat(shapes));
    });
    for (const [i, content] of contents.entries()) {
      const [ofArrays, ofShapes] = [this.#ends.at(-2) ?? 0, this.#ends.at(-1) ?? 0];
      this.#ends.push(ofArrays + arrays[i]!.length, ofShapes + shapes[i]!.length);
      forEachWindow(kernel, content.index, ({ view, high, low, part, position }) => {
        this.#rows.get(view)!.add([low, high, first + i, part, position]);
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
    const { lists, ends } = await this.#writeLists();
    const sizes = Object.fromEntries(partitionFiles.map((name) => [name, statSync(this.#file(name)).size]));
    const description: PartitionDescription = {
      contents: this.#contents.length,
      windows: this.#countWindows(),
      sizes: sizes as Record<PartitionFile, number>,
      lists,
      ends,
    };
    writeFileSync(path.join(this.#folder, descriptionFile), JSON.stringify(description, undefined, 2));
  }

  async #writeContents(): Promise<void> {
    const all = this.#contents;
    await this.#duckdb.createTable('new_content', {
      'content UINTEGER': all.map((_, i) => i),
      'key UBIGINT': all.map(({ digest, language }) => contentKey(digest, language)),
      'digest UBIGINT': all.map(({ digest }) => digest),
      'bytes UINTEGER': all.map(({ index }) => index.sizeBytes),
      'language VARCHAR': all.map(({ language }) => language),
      'lines UINTEGER': all.map(({ index }) => index.totalLines),
      'tokens UINTEGER': all.map(({ index }) => index.tokenCount),
    });
    await this.#copy('FROM new_content', 'contents.parquet');
    await this.#duckdb.run('DROP TABLE new_content');
  }

  /** Writes windows and phrases to the Parquet tables and to the sorted lists. */
  async #writeLists(): Promise<Pick<PartitionDescription, 'lists' | 'ends'>> {
    const kernel = new Kernel(createMemory());
    const file = openSync(this.#file('lists.bin'), 'w');
    const writer = new ListWriter(file, kernel);
    await this.#duckdb.run(windowsTable);
    try {
      for (const [view, rows] of this.#rows) {
        if (rows.count === 0) continue;
        const { sorted, order } = sortFingerprints(kernel, rows.fingerprints());
        const [contents, parts, positions] = [2, 3, 4].map((word) => rows.column(word, order));
        const fingerprints = new BigUint64Array(sorted.buffer);
        const columns = [new Uint8Array(rows.count).fill(view), fingerprints, contents!, parts!, positions!];
        await this.#duckdb.append('new_window', columns);
        writer.write(view, sorted, contents!, distanceOf(view, this.#options));
      }
      writeFileSync(file, Float64Array.from(this.#ends));
    } finally {
      closeSync(file);
    }
    await this.#copy(`FROM new_window WHERE view <> ${phraseView}`, 'windows.parquet');
    // The phrase of a key has only 40 bits, and Spark has no unsigned numbers.
    await this.#copy(
      `SELECT (fp >> ${phraseShift})::BIGINT AS phrase, (fp & 255)::UTINYINT AS language, content, part, position
FROM new_window WHERE view = ${phraseView}`,
      'phrases.parquet',
    );
    await this.#duckdb.run('DROP TABLE new_window');
    return { lists: writer.lists, ends: writer.end };
  }

  async #copy(rows: string, name: PartitionFile): Promise<void> {
    await this.#duckdb.run(
      `COPY (${rows}) TO ${quoted(this.#file(name))} (FORMAT parquet, PARQUET_VERSION v2, COMPRESSION zstd)`,
    );
  }
}

const rowWords = 5;

/** Rows of words. The first two are the halves of a fingerprint or key, lower half first. There may be millions. */
class FingerprintRows {
  count = 0;
  #words = new Uint32Array(rowWords * 4_096);

  add(row: readonly number[]): void {
    const at = rowWords * this.count++;
    if (at === this.#words.length) {
      const more = new Uint32Array(2 * at);
      more.set(this.#words);
      this.#words = more;
    }
    for (let word = 0; word < rowWords; word++) this.#words[at + word] = row[word]!;
  }

  /** Returns the fingerprints as pairs of words. */
  fingerprints(): Uint32Array {
    const pairs = new Uint32Array(2 * this.count);
    for (let i = 0; i < pairs.length; i++) pairs[i] = this.#words[rowWords * (i >>> 1) + (i & 1)]!;
    return pairs;
  }

  column(word: number, order: Uint32Array): Uint32Array {
    const values = new Uint32Array(this.count);
    for (let i = 0; i < values.length; i++) values[i] = this.#words[rowWords * order[i]! + word]!;
    return values;
  }
}
