/**
 * Keys by which a database finds near fingerprints: the 64 bits are cut into k + 1 blocks, and two fingerprints within k
 * bits agree on one block at least (the pigeonhole of Manku, Jain, Das Sarma 2007, section 3). A fingerprint has a row for
 * each block, and candidates are rows of equal keys.
 *
 *   k = 3   | A | B | C | D |      four tables, keys of 16 bits
 */
import { proseView, renamedView, writtenView } from '../kernel/documents/documentLayout.ts';
import type { Options } from '../engine/options.ts';

/** The greatest k of an index: with more blocks, keys are so short that a look-up reads a large share of all rows. */
export const mostDistance = 7;

export const views = [writtenView, renamedView, proseView] as const;
export type View = (typeof views)[number];

/** One table of keys: a block of the fingerprints of a view. */
export interface BlockTable {
  /** What it is called in the database. */
  readonly number: number;
  /** Bits [start, end) of the fingerprint, of which 0 is the most significant. At most 32. */
  readonly start: number;
  readonly end: number;
  /** The block's bits. */
  readonly mask: bigint;
  /** Those of the blocks before it: who agrees on one of these is found by its table. */
  readonly earlier: readonly bigint[];
}

/** k of a view. */
export function distanceOf(view: View, { maxDistance, prose }: Pick<Options, 'maxDistance' | 'prose'>): number {
  return view === proseView ? prose.maxDistance : maxDistance;
}

/** The tables of a view: none where only equal fingerprints are near. @param distance  0 to `mostDistance` */
export function blockTables(view: View, distance: number): BlockTable[] {
  if (distance === 0) return [];
  const starts = startsOf(64, distance + 1);
  const masks = starts.slice(1).map((end, block) => maskOf(starts[block]!, end));
  return masks.map((mask, block) => ({
    number: view * (mostDistance + 1) + block,
    ...{ start: starts[block]!, end: starts[block + 1]!, mask },
    earlier: masks.slice(0, block),
  }));
}

/** The key of a fingerprint in a table, of 32 bits without sign. @param high, low  its halves */
export function blockKey({ start, end }: BlockTable, high: number, low: number): number {
  const width = end - start;
  if (end <= 32) return (high << start) >>> (32 - width);
  if (start >= 32) return (low << (start - 32)) >>> (32 - width);
  const fromLow = end - 32;
  return (((high << start) >>> start) * 2 ** fromLow + (low >>> (32 - fromLow))) >>> 0;
}

/** Where parts of so many bits begin, and the end; widths differ by at most one. */
function startsOf(bits: number, parts: number): number[] {
  return Array.from({ length: parts + 1 }, (_, part) => Math.floor((part * bits) / parts));
}

function maskOf(start: number, end: number): bigint {
  return ((1n << BigInt(end - start)) - 1n) << BigInt(64 - end);
}
