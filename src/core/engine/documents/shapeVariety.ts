/**
 * Variety of code: the share of distinct runs among all runs of eight tokens, where names and literals count only by
 * their kind. It is low for lists of declarations, getters, delegating methods, and builder calls.
 */
import type { Kernel } from '../kernel.ts';

/** Length of a run in tokens. */
const run = 8;
/** Maximum number of runs to examine. The rest of longer code is usually like its beginning. */
const maxRuns = 4000;

/** Returns the variety of `count` tokens at an address, in [0, 1]. Returns 1 if there are fewer than two runs. */
export function shapeVariety(kernel: Kernel, address: number, count: number): number {
  const runs = Math.min(maxRuns, count - run + 1);
  if (runs < 2) return 1;
  const slots = 2 << (31 - Math.clz32(2 * runs));
  const mark = kernel.mark();
  const distinct = kernel.exports.distinctShapes(address, runs, run, kernel.allocate(4 * slots), slots);
  kernel.release(mark);
  return distinct / runs;
}
