/** How telling tokens are: the table of rarities that matching reads (src/kernel/matches/rarity.ts). */
import type { DocumentIndex } from '../documents/documents.ts';
import type { Kernel } from '../kernel.ts';

/** Memory for a table of rarities. What it holds is not written yet. */
export function allocateRarities(kernel: Kernel): number {
  return kernel.allocate(kernel.exports.rarityBytes());
}

/** Counts all documents of the table and writes the rarities. */
export function measureRarity(kernel: Kernel, table: number, documents: number, rarities: number): void {
  const mark = kernel.mark();
  kernel.exports.measureRarity(table, documents, kernel.allocate(kernel.exports.rarityScratchBytes()), rarities);
  kernel.release(mark);
}

/** A copy of rarities, to measure another corpus by. */
export function copyRarities(kernel: Kernel, rarities: number): Uint8Array {
  return kernel.bytes.slice(rarities, rarities + kernel.exports.rarityBytes());
}

/** Whether all tokens of a document are as telling by one table of rarities as by another. Of prose nobody asks. */
export function isWeighedAlike(kernel: Kernel, document: DocumentIndex, before: number, after: number): boolean {
  const { tokens, tokenCount, family, prose } = document;
  return prose || kernel.exports.weighsAlike(tokens, tokenCount, family, before, after) !== 0;
}
