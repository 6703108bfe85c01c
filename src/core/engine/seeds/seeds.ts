/**
 * Finds seeds: pairs of windows whose fingerprints differ in at most k bits. Windows with equal fingerprints are
 * grouped first, so that the search for near fingerprints handles each distinct one once.
 */
import * as layout from '../../kernel/documents/documentLayout.ts';
import { maxMarkedLines } from '../../kernel/lex/lexedLayout.ts';
import { seedBytes, seedCounts } from '../../kernel/seeds/seedLayout.ts';
import type { DocumentIndex } from '../documents/documents.ts';
import type { Kernel } from '../kernel.ts';
import { familyOf } from '../languages/languageHash.ts';
import type { Options } from '../options.ts';
import { findNearPairsSteps, type NearPairs } from './nearPairs.ts';
import {
  type DocumentOfPhrases,
  type GatheredWindows,
  gatherPhrasesSteps,
  linesByFamily,
  type ListedDocuments,
  searchesPatterns,
} from './phrases.ts';
import { type WindowLists, writeSeedWindows } from './seedWindows.ts';

/** Sorted seeds in the kernel's memory (src/core/kernel/seeds/seedLayout.ts). */
export interface Seeds {
  readonly address: number;
  readonly count: number;
}

function byView(code: number, prose: number): readonly (readonly [view: number, distance: number])[] {
  return [
    [layout.writtenView, code],
    [layout.renamedView, code],
    [layout.proseView, prose],
  ];
}

export interface AllSeeds extends Seeds {
  /**
   * Number of fingerprints, in all views, that have more near fingerprints than may be linked. Each is linked only to
   * its nearest ones; see `maxPartners`.
   */
  readonly truncated: number;
}

export function distancesOf({ maxDistance, prose }: Options): Distances {
  return { code: maxDistance, prose: prose.maxDistance };
}

export function tableBytes(documents: number): number {
  return documents * layout.documentBytes;
}

/** Writes the kernel's table of documents. Returns its address. */
export function writeDocuments(kernel: Kernel, documents: readonly DocumentIndex[]): number {
  const table = kernel.allocate(tableBytes(documents.length));
  documents.forEach((document, i) => writeDocument(kernel, table, i, document));
  return table;
}

/** Writes the record of one document to an index of the table of documents. */
export function writeDocument(kernel: Kernel, table: number, place: number, document: DocumentIndex): void {
  const words = kernel.words;
  const record = table + place * layout.documentBytes;
  const { languageHash, prose, apart, totalLines } = document;
  words[(record + layout.documentTokensAt) >>> 2] = document.tokens;
  words[(record + layout.documentTokenCountAt) >>> 2] = document.tokenCount;
  words[(record + layout.documentFlagsAt) >>> 2] =
    (Number(apart) << layout.apartShift) |
    (totalLines < maxMarkedLines ? layout.marksFlag : 0) |
    (languageHash << layout.languageShift) |
    (familyOf(languageHash) << layout.familyShift) |
    (prose ? layout.proseFlag : 0);
  words[(record + layout.documentWindowsAt) >>> 2] = document.windows;
  words[(record + layout.documentStrideAt) >>> 2] = document.windowStride;
  words[(record + layout.documentWindowCountAt) >>> 2] = document.windowCount;
  words[(record + layout.documentWrittenAt) >>> 2] = document.written;
  words[(record + layout.documentRenamedAt) >>> 2] = document.renamed;
  words[(record + layout.documentLinesAt) >>> 2] = document.lines;
  words[(record + layout.documentLineCountAt) >>> 2] = document.lineCount;
  words[(record + layout.documentUnitsAt) >>> 2] = document.units;
  words[(record + layout.documentUnitCountAt) >>> 2] = document.unitCount;
}

/** Returns the total numbers of windows in documents of code and of prose. */
export function windowsOf(documents: readonly DocumentOfPhrases[]): { readonly code: number; readonly prose: number } {
  const windows = { code: 0, prose: 0 };
  for (const { prose, windowCount } of documents) windows[prose ? 'prose' : 'code'] += windowCount;
  return windows;
}

/** Maximum distance k of windows of code and of prose, 0 to 16. */
export interface Distances {
  readonly code: number;
  readonly prose: number;
}

/**
 * Finds the seeds of all views: code with its names, code with all names abstracted, prose, and lines of code by their
 * phrases if there are several languages, and by their patterns if the distance is great. Windows are compared only
 * within a view. Runs in steps of a few dozen milliseconds. If the caller ends the generator early, its memory is not
 * released.
 *
 * @param table  address of the table of documents
 */
export function* findSeedsSteps(
  kernel: Kernel,
  documents: readonly DocumentOfPhrases[],
  table: number,
  { code, prose }: Distances,
): Generator<void, AllSeeds> {
  const windows = windowsOf(documents);
  const listed = { table, count: documents.length };
  const found: AllSeeds[] = [];
  for (const [view, distance] of byView(code, prose)) {
    const room = view === layout.proseView ? windows.prose : windows.code;
    const gather = (lists: GatheredWindows): Generator<void, number> => gatherSteps(kernel, listed, view, lists);
    found.push(yield* seedsOfView(kernel, room, { distance }, gather));
    yield;
  }
  const allocate = (size: number): number => kernel.allocate(size);
  const families = [...linesByFamily(documents)].sort(([, x], [, y]) => y - x);
  if (families.length > 1) {
    const gather = (lists: GatheredWindows): Generator<void, number> =>
      gatherPhrasesSteps(kernel, listed, lists, allocate, { feature: 'phrase', family: families[0][0] });
    found.push(yield* seedsOfView(kernel, windows.code, { distance: 0, lines: { documents: table } }, gather));
    yield;
  }
  if (searchesPatterns(code)) {
    const gather = (lists: GatheredWindows): Generator<void, number> =>
      gatherPhrasesSteps(kernel, listed, lists, allocate, { feature: 'pattern' });
    found.push(yield* seedsOfView(kernel, windows.code, { distance: 0, lines: { documents: 0 } }, gather));
    yield;
  }
  const seeds = joinSeeds(kernel, found);
  const mark = kernel.mark();
  sortSeeds(kernel, seeds, kernel.allocate(sortingBytes(seeds.count)));
  kernel.release(mark);
  return seeds;
}

