/**
 * Lists of fingerprints for look-ups, merged from the lists of many small partitions. Without them, a search would open
 * and read one file per partition: thousands if there are thousands of small repositories
 * (bench/results/2026-11-28-many-partitions.md). Merged lists can always be rebuilt from the partitions.
 *
 * lists/ID.bin    the lists, in the format of a partition's lists.bin. Contents are numbered across all partitions
 * lists/ID.json   their description
 */
import { randomUUID } from 'node:crypto';
import { closeSync, openSync, rmSync } from 'node:fs';
import { firstPlace, sum } from '../../core/collections/lists.ts';
import { createMemory, Kernel } from '../../core/engine/kernel.ts';
import type { Options } from '../../core/engine/options.ts';
import { IndexError } from '../folder/indexError.ts';
import { checkSize, explaining, MissingFileError, readingFile, readJson } from '../folder/folderFiles.ts';
import { type IndexFolder, partitionsOf } from '../folder/indexFolder.ts';
import { distanceOf, listViews } from './blocks.ts';
import { type FingerprintList, ListReader, ListWriter, sortFingerprints } from './fingerprintLists.ts';
import { maxWindows, Partition } from './partition.ts';

/** Contents of a .json file. */
interface MergedDescription {
  /** Id and number of contents of each partition. */
  readonly partitions: readonly (readonly [id: string, contents: number])[];
  readonly windows: number;
  readonly bytes: number;
  readonly lists: readonly FingerprintList[];
}

export interface SearchedLists {
  readonly lists: readonly FingerprintList[];
  readonly bytes: number;
  readonly reading: (action: (file: number) => void) => void;
  /**
   * Converts the number of a text in these lists to its number in `FolderContents`. Returns `undefined` if no current
   * state has its partition.
   */
  readonly numberOf: (content: number) => number | undefined;
}

/** @param base  number of the partition's first content */
export function listsOfPartition(partition: Partition, base: number): SearchedLists {
  const { lists, sizes } = partition.description();
  return {
    lists,
    bytes: sizes['lists.bin'],
    reading: (action) => partition.reading('lists.bin', action),
    numberOf: (content) => base + content,
  };
}

export interface MergedLists {
  readonly id: string;
  readonly file: string;
  readonly description: MergedDescription;
}

/**
 * Returns merged lists for a search; `undefined` if they have none of the partitions.
 *
 * @param bases  number of the first content of each partition, by id. Those of these lists are removed
 */
export function listsOfMerged(merged: MergedLists, bases: Map<string, number>): SearchedLists | undefined {
  const { partitions, lists, bytes } = merged.description;
  let end = 0;
  const ends = partitions.map(([, contents]) => (end += contents));
  const own = partitions.map(([id]) => bases.get(id));
  for (const [id] of partitions) bases.delete(id);
  if (own.every((base) => base === undefined)) return undefined;
  return {
    lists,
    bytes,
    reading: (action) => readingFile(merged.file, action),
    numberOf: (content) => {
      const place = firstPlace(ends.length, (i) => ends[i]! <= content);
      const base = own[place];
      return base === undefined ? undefined : base + content - (ends[place - 1] ?? 0);
    },
  };
}

/**
 * Opens all merged lists.
 *
 * @param opened  lists that are open already; they never change
 */
export function openMergedLists(index: IndexFolder, opened: readonly MergedLists[]): MergedLists[] {
  const suffix = '.json';
  const names = index.listsFiles().filter((name) => name.endsWith(suffix));
  const all = names.flatMap((name) => {
    const id = name.slice(0, -suffix.length);
    const openLists = opened.find((lists) => lists.id === id);
    if (openLists) return openLists;
    const description = readJson<MergedDescription>(
      index.file('lists', name),
      ({ partitions, lists }) => Array.isArray(partitions) && Array.isArray(lists),
    );
    if (description === undefined) return [];
    const file = index.file('lists', `${id}.bin`);
    checkSize(file, description.bytes);
    return { id, file, description };
  });
  // While lists are replaced, a partition may be in two of them. The order decides which one is searched.
  return all.sort((x, y) => y.description.windows - x.description.windows || (x.id < y.id ? -1 : 1));
}

/** Minimum number of small partitions that are merged. Searching one takes about .1 ms. */
const minPartitions = 32;
/** Maximum number of windows of a small partition. A search of a larger one takes as long as opening its file. */
const maxSmall = maxWindows / 16;

/**
 * Merges the lists of small partitions that are in no merged lists, and removes merged lists that are of no use.
 * Precondition: the caller is in a call of `IndexFolder.changing`.
 */
