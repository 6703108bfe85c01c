/**
 * Blocks of fingerprints, by which a look-up finds near ones. The 64 bits are cut into k + 1 blocks; two fingerprints
 * within k bits agree on at least one block (pigeonhole principle; Manku, Jain, Das Sarma 2007, section 3).
 *
 *   k = 3   | A | B | C | D |      four blocks of 16 bits
 */
import { proseView, renamedView, writtenView } from '../../core/kernel/documents/documentLayout.ts';
import type { Options } from '../../core/engine/options.ts';

/** Maximum k of an index. A larger k needs more and shorter blocks, so a look-up would read a large share of all fingerprints. */
export const maxIndexDistance = 7;

export const views = [writtenView, renamedView, proseView] as const;
export type View = (typeof views)[number];

/** Bits [start, end) of a fingerprint; bit 0 is the most significant. At most 32 bits. */
export interface Block {
  readonly start: number;
  readonly end: number;
}

/** Returns the k of a view. */
export function distanceOf(view: View, { maxDistance, prose }: Pick<Options, 'maxDistance' | 'prose'>): number {
  return view === proseView ? prose.maxDistance : maxDistance;
}

/**
 * Returns the blocks for a distance; none if only equal fingerprints match. Widths differ by at most one.
 *
 * @param distance  0 to `maxIndexDistance`
 */
export function blocksFor(distance: number): Block[] {
  if (distance === 0) return [];
  const starts = Array.from({ length: distance + 2 }, (_, block) => Math.floor((block * 64) / (distance + 1)));
  return starts.slice(1).map((end, block) => ({ start: starts[block]!, end }));
}
