/** How telling tokens are: the idf table that matching reads (src/kernel/matches/idf.ts). */
import type { DocumentIndex } from '../documents/documents.ts';
import type { Kernel } from '../kernel.ts';

/** Memory for an idf table. What it holds is not written yet. */
export function allocateIdfTable(kernel: Kernel): number {
  return kernel.allocate(kernel.exports.idfTableBytes());
}

/** Counts all documents of the table and writes the idf weights. */
export function measureIdf(kernel: Kernel, table: number, documents: number, idfTable: number): void {
  const mark = kernel.mark();
  kernel.exports.measureIdf(table, documents, kernel.allocate(kernel.exports.idfScratchBytes()), idfTable);
  kernel.release(mark);
}

/** Counts documents that are never in memory all at once: some, then those behind them in the order of all. */
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

  /** The table that `measureIdf` makes of all of them together. */
  table(): Uint8Array {
    const idfTable = allocateIdfTable(this.#kernel);
    this.#kernel.exports.writeIdf(this.#counts, idfTable);
    return copyIdfTable(this.#kernel, idfTable);
  }
}

/** A copy of idf weights, to measure another corpus by. */
export function copyIdfTable(kernel: Kernel, idfTable: number): Uint8Array {
  return kernel.bytes.slice(idfTable, idfTable + kernel.exports.idfTableBytes());
}

/** Whether all tokens of a document are as telling by one idf table as by another. Of prose nobody asks. */
export function isWeighedAlike(kernel: Kernel, document: DocumentIndex, before: number, after: number): boolean {
  const { tokens, tokenCount, languageHash, prose } = document;
  return prose || kernel.exports.weighsAlike(tokens, tokenCount, languageHash, before, after) !== 0;
}
