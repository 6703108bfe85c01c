/**
 * Cache of contents' arrays in a worker's kernel memory. Documents have partners everywhere, and most contents are
 * needed by many tasks.
 */
import type { DocumentShape } from '../../core/engine/documents/documents.ts';
import type { Kernel } from '../../core/engine/kernel.ts';
import { contentBytes, type ContentSource, LoadedContents } from './payloads.ts';

/** Limit above which the cache is cleared. 20 million lines of code need this much. */
const maxBytes = 2 ** 30;

/** Callers that allocate other kernel memory must release it before they load again. */
export class HeldContents {
  readonly #source: ContentSource;
  readonly #kernel: Kernel;
  readonly #shapes: ReadonlyMap<number, DocumentShape>;
  readonly #most: number;
  readonly #addresses = new Map<number, number>();
  readonly #mark: number;
  #bytes = 0;

  constructor(source: ContentSource, kernel: Kernel, shapes: ReadonlyMap<number, DocumentShape>, most = maxBytes) {
    this.#source = source;
    this.#kernel = kernel;
    this.#shapes = shapes;
    this.#most = most;
    this.#mark = kernel.mark();
  }

  /** Loads contents, which stay in memory until the next call. Cached contents are not loaded again. */
  async load(contents: readonly number[]): Promise<LoadedContents> {
    const wanted = [...new Set(contents)];
    if (this.#bytes + this.#bytesOf(wanted) > this.#most) {
      this.#kernel.release(this.#mark);
      this.#addresses.clear();
      this.#bytes = 0;
    }
    const missing = wanted.filter((content) => !this.#addresses.has(content));
    this.#bytes += this.#bytesOf(missing);
    await this.#source.loadInto(this.#addresses, this.#kernel, missing);
    return new LoadedContents(this.#shapes, this.#addresses);
  }

  #bytesOf(contents: readonly number[]): number {
    return contents.reduce(
      (sum, content) => sum + (this.#addresses.has(content) ? 0 : contentBytes(this.#shapes, content)),
      0,
    );
  }
}
