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

/** A copy of idf weights, to measure another corpus by. */
export function copyIdfTable(kernel: Kernel, idfTable: number): Uint8Array {
  return kernel.bytes.slice(idfTable, idfTable + kernel.exports.idfTableBytes());
}

/** Whether all tokens of a document are as telling by one idf table as by another. Of prose nobody asks. */
export function isWeighedAlike(kernel: Kernel, document: DocumentIndex, before: number, after: number): boolean {
  const { tokens, tokenCount, languageHash, prose } = document;
  return prose || kernel.exports.weighsAlike(tokens, tokenCount, languageHash, before, after) !== 0;
}
