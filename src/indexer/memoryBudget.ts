/**
 * How much memory a scan takes, and what is left out when that is not enough. Documents stay in memory, a known number
 * of bytes each; what searching and matching take besides grows with them. So the limit is one on the documents: from
 * the first path on that does not fit, everything is left out. That depends on the files alone, not on the threads or on
 * what was read first.
 */
import { documentBytes, type DocumentIndex } from '../engine/documents/documents.ts';
import type { Skipped } from '../engine/report/report.ts';
import { byPath } from '../io/byPath.ts';
import type { ListedFile } from '../io/sources.ts';
import type { IndexedFile } from './indexedFile.ts';

/** The least budget that a scan can be given, in MB: a smaller one has no room for the program itself. */
export const leastMemoryMB = 256;

/** What the program and its threads take whatever they scan. */
const fixedMB = 160;
/**
 * The share of the rest that documents have at the peak of a scan, at least: 0.52 and 0.48 of the resident memory above
 * the fixed part on the Linux kernel's core folders within 400 and 600 MB, 0.9 on Java within 256.
 */
const documentShare = 0.45;
/**
 * What documents may take of the 4 GiB that the kernel can address. The rest is for the search, which takes up to 38 bytes
 * a line where documents take 50 (the Linux kernel), and for matching.
 */
const addressableMB = 2_180;

/**
 * How many bytes all documents may have together.
 *
 * @param memoryMB  what the whole program may take, at least `leastMemoryMB`; 0 for as much as the kernel can address
 */
export function mostIndexBytes(memoryMB: number): number {
  const most = memoryMB === 0 ? addressableMB : Math.min(addressableMB, (memoryMB - fixedMB) * documentShare);
  return Math.floor(most * 2 ** 20);
}

/** Bytes of what is kept of a file; 0 of one that is left out. */
export function indexBytes(content: DocumentIndex | Skipped): number {
  return 'reason' in content ? 0 : documentBytes(content);
}

/** What fits, and what does not: both in the order of paths. */
export interface Budgeted {
  readonly files: readonly IndexedFile[];
  readonly leftOut: readonly Skipped[];
}

/**
 * The files whose documents fit into so many bytes.
 *
 * @param files   those that were read or recalled
 * @param unread  those that were not read, because scan threads found that the limit is passed
 */
export function keepWithin(
  files: readonly IndexedFile[],
  unread: readonly ListedFile[],
  mostBytes: number,
  memoryMB: number,
): Budgeted {
  const known = files.map((file) => ({ path: file.path, file }));
  const all: { path: string; file?: IndexedFile }[] = [...known, ...unread.map(({ path }) => ({ path }))];
  all.sort(byPath);
  let bytes = 0;
  const end = all.findIndex(({ file }) => {
    bytes += file === undefined ? Number.POSITIVE_INFINITY : indexBytes(file.content);
    return bytes > mostBytes;
  });
  const within = end < 0 ? all : all.slice(0, end);
  const past = end < 0 ? [] : all.slice(end);
  return {
    files: within.flatMap(({ file }) => file ?? []),
    leftOut: past.map(({ path, file }) => noMemory(path, file?.content, memoryMB)),
  };
}

/** Why a file is left out for which there is no memory. What is left out for another reason is told with that. */
export function noMemory(path: string, content: DocumentIndex | Skipped | undefined, memoryMB: number): Skipped {
  if (content !== undefined && 'reason' in content) return content;
  return { path, reason: `no memory left (limit ${memoryMB === 0 ? '4 GB' : `${memoryMB} MB`})`, setting: 'memory' };
}
