/** How telling tokens are: the table of rarities that matching reads (src/kernel/rarity.ts). */
import type { Kernel } from './kernel.ts';

const slots = 1 << 20;
const families = 256;

/** Counts all documents of the table and returns the address of the rarities, one byte a slot. */
export function measureRarity(kernel: Kernel, table: number, documents: number): number {
  const rarities = kernel.allocate(slots);
  const mark = kernel.mark();
  kernel.exports.measureRarity(table, documents, kernel.allocate(slots * 8 + families * 4 + slots), rarities);
  kernel.release(mark);
  return rarities;
}