function* gatherSteps(
  kernel: Kernel,
  { table, count }: ListedDocuments,
  view: number,
  { fingerprints, ids, docs, positions }: GatheredWindows,
): Generator<void, number> {
  const n = kernel.exports.gatherWindows(table, count, view, fingerprints, ids, docs, positions);
  yield;
  return n;
}

/** Size in bytes of the counters that the kernel needs to sort fingerprints. */
export const sortCountBytes = 4 * 8_192;

/** Size in bytes of the counters that the kernel needs to sort seeds. */
const countsBytes = 4 * seedCounts;

/** Returns the size in bytes of the scratch memory for sorting `count` seeds. */
export function sortingBytes(count: number): number {
  return countsBytes + count * seedBytes;
}

/** Sorts seeds in place. `scratch` is the address of `sortingBytes(count)` bytes. */
export function sortSeeds(kernel: Kernel, { address, count }: Seeds, scratch: number): void {
  kernel.exports.sortSeeds(address, scratch + countsBytes, count, scratch);
}

/** Moves the seeds of all views together, so that they are contiguous. */
function joinSeeds(kernel: Kernel, found: readonly AllSeeds[]): AllSeeds {
  const sum = (of: (seeds: AllSeeds) => number): number => found.reduce((total, seeds) => total + of(seeds), 0);
  const [count, truncated] = [sum((seeds) => seeds.count), sum((seeds) => seeds.truncated)];
  // Seeds of one view often directly follow those of the previous view, because allocations are aligned to the size of
  // a seed. Then there is nothing to move.
  let end = found[0].address;
  const areJoined = found.every((seeds) => {
    const isNext = seeds.count === 0 || seeds.address === end;
    end += seeds.count * seedBytes;
    return isNext;
  });
  if (areJoined) return { address: found[0].address, count, truncated };
  const address = kernel.allocate(count * seedBytes);
  end = address;
  for (const seeds of found) end += moveSeeds(kernel, seeds, end);
  return { address, count, truncated };
}

/** Copies seeds to an address. The two ranges may overlap. Returns the size of the seeds in bytes. */
export function moveSeeds(kernel: Kernel, { address, count }: Seeds, to: number): number {
  kernel.bytes.copyWithin(to, address, address + count * seedBytes);
  return count * seedBytes;
}

/**
 * Returns the seeds of one view, not sorted. Releases all other memory that it has allocated.
 *
 * @param room        maximum number of windows
 * @param lines       see `WindowLists`
 * @param gather      writes the windows to lists, and returns their number
 */
function* seedsOfView(
  kernel: Kernel,
  room: number,
  { distance, lines }: Pick<WindowLists, 'lines'> & { readonly distance: number },
  gather: (lists: GatheredWindows) => Generator<void, number>,
): Generator<void, AllSeeds> {
  const { exports } = kernel;
  const start = kernel.mark();
  const fingerprints = kernel.allocate(room * 8);
  const words = (): number => kernel.allocate(room * 4 + 4);
  const [ids, docs, positions] = [words(), words(), words()];
  const sorting = kernel.mark();
  const [otherFingerprints, otherIds] = [kernel.allocate(room * 8), words()];
  const n = yield* gather({ fingerprints, ids, docs, positions });
  exports.sortFingerprints(fingerprints, ids, otherFingerprints, otherIds, n, kernel.allocate(sortCountBytes));
  kernel.release(sorting);
  const firsts = words();
  const different = exports.groupEqual(fingerprints, n, firsts);
  yield;
  const pairs = distance > 0 ? yield* findNearPairsSteps(kernel, fingerprints, different, distance) : noPairs;
  const seeds = yield* withRoom(kernel, seedBytes, n / 2 + 1024, function* (address, seedRoom) {
    const windows = writeSeedWindows(kernel, { ids, firsts, docs, positions, lines }, address, seedRoom);
    exports.seedEqual(windows, different);
    yield;
    return exports.seedPairs(windows, pairs.address, pairs.count);
  });
  kernel.release(start);
  const address = kernel.allocate(seeds.count * seedBytes);
  moveSeeds(kernel, seeds, address);
  return { address, count: seeds.count, truncated: pairs.truncated };
}

const noPairs: NearPairs = { address: 0, count: 0, truncated: 0 };

/**
 * Allocates memory for records and writes them. Their number is known only after writing, so this function starts with
 * room for the expected number. If there are more records, it calls `write` again with enough room.
 *
 * @param write  writes as many records as there is room for, and returns the number of all records
 */
function* withRoom(
  kernel: Kernel,
  recordBytes: number,
  room: number,
  write: (address: number, room: number) => Generator<void, number>,
): Generator<void, Seeds> {
  const mark = kernel.mark();
  for (let capacity = Math.ceil(room); ;) {
    const address = kernel.allocate(capacity * recordBytes);
    const count = yield* write(address, capacity);
    if (count <= capacity) return { address, count };
    kernel.release(mark);
    capacity = count;
  }
}