export function mergeLists(index: IndexFolder, options: Options): void {
  index.merging(() => {
    const live = partitionsOf(index.repositories());
    const opened = openMergedLists(index, []);
    const kept = opened.filter(({ description: { partitions } }) => {
      const used = partitions.filter(([id]) => live.has(id));
      return 2 * sum(used.map(([, contents]) => contents)) > sum(partitions.map(([, contents]) => contents));
    });
    const covered = new Set(kept.flatMap(({ description }) => description.partitions.map(([id]) => id)));
    const loose = [...live].filter((id) => !covered.has(id)).map((id) => new Partition(index, id));
    const small = loose.filter((partition) => partition.description().windows <= maxSmall);
    const removed = opened.filter((lists) => !kept.includes(lists));
    if (small.length >= minPartitions) {
      const replaced = mergedAgain(kept, windowsOf(small));
      const ids = replaced.flatMap(({ description }) => description.partitions.map(([id]) => id));
      const again = ids.filter((id) => live.has(id)).map((id) => new Partition(index, id));
      if (writeAll(index, options, groupsOf([...again, ...small]))) removed.push(...replaced);
    }
    removeFiles(index, removed);
  });
}

/** Returns false if the lists cannot be written, for example because the disk is full. Searches then use others. */
function writeAll(index: IndexFolder, options: Options, groups: readonly Partition[][]): boolean {
  const kernel = new Kernel(createMemory());
  try {
    for (const group of groups) writeMerged(index, kernel, options, group);
    return true;
  } catch (error) {
    if (error instanceof IndexError || error instanceof MissingFileError) return false;
    throw error;
  }
}

function windowsOf(partitions: readonly Partition[]): number {
  return sum(partitions.map((partition) => partition.description().windows));
}

/**
 * Returns the lists that are merged again with new lists. A list stays as it is if it is more than twice as large as
 * all smaller ones together. So each window is rewritten only a few times.
 *
 * @param windows  number of windows in the new lists
 */
function mergedAgain(merged: readonly MergedLists[], windows: number): MergedLists[] {
  const again: MergedLists[] = [];
  let total = windows;
  for (const lists of [...merged].reverse()) {
    if (lists.description.windows > 2 * total || lists.description.windows + total > maxWindows) break;
    total += lists.description.windows;
    again.push(lists);
  }
  return again;
}

/** Splits partitions into groups whose windows can be sorted in memory. */
function groupsOf(partitions: readonly Partition[]): Partition[][] {
  const groups: Partition[][] = [];
  let total = Number.POSITIVE_INFINITY;
  for (const partition of partitions) {
    const { windows } = partition.description();
    total += windows;
    if (total > maxWindows) {
      groups.push([]);
      total = windows;
    }
    groups.at(-1)!.push(partition);
  }
  return groups;
}

function writeMerged(index: IndexFolder, kernel: Kernel, options: Options, partitions: readonly Partition[]): void {
  const id = randomUUID();
  const name = index.file('lists', `${id}.bin`);
  explaining(name, () => {
    const file = openSync(name, 'wx');
    const writer = new ListWriter(file, kernel);
    try {
      for (const view of listViews) {
        const { fingerprints, contents } = windowsIn(partitions, view);
        if (contents.length === 0) continue;
        const { order, sorted } = sortFingerprints(kernel, fingerprints);
        const ordered = order.map((window) => contents[window]!);
        writer.write(view, sorted, ordered, distanceOf(view, options));
      }
    } finally {
      closeSync(file);
    }
    const description: MergedDescription = {
      partitions: partitions.map((partition) => [partition.id, partition.contents]),
      windows: windowsOf(partitions),
      bytes: writer.end,
      lists: writer.lists,
    };
    index.replace(index.file('lists', `${id}.json`), description);
  });
}

/** Returns the windows of a view, or the lines with phrases, in all partitions, and the content of each. */
function windowsIn(
  partitions: readonly Partition[],
  view: FingerprintList['view'],
): { readonly fingerprints: Uint32Array; readonly contents: Uint32Array } {
  const listIn = (partition: Partition): FingerprintList | undefined =>
    partition.description().lists.find((list) => list.view === view && list.rotation === 0);
  const count = sum(partitions.map((partition) => listIn(partition)?.count ?? 0));
  const all = { fingerprints: new Uint32Array(2 * count), contents: new Uint32Array(count) };
  let [end, base] = [0, 0];
  for (const partition of partitions) {
    const list = listIn(partition);
    if (list) {
      partition.reading('lists.bin', (file) => {
        const reader = new ListReader(file, 0);
        all.fingerprints.set(reader.fingerprints(list), 2 * end);
        for (const content of reader.contents(list, 0, list.count)) all.contents[end++] = base + content;
      });
    }
    base += partition.contents;
  }
  return all;
}

/** Removes lists, and files that an interrupted process has left. */
function removeFiles(index: IndexFolder, removed: readonly MergedLists[]): void {
  for (const { id } of removed) rmSync(index.file('lists', `${id}.json`), { force: true });
  const names = new Set(index.listsFiles());
  for (const name of names) {
    if (!names.has(name.replace(/\.bin$/, '.json'))) rmSync(index.file('lists', name), { force: true });
  }
}
