/** Writes the record of the windows of one view for the kernel (src/core/kernel/seeds/seedWindows.ts). */
import * as layout from '../../kernel/seeds/seedWindowsLayout.ts';
import type { Kernel } from '../kernel.ts';
import { constants } from '../constants.ts';

/** Lines to link. */
export interface LinkedLines {
  /** Address of the table of documents for lines with the same phrase; 0 for lines with the same pattern. */
  readonly documents: number;
}

/** Addresses of arrays of 32-bit words. */
export interface WindowLists {
  /** Window numbers, sorted by fingerprint, document, and first token. */
  readonly ids: number;
  /** For each distinct fingerprint, the index of its first window in `ids`. */
  readonly firsts: number;
  /** For each window, its document and its first token. */
  readonly docs: number;
  readonly positions: number;
  /** If given, the windows are lines with the same phrase or pattern. */
  readonly lines?: LinkedLines | undefined;
}

/** Writes the record and returns its address. The kernel will write up to `room` seeds to `out`, but count all. */
export function writeSeedWindows(
  kernel: Kernel,
  { ids, firsts, docs, positions, lines }: WindowLists,
  out: number,
  room: number,
): number {
  const record = kernel.allocate(layout.seedWindowsBytes);
  const { words } = kernel;
  words[(record + layout.seedWindowsIdsAt) >>> 2] = ids;
  words[(record + layout.seedWindowsFirstsAt) >>> 2] = firsts;
  words[(record + layout.seedWindowsDocsAt) >>> 2] = docs;
  words[(record + layout.seedWindowsPositionsAt) >>> 2] = positions;
  words[(record + layout.seedWindowsAllPairsAt) >>> 2] = constants.seeds.allPairs;
  words[(record + layout.seedWindowsApartAt) >>> 2] = constants.written.tokens;
  words[(record + layout.seedWindowsAreLinesAt) >>> 2] = Number(lines !== undefined);
  words[(record + layout.seedWindowsDocumentsAt) >>> 2] = lines?.documents ?? 0;
  words[(record + layout.seedWindowsOutAt) >>> 2] = out;
  words[(record + layout.seedWindowsRoomAt) >>> 2] = room;
  words[(record + layout.seedWindowsFoundAt) >>> 2] = 0;
  return record;
}
