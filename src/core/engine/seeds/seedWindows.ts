/** Writes the record of the windows of one view for the kernel (src/core/kernel/seeds/seedWindows.ts). */
import * as layout from '../../kernel/seeds/seedWindowsLayout.ts';
import type { Kernel } from '../kernel.ts';
import { constants } from '../constants.ts';

/** Addresses of arrays of 32-bit words. */
export interface WindowLists {
  /** Window numbers, sorted by fingerprint, document, and first token. */
  readonly ids: number;
  /** For each distinct fingerprint, the index of its first window in `ids`. */
  readonly firsts: number;
  /** For each window, its document and its first token. */
  readonly docs: number;
  readonly positions: number;
  /** Address of the table of documents if the windows are lines with phrases; otherwise 0. */
  readonly documents: number;
}

/** Writes the record and returns its address. The kernel will write up to `room` seeds to `out`, but count all. */
export function writeSeedWindows(
  kernel: Kernel,
  { ids, firsts, docs, positions, documents }: WindowLists,
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
  words[(record + layout.seedWindowsDocumentsAt) >>> 2] = documents;
  words[(record + layout.seedWindowsOutAt) >>> 2] = out;
  words[(record + layout.seedWindowsRoomAt) >>> 2] = room;
  words[(record + layout.seedWindowsFoundAt) >>> 2] = 0;
  return record;
}
