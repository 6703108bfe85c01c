/**
 * Memory budget of a scan. Documents stay in memory, with a known number of bytes each, and the memory for searching
 * and matching grows with them. So the limit applies to documents: from the first path that does not fit, all files are
 * skipped. The result depends only on the files, not on the threads or the reading order.
 */
import { documentBytes, type DocumentIndex } from '../../core/engine/documents/documents.ts';
import type { Skipped } from '../../core/engine/report/report.ts';
import { byPath } from '../io/byPath.ts';
import type { ListedFile } from '../io/sources.ts';
import type { IndexedFile } from './indexedFile.ts';

/** Minimum budget of a scan, in MB. A smaller one has no room for the program itself. */
export const minMemoryMB = 256;

/** Fixed memory of the program and its threads. */
const fixedMB = 160;
/**
 * Lower bound of the share of documents in the variable memory (the resident memory without the fixed part) at the peak
 * of a scan. Measured: 0.52 and 0.48 on the Linux kernel's core folders within 400 and 600 MB, and 0.9 on Java within
 * 256.
 */
const documentShare = 0.45;
/**
 * Maximum memory of documents in the 4 GiB that the kernel can address. The rest is for the search, which takes up to
 * 38 bytes a line where documents take 50 (the Linux kernel), and for matching.
 */
const addressableMB = 2_180;

/**
 * Returns the maximum number of bytes of all documents.
 *
 * @param memoryMB  budget of the whole program, at least `minMemoryMB`; 0 for as much as the kernel can address
 */
export function maxIndexBytes(memoryMB: number): number {
  const most = memoryMB === 0 ? addressableMB : Math.min(addressableMB, (memoryMB - fixedMB) * documentShare);
  return Math.floor(most * 2 ** 20);
}

/** Returns the memory size of a file's document; 0 for a skipped file. */
export function indexBytes(content: DocumentIndex | Skipped): number {
  return 'reason' in content ? 0 : documentBytes(content);
}

/** Files within the budget, and those skipped: both in path order. */
export interface Budgeted {
  readonly files: readonly IndexedFile[];
  readonly leftOut: readonly Skipped[];
}

/**
 * Selects the files whose documents fit into the budget.
 *
 * @param files   files that were read or recalled
 * @param unread  files that scan threads did not read because the limit was exceeded
 */
export function keepWithin(
  files: readonly IndexedFile[],
  unread: readonly ListedFile[],
  maxBytes: number,
  memoryMB: number,
): Budgeted {
  const known = files.map((file) => ({ path: file.path, file }));
  const all: { path: string; file?: IndexedFile }[] = [...known, ...unread.map(({ path }) => ({ path }))];
  all.sort(byPath);
  let bytes = 0;
  const end = all.findIndex(({ file }) => {
    bytes += file === undefined ? Number.POSITIVE_INFINITY : indexBytes(file.content);
    return bytes > maxBytes;
  });
  const within = end < 0 ? all : all.slice(0, end);
  const past = end < 0 ? [] : all.slice(end);
  return {
    files: within.flatMap(({ file }) => file ?? []),
    leftOut: past.map(({ path, file }) => noMemory(path, file?.content, memoryMB)),
  };
}

/**
 * Returns the entry of a file that is skipped for want of memory. If it was skipped for another reason, that one is
 * kept.
 */
export function noMemory(path: string, content: DocumentIndex | Skipped | undefined, memoryMB: number): Skipped {
  if (content !== undefined && 'reason' in content) return content;
  return { path, reason: `no memory left (limit ${memoryMB === 0 ? '4 GB' : `${memoryMB} MB`})`, setting: 'memory' };
}
