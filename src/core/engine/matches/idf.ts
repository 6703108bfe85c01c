/** Inverse document frequencies (idf) of tokens: the table that matching reads (src/core/kernel/matches/idf.ts). */
import type { DocumentIndex } from '../documents/documents.ts';
import type { Kernel } from '../kernel.ts';

/** Allocates an idf table without initializing it. */
export function allocateIdfTable(kernel: Kernel): number {
  return kernel.allocate(kernel.exports.idfTableBytes());
}

/** Counts the tokens of the documents that `table` lists, and writes the resulting idf table. */
export function measureIdf(kernel: Kernel, table: number, documents: number, idfTable: number): void {
  const mark = kernel.mark();
  kernel.exports.measureIdf(table, documents, kernel.allocate(kernel.exports.idfScratchBytes()), idfTable);
  kernel.release(mark);
}

/**
 * Measures inverse document frequencies of documents that are not all in memory at the same time. The caller adds them
 * in batches, in the order of all documents.
 */
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

  /** Counts the tokens of the documents that `table` lists. */
  add(table: number, documents: number): void {
    this.#kernel.exports.countDocuments(table, documents, this.#documents, this.#counts);
    this.#documents += documents;
  }

  /** Returns the idf table for all added documents. It equals the one that `measureIdf` would write. */
  table(): Uint8Array {
    const idfTable = allocateIdfTable(this.#kernel);
    this.#kernel.exports.writeIdf(this.#counts, idfTable);
    return copyIdfTable(this.#kernel, idfTable);
  }
}

/** Returns a copy of an idf table, with which another corpus can weight its matches alike. */
export function copyIdfTable(kernel: Kernel, idfTable: number): Uint8Array {
  return kernel.bytes.slice(idfTable, idfTable + kernel.exports.idfTableBytes());
}

/** Returns true if each token of a document has the same weight in both idf tables. Tokens of prose have no weights. */
export function isWeighedAlike(kernel: Kernel, document: DocumentIndex, before: number, after: number): boolean {
  const { tokens, tokenCount, languageHash, prose } = document;
  return prose || kernel.exports.weighsAlike(tokens, tokenCount, languageHash, before, after) !== 0;
}
