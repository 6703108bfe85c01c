/**
 * Splits the 64 bits of a fingerprint into k + 1 blocks, so that similar fingerprints can be looked up. Two
 * fingerprints that differ in at most k bits are equal in at least one block (pigeonhole principle; Manku, Jain, Das
 * Sarma 2007, section 3).
 *
 * k = 3   | A | B | C | D |      four blocks of 16 bits
 */
import { proseView, renamedView, writtenView } from '../../core/kernel/documents/documentLayout.ts';
import type { Options } from '../../core/engine/options.ts';

/**
 * Maximum k for an index. A larger k needs more, shorter blocks, and a search would then read a large share of all
 * fingerprints.
 */
export const maxIndexDistance = 7;

export const views = [writtenView, renamedView, proseView] as const;
export type View = (typeof views)[number];
/** Number that lists of lines by their phrases have instead of a view. */
export const phraseView = 3;
export const listViews = [...views, phraseView] as const;
export type ListView = (typeof listViews)[number];

/** Bits [start, end) of a fingerprint, at most 32. Bit 0 is the most significant. */
export interface Block {
  readonly start: number;
  readonly end: number;
}

/**
 * Returns k for a view: the maximum number of bits in which similar fingerprints may differ. Keys of phrases must be
 * equal.
 */
export function distanceOf(view: ListView, { maxDistance, prose }: Pick<Options, 'maxDistance' | 'prose'>): number {
  if (view === phraseView) return 0;
  return view === proseView ? prose.maxDistance : maxDistance;
}

/**
 * Returns the blocks for a distance. Their widths differ by at most one bit. Returns no blocks for distance 0, at which
 * only equal fingerprints match.
 *
 * @param distance  0 to `maxIndexDistance`
 */
export function blocksFor(distance: number): Block[] {
  if (distance === 0) return [];
  const starts = Array.from({ length: distance + 2 }, (_, block) => Math.floor((block * 64) / (distance + 1)));
  return starts.slice(1).map((end, block) => ({ start: starts[block]!, end }));
}
