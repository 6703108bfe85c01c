/**
 * A partition: texts that one writer has added to an index. A partition never changes.
 *
 * contents.parquet   contents: key, digest, size, language, lines, tokens
 * windows.parquet    windows from which matches can start, by view and fingerprint
 * phrases.parquet    lines of code by phrase, from which matches between different languages can start
 * arrays.bin         the token arrays of each content as in memory (`DocumentIndex`), one after another
 * shapes.bin         the array sizes of each content as JSON (`DocumentShape`), one after another
 * lists.bin          sorted fingerprints for searches (fingerprintLists.ts), and the ends of arrays and shapes
 * partition.json     the sizes of these files, and the positions of the lists
 */
import { openSync } from 'node:fs';
import path from 'node:path';
import { type DocumentShape, isPossibleShape } from '../../core/engine/documents/documents.ts';
import {
  checkSize,
  explaining,
  MissingFileError,
  parseJson,
  readFully,
  readingFile,
  readJson,
} from '../folder/folderFiles.ts';
import type { IndexFolder } from '../folder/indexFolder.ts';
import type { FingerprintList } from './fingerprintLists.ts';

export const partitionFiles = [
  'contents.parquet',
  'windows.parquet',
  'phrases.parquet',
  'arrays.bin',
  'shapes.bin',
  'lists.bin',
] as const;
export type PartitionFile = (typeof partitionFiles)[number];

/**
 * Number of windows at which a partition is full. This is two to three million lines, and sorting them takes 400 MB.
 */
export const maxWindows = 4_000_000;

export interface PartitionDescription {
  readonly contents: number;
  readonly windows: number;
  readonly sizes: Readonly<Record<PartitionFile, number>>;
  readonly lists: readonly FingerprintList[];
  /**
   * Byte offset in lists.bin. Two 64-bit numbers follow for each content: the end of its arrays, and the end of its
   * shape.
   */
  readonly ends: number;
}

export const descriptionFile = 'partition.json';

/** Reads the description of a partition, and checks that its files have the expected sizes. */
function readDescription(folder: string): PartitionDescription {
  const file = path.join(folder, descriptionFile);
  const description = readJson<PartitionDescription>(
    file,
    ({ contents, sizes }) => typeof contents === 'number' && typeof sizes === 'object',
  );
  if (description === undefined) throw new MissingFileError(file);
  for (const name of partitionFiles) checkSize(path.join(folder, name), description.sizes[name]);
  return description;
}

/** The open file of the token arrays of a partition. */
export interface OpenArrays {
  readonly name: string;
  readonly file: number;
  /** For each content, two numbers: the ends of its arrays and of its shape. */
  readonly ends: Float64Array;
}

export class Partition {
  readonly id: string;
  readonly contents: number;
  #description: PartitionDescription | undefined;
  readonly #folder: string;

  /** @param contents  number of contents; if it is unknown, the partition is opened now instead of at its first use */
  constructor(index: IndexFolder, id: string, contents?: number) {
    this.id = id;
    this.#folder = index.file('contents', id);
    this.contents = contents ?? this.description().contents;
  }

  description(): PartitionDescription {
    return (this.#description ??= readDescription(this.#folder));
  }

  file(name: PartitionFile): string {
    return path.join(this.#folder, name);
  }

  reading<Result>(name: PartitionFile, action: (file: number) => Result): Result {
    return readingFile(this.file(name), action);
  }

  /** Returns the shapes of contents. Adjacent ones are read together. Precondition: they are in ascending order. */
  shapes(contents: readonly number[]): Map<number, DocumentShape> {
    const shapes = new Map<number, DocumentShape>();
    const ends = this.#ends();
    const startOf = (content: number): number => ends[2 * content - 1] ?? 0;
    this.reading('shapes.bin', (file) => {
      for (let first = 0, next = 0; first < contents.length; first = next) {
        const start = startOf(contents[first]!);
        do next++;
        while (contents[next] === contents[next - 1]! + 1 && startOf(contents[next]! + 1) - start <= bytesAtOnce);
        const bytes = Buffer.allocUnsafe(startOf(contents[next - 1]! + 1) - start);
        readFully(file, bytes, start);
        for (const content of contents.slice(first, next)) {
          const text = bytes.toString('utf8', startOf(content) - start, startOf(content + 1) - start);
          // JSON has no `undefined`, so missing fields are valid.
          shapes.set(content, parseJson<DocumentShape>(text, this.file('shapes.bin'), isPossibleShape));
        }
      }
    });
    return shapes;
  }

  openArrays(): OpenArrays {
    const name = this.file('arrays.bin');
    return { name, ends: this.#ends(), file: explaining(name, () => openSync(name, 'r')) };
  }

  #ends(): Float64Array {
    const { contents, ends } = this.description();
    const values = new Float64Array(2 * contents);
    this.reading('lists.bin', (file) => readFully(file, new Uint8Array(values.buffer), ends));
    return values;
  }
}

/** Maximum number of bytes of shapes that are read together. */
const bytesAtOnce = 2 ** 22;
