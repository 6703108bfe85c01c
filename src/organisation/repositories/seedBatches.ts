/** Divides seeds into batches whose documents fit into memory together. */
import { seedBytes } from '../../core/kernel/seeds/seedLayout.ts';

export const seedWords = seedBytes / 4;

export interface BatchLimits {
  /** Maximum number of bytes of the contents of a batch. A batch of two documents may have more. */
  readonly bytes: number;
  /** Maximum number of seeds of a batch, unless the seeds of two documents are more. */
  readonly seeds: number;
  /** Returns the number of a document's content. Documents with the same content share its memory. */
  readonly contentOf: (document: number) => number;
  readonly bytesOf: (content: number) => number;
}

/**
 * Yields the seeds in batches. All seeds of two documents are in the same batch.
 *
 * @param seeds  sorted by both documents, `seedWords` words each
 */
export function* batchesOf(seeds: Uint32Array, limits: BatchLimits): Generator<Uint32Array> {
  const contents = new Set<number>();
  let [start, bytes] = [0, 0];
  /** Adds the contents of two documents. */
  const add = (at: number): void => {
    for (const content of [seeds[at]!, seeds[at + 1]!].map(limits.contentOf)) {
      if (!contents.has(content)) bytes += limits.bytesOf(content);
      contents.add(content);
    }
  };
  for (let from = 0, to = 0; from < seeds.length; from = to) {
    while (to < seeds.length && seeds[to] === seeds[from] && seeds[to + 1] === seeds[from + 1]) to += seedWords;
    add(from);
    if (start === from || (bytes <= limits.bytes && to - start <= limits.seeds * seedWords)) continue;
    yield seeds.subarray(start, from);
    contents.clear();
    [start, bytes] = [from, 0];
    add(from);
  }
  if (start < seeds.length) yield seeds.subarray(start);
}

export function documentsOf(seeds: Uint32Array): Set<number> {
  const documents = new Set<number>();
  for (let at = 0; at < seeds.length; at += seedWords) documents.add(seeds[at]!).add(seeds[at + 1]!);
  return documents;
}
