/**
 * Keys by which a database finds near fingerprints. The 64 bits are cut into k + 1 blocks; two fingerprints within k
 * bits agree on at least one block (pigeonhole principle; Manku, Jain, Das Sarma 2007, section 3). A fingerprint has a
 * row for each block, and rows with equal keys are candidates.
 *
 *   k = 3   | A | B | C | D |      four tables, keys of 16 bits
 */
import { proseView, renamedView, writtenView } from '../../core/kernel/documents/documentLayout.ts';
import type { Options } from '../../core/engine/options.ts';

/** Maximum k of an index. A larger k needs more blocks, whose shorter keys make a query read a large share of all rows. */
export const maxIndexDistance = 7;

export const views = [writtenView, renamedView, proseView] as const;
export type View = (typeof views)[number];

/** Key table: one block of the fingerprints of a view. */
export interface BlockTable {
  /** Number of the table in the database. */
  readonly number: number;
  /** Bits [start, end) of the fingerprint; bit 0 is the most significant. At most 32 bits. */
  readonly start: number;
  readonly end: number;
  readonly mask: bigint;
  /** Masks of the earlier blocks. Pairs that agree on one of these are found by its table. */
  readonly earlier: readonly bigint[];
}

/** Returns the k of a view. */
export function distanceOf(view: View, { maxDistance, prose }: Pick<Options, 'maxDistance' | 'prose'>): number {
  return view === proseView ? prose.maxDistance : maxDistance;
}

/**
 * Returns the key tables of a view; none if only equal fingerprints match.
 *
 * @param distance  0 to `maxIndexDistance`
 */
export function blockTables(view: View, distance: number): BlockTable[] {
  if (distance === 0) return [];
  const starts = startsOf(64, distance + 1);
  const masks = starts.slice(1).map((end, block) => maskOf(starts[block]!, end));
  return masks.map((mask, block) => ({
    number: view * (maxIndexDistance + 1) + block,
    start: starts[block]!,
    end: starts[block + 1]!,
    mask,
    earlier: masks.slice(0, block),
  }));
}

/**
 * Returns the key of a fingerprint in a table: 32 bits, unsigned.
 *
 * @param high, low halves of the fingerprint
 */
export function blockKey({ start, end }: BlockTable, high: number, low: number): number {
  const width = end - start;
  if (end <= 32) return (high << start) >>> (32 - width);
  if (start >= 32) return (low << (start - 32)) >>> (32 - width);
  const fromLow = end - 32;
  return (((high << start) >>> start) * 2 ** fromLow + (low >>> (32 - fromLow))) >>> 0;
}

/** Returns the boundaries of the parts, including the end. Widths differ by at most one. */
function startsOf(bits: number, parts: number): number[] {
  return Array.from({ length: parts + 1 }, (_, part) => Math.floor((part * bits) / parts));
}

function maskOf(start: number, end: number): bigint {
  return ((1n << BigInt(end - start)) - 1n) << BigInt(64 - end);
}
