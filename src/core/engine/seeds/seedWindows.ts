/** The record of the windows of one view for the kernel (src/core/kernel/seeds/seedWindows.ts). */
import * as layout from '../../kernel/seeds/seedWindowsLayout.ts';
import type { Kernel } from '../kernel.ts';
import { tuning } from '../tuning.ts';

/** Addresses of lists of words. */
export interface WindowLists {
  /** Windows, sorted by fingerprint, document, and first token. */
  readonly ids: number;
  /** The first of `ids` of each distinct fingerprint. */
  readonly firsts: number;
  /** Document and first token of each window. */
  readonly docs: number;
  readonly positions: number;
}

/** Writes the record and returns its address. At most `room` seeds are written to `out`; all are counted. */
export function writeSeedWindows(
  kernel: Kernel,
  { ids, firsts, docs, positions }: WindowLists,
  out: number,
  room: number,
): number {
  const record = kernel.allocate(layout.seedWindowsBytes);
  const { words } = kernel;
  words[(record + layout.seedWindowsIdsAt) >>> 2] = ids;
  words[(record + layout.seedWindowsFirstsAt) >>> 2] = firsts;
  words[(record + layout.seedWindowsDocsAt) >>> 2] = docs;
  words[(record + layout.seedWindowsPositionsAt) >>> 2] = positions;
  words[(record + layout.seedWindowsAllPairsAt) >>> 2] = tuning.seeds.allPairs;
  words[(record + layout.seedWindowsApartAt) >>> 2] = tuning.written.tokens;
  words[(record + layout.seedWindowsOutAt) >>> 2] = out;
  words[(record + layout.seedWindowsRoomAt) >>> 2] = room;
  words[(record + layout.seedWindowsFoundAt) >>> 2] = 0;
  return record;
}
