/**
 * Limits the memory of a scan. Documents stay in memory, and their sizes are known. The memory for searching and
 * matching grows with them, so limiting the documents is enough. In the order of paths, all files from the first one
 * that does not fit are skipped. So the result depends only on the files, not on threads or on the order of reading.
 */
import { documentBytes, type DocumentIndex } from '../../core/engine/documents/documents.ts';
import type { SkippedFile } from '../../core/engine/report/report.ts';
import { byPath } from '../io/byPath.ts';
import type { ListedFile } from '../io/sources.ts';
import type { IndexedFile } from './indexedFile.ts';

/** Minimum memory budget in MB. The program itself would exceed a smaller budget. */
export const minMemoryMB = 256;

/** Memory in MB that the program and its threads need regardless of the documents. */
const fixedMB = 160;
/**
 * Share of the variable memory that documents take at the peak of a scan. Variable memory is the resident memory
 * without the fixed part. Measured shares are 0.52 and 0.48 for the Linux kernel's core folders with budgets of 400 and
 * 600 MB, and 0.9 for Java with 256 MB; this constant is lower, to be safe.
 */
const documentShare = 0.45;
/**
 * Maximum memory of documents in MB. The kernel can address 4 GiB; the rest is for searching and matching. In the Linux
 * kernel, documents take 50 bytes per line, and the search up to 38.
 */
const addressableMB = 2_180;

/**
 * Returns the maximum total size of all documents in bytes.
 *
 * @param memoryMB  budget of the whole program, at least `minMemoryMB`; 0 if only the addressable memory limits it
 */
export function maxIndexBytes(memoryMB: number): number {
  const budgetMB = memoryMB === 0 ? addressableMB : Math.min(addressableMB, (memoryMB - fixedMB) * documentShare);
  return Math.floor(budgetMB * 2 ** 20);
}

/** Returns the size of a file's document in bytes, or 0 for a skipped file. */
export function indexBytes(content: DocumentIndex | SkippedFile): number {
  return 'reason' in content ? 0 : documentBytes(content);
}

/** Files that fit in the budget, and all skipped files. Both lists are in the order of paths. */
export interface BudgetedFiles {
  readonly files: readonly IndexedFile[];
  readonly leftOut: readonly SkippedFile[];
}

/**
 * Selects the files whose documents fit in the budget.
 *
 * @param files   files that were read or loaded from the index
 * @param unread  files that scan threads have not read, because the limit was exceeded
 */
export function keepWithin(
  files: readonly IndexedFile[],
  unread: readonly ListedFile[],
  maxBytes: number,
  memoryMB: number,
): BudgetedFiles {
  const indexedFiles = files.map((file) => ({ path: file.path, file }));
  const all: { path: string; file?: IndexedFile }[] = [...indexedFiles, ...unread.map(({ path }) => ({ path }))];
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

/** Returns a file as skipped for lack of memory. If it was skipped for another reason, keeps that reason. */
export function noMemory(
  path: string,
  content: DocumentIndex | SkippedFile | undefined,
  memoryMB: number,
): SkippedFile {
  if (content !== undefined && 'reason' in content) return content;
  return { path, reason: `no memory left (limit ${memoryMB === 0 ? '4 GB' : `${memoryMB} MB`})`, setting: 'memory' };
}
