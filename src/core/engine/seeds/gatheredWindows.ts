/**
 * Finds seeds among windows that the caller provides, for example from DuckDB. For each fingerprint, the caller must
 * provide all windows. The kernel then finds the same seeds as `findSeeds` finds for windows with equal fingerprints.
 */
import { seedBitsShift, seedBytes } from '../../kernel/seeds/seedLayout.ts';
import type { Kernel } from '../kernel.ts';
import { writeSeedWindows } from './seedWindows.ts';
import { tuning } from '../tuning.ts';

/** Windows of one view, sorted by document and first token. Each array has one item per window. */
export interface GatheredWindows {
  readonly fingerprints: BigUint64Array;
  /** Number of each window's document. Numbers are in the order of all documents. */
  readonly documents: Uint32Array;
  /** Index of each window's first token. */
  readonly positions: Uint32Array;
}

/** Position of a window: its document and first token. */
export interface WindowPlace {
  readonly document: number;
  readonly position: number;
}

/** Returns the seeds between windows with equal fingerprints, not sorted (src/core/kernel/seeds/seedLayout.ts). */
export function equalSeeds(kernel: Kernel, gathered: GatheredWindows): Uint32Array {
  const { exports } = kernel;
  const n = gathered.fingerprints.length;
  const before = kernel.mark();
  const words = (): number => kernel.allocate(n * 4 + 4);
  const fingerprints = kernel.allocate(n * 8);
  const [ids, docs, positions, firsts] = [words(), words(), words(), words()];
  const mark = kernel.mark();
  const [otherFingerprints, otherIds, counts] = [kernel.allocate(n * 8), words(), kernel.allocate(8_192 * 4)];
  new BigUint64Array(kernel.memory.buffer, fingerprints, n).set(gathered.fingerprints);
  kernel.words.set(gathered.documents, docs >>> 2);
  kernel.words.set(gathered.positions, positions >>> 2);
  for (let i = 0; i < n; i++) kernel.words[(ids >>> 2) + i] = i;
  exports.sortFingerprints(fingerprints, ids, otherFingerprints, otherIds, n, counts);
  kernel.release(mark);
  const different = exports.groupEqual(fingerprints, n, firsts);
  const lists = { ids, firsts, docs, positions };
  let seeds: Uint32Array | undefined;
  for (let room = Math.ceil(n / 2) + 1024; seeds === undefined;) {
    const address = kernel.allocate(room * seedBytes);
    const count = exports.seedEqual(writeSeedWindows(kernel, lists, address, room), different);
    if (count <= room) seeds = kernel.words.slice(address >>> 2, (address + count * seedBytes) >>> 2);
    kernel.release(mark);
    room = count;
  }
  kernel.release(before);
  return seeds;
}

/**
 * Returns the seed of two windows with near fingerprints, as four words. Returns `undefined` if the two windows overlap
 * in one document.
 */
export function seedOfNear(x: WindowPlace, y: WindowPlace, bits: number): [number, number, number, number] | undefined {
  const isFirst = x.document < y.document || (x.document === y.document && x.position < y.position);
  const [a, b] = isFirst ? [x, y] : [y, x];
  if (a.document === b.document && b.position - a.position < tuning.written.tokens) return undefined;
  return [a.document, b.document, (a.position | (bits << seedBitsShift)) >>> 0, b.position];
}
