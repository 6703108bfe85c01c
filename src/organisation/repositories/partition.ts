/**
 * A partition: contents that one writer has added to an index. It never changes.
 *
 *   contents.parquet   contents: key, digest, size, language, lines, tokens
 *   windows.parquet    windows that can seed, by view and fingerprint
 *   arrays.bin         the arrays of each content as in memory (`DocumentIndex`), one after another
 *   shapes.bin         the shapes of all contents as JSON (`DocumentShape`), one after another
 *   lists.bin          sorted fingerprints for look-ups (fingerprintLists.ts), and the ends of arrays and shapes
 *   partition.json     the sizes of these files, and the places of the lists
 */
import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import path from 'node:path';
import { type DocumentShape, isPossibleShape } from '../../core/engine/documents/documents.ts';
import type { Kernel } from '../../core/engine/kernel.ts';
import { checkSize, damaged, explaining, type IndexFolder } from '../folder/indexFolder.ts';
import type { FingerprintList } from './fingerprintLists.ts';

export const partitionFiles = ['contents.parquet', 'windows.parquet', 'arrays.bin', 'shapes.bin', 'lists.bin'] as const;
export type PartitionFile = (typeof partitionFiles)[number];

/** Contents of partition.json. */
export interface PartitionDescription {
  readonly contents: number;
  readonly windows: number;
  readonly sizes: Readonly<Record<PartitionFile, number>>;
  readonly lists: readonly FingerprintList[];
  /** Position in lists.bin of the ends of the arrays and shapes: two numbers of 64 bits for each content. */
  readonly ends: number;
}

export const descriptionFile = 'partition.json';

/** Opens a partition, and checks that its files are complete. */
export function openPartition(index: IndexFolder, id: string): Partition {
  const folder = index.partitionFolder(id);
  const file = path.join(folder, descriptionFile);
  const text = explaining(file, () => readFileSync(file, 'utf8'));
  let description: PartitionDescription;
  try {
    description = JSON.parse(text) as PartitionDescription;
  } catch {
    throw damaged(file);
  }
  if (typeof description.contents !== 'number' || typeof description.sizes !== 'object') throw damaged(file);
  for (const name of partitionFiles) checkSize(path.join(folder, name), description.sizes[name]);
  return new Partition(id, folder, description);
}

export class Partition {
  readonly id: string;
  readonly description: PartitionDescription;
  readonly #folder: string;

  constructor(id: string, folder: string, description: PartitionDescription) {
    this.id = id;
    this.#folder = folder;
    this.description = description;
  }

  file(name: PartitionFile): string {
    return path.join(this.#folder, name);
  }

  /** Opens a file for an action. */
  reading<Result>(name: PartitionFile, action: (file: number) => Result): Result {
    return explaining(this.file(name), () => {
      const file = openSync(this.file(name), 'r');
      try {
        return action(file);
      } finally {
        closeSync(file);
      }
    });
  }

  /** Returns the shapes of ascending contents. */
  shapes(contents: readonly number[]): Map<number, DocumentShape> {
    const shapes = new Map<number, DocumentShape>();
    this.#forEachRun('shapes.bin', contents, (run, read) => {
      const bytes = Buffer.allocUnsafe(run.length);
      read(bytes);
      for (const [i, content] of run.contents.entries()) {
        const end = run.starts[i + 1] ?? run.length;
        shapes.set(content, this.#shapeIn(bytes.toString('utf8', run.starts[i], end)));
      }
    });
    return shapes;
  }

  #shapeIn(text: string): DocumentShape {
    let shape: unknown;
    try {
      shape = JSON.parse(text);
    } catch {
      throw damaged(this.file('shapes.bin'));
    }
    // JSON omits undefined fields.
    if (!isPossibleShape(shape)) throw damaged(this.file('shapes.bin'));
    return shape;
  }

  /** Loads the arrays of ascending contents, and calls back with their addresses. */
  load(kernel: Kernel, contents: readonly number[], take: (content: number, address: number) => void): void {
    this.#forEachRun('arrays.bin', contents, (run, read) => {
      const address = kernel.allocate(run.length);
      read(kernel.bytes.subarray(address, address + run.length));
      for (const [i, content] of run.contents.entries()) take(content, address + run.starts[i]!);
    });
  }

  /** Calls back for ranges of adjacent contents, which are read together. */
  #forEachRun(
    name: 'arrays.bin' | 'shapes.bin',
    contents: readonly number[],
    take: (run: Run, read: (into: Uint8Array) => void) => void,
  ): void {
    const ends = this.#ends();
    const column = name === 'arrays.bin' ? 0 : 1;
    const endOf = (content: number): number => (content < 0 ? 0 : ends[2 * content + column]!);
    this.reading(name, (file) => {
      for (let first = 0; first < contents.length;) {
        const start = endOf(contents[first]! - 1);
        let last = first;
        while (contents[last + 1] === contents[last]! + 1 && endOf(contents[last + 1]!) - start <= bytesAtOnce) last++;
        const some = contents.slice(first, last + 1);
        const run = {
          contents: some,
          starts: some.map((content) => endOf(content - 1) - start),
          length: endOf(contents[last]!) - start,
        };
        take(run, (into) => readFully(file, into, start));
        first = last + 1;
      }
    });
  }

  /** Returns the ends of the arrays and shapes of all contents: two numbers for each. */
  #ends(): Float64Array {
    const { contents, ends } = this.description;
    const values = new Float64Array(2 * contents);
    this.reading('lists.bin', (file) => readFully(file, new Uint8Array(values.buffer), ends));
    return values;
  }
}

/** Adjacent contents. */
interface Run {
  readonly contents: readonly number[];
  /** Offset of each content in the run, and the size of the run, in bytes. */
  readonly starts: readonly number[];
  readonly length: number;
}

const bytesAtOnce = 2 ** 22;

/** Fills an array with the bytes at a position, which the file must have. */
function readFully(file: number, into: Uint8Array, position: number): void {
  for (let at = 0; at < into.length;) {
    const read = readSync(file, into, at, into.length - at, position + at);
    if (read === 0) throw new Error('The file ends before its contents.');
    at += read;
  }
}
