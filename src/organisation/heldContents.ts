/**
 * The arrays of contents that a worker keeps in its kernel's memory from one task to the next: the documents of a task have
 * partners everywhere, and most are wanted by many tasks.
 */
import type { DocumentShape } from '../engine/documents/documents.ts';
import type { Kernel } from '../engine/kernel.ts';
import type { Database } from '../database/openDatabase.ts';
import { contentBytes, LoadedContents, loadInto } from './payloads.ts';

/** When more are held, all are let go: 20 million lines of code have so many. */
const mostBytes = 2 ** 30;

/** Whoever allocates memory of the kernel beside it gives that back before it asks again. */
export class HeldContents {
  readonly #database: Database;
  readonly #kernel: Kernel;
  readonly #shapes: ReadonlyMap<number, DocumentShape>;
  readonly #most: number;
  readonly #addresses = new Map<number, number>();
  readonly #mark: number;
  #bytes = 0;

  constructor(database: Database, kernel: Kernel, shapes: ReadonlyMap<number, DocumentShape>, most = mostBytes) {
    this.#database = database;
    this.#kernel = kernel;
    this.#shapes = shapes;
    this.#most = most;
    this.#mark = kernel.mark();
  }

  /** Contents that are in memory until the next call; those that were held are not loaded again. */
  async load(contents: readonly number[]): Promise<LoadedContents> {
    const wanted = [...new Set(contents)];
    if (this.#bytes + this.#bytesOf(wanted) > this.#most) {
      this.#kernel.release(this.#mark);
      this.#addresses.clear();
      this.#bytes = 0;
    }
    const missing = wanted.filter((content) => !this.#addresses.has(content));
    this.#bytes += this.#bytesOf(missing);
    await loadInto(this.#addresses, this.#database, this.#kernel, missing);
    return new LoadedContents(this.#shapes, this.#addresses);
  }

  #bytesOf(contents: readonly number[]): number {
    return contents.reduce(
      (sum, content) => sum + (this.#addresses.has(content) ? 0 : contentBytes(this.#shapes, content)),
      0,
    );
  }
}
