/** Inverse document frequencies (idf) of tokens: the table that matching reads (src/core/kernel/matches/idf.ts). */
import type { DocumentIndex } from '../documents/documents.ts';
import type { Kernel } from '../kernel.ts';

/** Allocates an idf table. Its contents are undefined. */
export function allocateIdfTable(kernel: Kernel): number {
  return kernel.allocate(kernel.exports.idfTableBytes());
}

/** Counts all documents of the table and writes the idf weights. */
export function measureIdf(kernel: Kernel, table: number, documents: number, idfTable: number): void {
  const mark = kernel.mark();
  kernel.exports.measureIdf(table, documents, kernel.allocate(kernel.exports.idfScratchBytes()), idfTable);
  kernel.release(mark);
}

/** Counts documents that are not in memory at the same time: add them in batches, in the order of all documents. */
export class IdfCounts {
  readonly #kernel: Kernel;
  readonly #counts: number;
  #documents = 0;

  constructor(kernel: Kernel) {
    this.#kernel = kernel;
    const size = kernel.exports.idfScratchBytes();
    this.#counts = kernel.allocate(size);
    kernel.bytes.fill(0, this.#counts, this.#counts + size);
  }

  /** Counts the documents of a table. */
  add(table: number, documents: number): void {
    this.#kernel.exports.countDocuments(table, documents, this.#documents, this.#counts);
    this.#documents += documents;
  }

  /** Returns the table that `measureIdf` would create for all of them together. */
  table(): Uint8Array {
    const idfTable = allocateIdfTable(this.#kernel);
    this.#kernel.exports.writeIdf(this.#counts, idfTable);
    return copyIdfTable(this.#kernel, idfTable);
  }
}

/** Returns a copy of idf weights, to weight another corpus with. */
export function copyIdfTable(kernel: Kernel, idfTable: number): Uint8Array {
  return kernel.bytes.slice(idfTable, idfTable + kernel.exports.idfTableBytes());
}

/** Returns true if two idf tables give all tokens of a document the same weights. Prose is not weighted. */
export function isWeighedAlike(kernel: Kernel, document: DocumentIndex, before: number, after: number): boolean {
  const { tokens, tokenCount, languageHash, prose } = document;
  return prose || kernel.exports.weighsAlike(tokens, tokenCount, languageHash, before, after) !== 0;
}
