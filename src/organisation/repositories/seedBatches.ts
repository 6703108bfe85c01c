/** Divides seeds into batches whose documents fit into memory together. */
import { groupBy } from '../../core/collections/lists.ts';
import { seedWords } from './seedSearch.ts';

export interface BatchLimits {
  /** Maximum number of bytes of the contents of a batch. A batch of two documents may have more. */
  readonly bytes: number;
  /** Maximum number of seeds of a batch, unless the seeds of one document are more. */
  readonly seeds: number;
  /** Returns the number of a document's content. Documents with the same content share its memory. */
  readonly contentOf: (document: number) => number;
  readonly bytesOf: (content: number) => number;
}

/**
 * Yields the seeds in batches. All seeds of two documents are in the same batch.
 *
 * @param seeds  sorted by their first documents, `seedWords` words each
 */
export function* batchesOf(seeds: Uint32Array, limits: BatchLimits): Generator<Uint32Array> {
  let contents = new Contents(limits);
  let start = 0;
  for (let from = 0, to = 0; from < seeds.length; from = to) {
    while (to < seeds.length && seeds[to] === seeds[from]) to += seedWords;
    const own = seeds.subarray(from, to);
    if (to - start <= limits.seeds * seedWords && contents.add(documentsOf(own))) continue;
    if (start < from) yield seeds.subarray(start, from);
    contents = new Contents(limits);
    start = from;
    if (contents.add(documentsOf(own))) continue;
    yield* partsOf(own, limits);
    start = to;
  }
  if (start < seeds.length) yield seeds.subarray(start);
}

/** Yields the seeds of one first document in several batches, by their second documents. */
function* partsOf(seeds: Uint32Array, limits: BatchLimits): Generator<Uint32Array> {
  const places = Array.from({ length: seeds.length / seedWords }, (_, place) => place * seedWords);
  let contents = new Contents(limits);
  let batch: number[] = [];
  for (const [second, own] of groupBy(places, (at) => seeds[at + 1]!)) {
    const both = new Set([seeds[0]!, second]);
    if (batch.length > 0 && !contents.add(both)) {
      yield seedsAt(seeds, batch);
      batch = [];
      contents = new Contents(limits);
    }
    if (batch.length === 0) contents.addAll(both);
    for (const at of own) batch.push(at);
  }
  yield seedsAt(seeds, batch);
}

export function documentsOf(seeds: Uint32Array): Set<number> {
  const documents = new Set<number>();
  for (let at = 0; at < seeds.length; at += seedWords) documents.add(seeds[at]!).add(seeds[at + 1]!);
  return documents;
}

export function seedsAt(seeds: Uint32Array, places: ArrayLike<number>): Uint32Array {
  const some = new Uint32Array(places.length * seedWords);
  for (let i = 0; i < places.length; i++) some.set(seeds.subarray(places[i], places[i]! + seedWords), i * seedWords);
  return some;
}

class Contents {
  readonly #limits: BatchLimits;
  readonly #contents = new Set<number>();
  #bytes = 0;

  constructor(limits: BatchLimits) {
    this.#limits = limits;
  }

  /** Adds the contents of documents. If there is no room for all of them, adds none and returns false. */
  add(documents: ReadonlySet<number>): boolean {
    const { contentOf, bytesOf, bytes } = this.#limits;
    const added = new Set<number>();
    for (const document of documents) added.add(contentOf(document));
    let size = this.#bytes;
    for (const content of added) if (!this.#contents.has(content)) size += bytesOf(content);
    if (size > bytes) return false;
    this.addAll(documents);
    return true;
  }

  addAll(documents: ReadonlySet<number>): void {
    const { contentOf, bytesOf } = this.#limits;
    for (const content of Array.from(documents, contentOf)) {
      if (this.#contents.has(content)) continue;
      this.#contents.add(content);
      this.#bytes += bytesOf(content);
    }
  }
}
