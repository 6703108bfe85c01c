/** Windows of passages, and the fingerprint distance of two passages. */
import { firstPlace } from '../../collections/lists.ts';
import type { DocumentIndex } from './documents.ts';
import type { Kernel } from '../kernel.ts';

/** Tokens [start, end) of a document. */
export interface Stretch {
  readonly index: DocumentIndex;
  readonly start: number;
  readonly end: number;
}

/** Distance of two passages that were compared although no windows indicated them. */
export const unseeded = 64;

/**
 * Returns the fingerprint distance of two passages: the minimum distance of a window of one and a window of the other,
 * in either view. Returns 64 if a passage has no window with a fingerprint. The cost is the product of the window
 * counts, unless two windows are equal.
 */
export function windowDistance(kernel: Kernel, a: Stretch, b: Stretch): number {
  const [x, y] = [windowsOf(kernel, a), windowsOf(kernel, b)];
  const views: [number, number][] = [[a.index.written, b.index.written]];
  if (a.index.renamed !== 0 && b.index.renamed !== 0) views.push([a.index.renamed, b.index.renamed]);
  return Math.min(
    ...views.map(([left, right]) =>
      kernel.exports.nearestBits(left + 8 * x.first, x.count, right + 8 * y.first, y.count),
    ),
  );
}

/** Returns the index of the first window that begins in a passage, and the number of windows that do. */
function windowsOf(kernel: Kernel, { index, start, end }: Stretch): { first: number; count: number } {
  const first = firstWindow(kernel, index, start);
  return { first, count: firstWindow(kernel, index, end) - first };
}

/** Returns the index of the first window that begins at or after a token. */
function firstWindow(kernel: Kernel, index: DocumentIndex, token: number): number {
  const { words } = kernel;
  const { windows, windowStride, windowCount } = index;
  return firstPlace(windowCount, (window) => words[(windows + window * windowStride) >>> 2] < token);
}
