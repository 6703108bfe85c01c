/**
 * Seeds: pairs of windows whose fingerprints are within k bits. Equal fingerprints are grouped first, and only different
 * ones are searched for near ones.
 */
import * as layout from '../../kernel/documents/documentLayout.ts';
import { seedBytes, seedCounts } from '../../kernel/seeds/seedLayout.ts';
import type { DocumentIndex } from '../documents/documents.ts';
import type { Kernel } from '../kernel.ts';
import type { Options } from '../options.ts';
import { findNearPairsSteps, type NearPairs } from './nearPairs.ts';
import { lastOf } from '../steps.ts';
import { tuning } from '../tuning.ts';

/** Seeds (src/kernel/seeds/seedLayout.ts) in order. */
export interface Seeds {
  readonly address: number;
  readonly count: number;
}

/** The views, each with its own k. */
function byView(code: number, prose: number): readonly (readonly [view: number, distance: number])[] {
  return [
    [layout.writtenView, code],
    [layout.renamedView, code],
    [layout.proseView, prose],
  ];
}

/** The seeds of all documents. */
export interface AllSeeds extends Seeds {
  /** How many fingerprints, of all views, are linked to the nearest of their near ones only: see `mostPartners`. */
  readonly truncated: number;
}

export function distancesOf({ maxDistance, prose }: Options): Distances {
  return { code: maxDistance, prose: prose.maxDistance };
}

/** Bytes of a table of so many documents. */
export function tableBytes(documents: number): number {
  return documents * layout.documentRecordBytes;
}

/** Writes the table of documents for the kernel and returns its address. */
export function writeDocuments(kernel: Kernel, documents: readonly DocumentIndex[]): number {
  const table = kernel.allocate(tableBytes(documents.length));
  documents.forEach((document, i) => writeDocument(kernel, table, i, document));
  return table;
}

/** Writes the record of one document into a table. */
export function writeDocument(kernel: Kernel, table: number, place: number, document: DocumentIndex): void {
  const words = kernel.words;
  const record = table + place * layout.documentRecordBytes;
  const { languageHash, prose, apart } = document;
  words[(record + layout.tokensAt) >>> 2] = document.tokens;
  words[(record + layout.tokenCountAt) >>> 2] = document.tokenCount;
  words[(record + layout.flagsAt) >>> 2] =
    (Number(apart) << layout.apartShift) | (languageHash << layout.languageShift) | (prose ? layout.proseFlag : 0);
  words[(record + layout.windowsAt) >>> 2] = document.windows;
  words[(record + layout.strideAt) >>> 2] = document.windowStride;
  words[(record + layout.windowCountAt) >>> 2] = document.windowCount;
  words[(record + layout.writtenAt) >>> 2] = document.written;
  words[(record + layout.renamedAt) >>> 2] = document.renamed;
  words[(record + layout.linesAt) >>> 2] = document.lines;
  words[(record + layout.lineCountAt) >>> 2] = document.lineCount;
}

/** What the search has to know of a document besides its record. */
export type Searched = Pick<DocumentIndex, 'prose' | 'windowCount'>;

/** How many windows documents have together. */
export function windowsOf(documents: readonly Searched[]): { readonly code: number; readonly prose: number } {
  const windows = { code: 0, prose: 0 };
  for (const { prose, windowCount } of documents) windows[prose ? 'prose' : 'code'] += windowCount;
  return windows;
}

/** k, 0 to 16. */
export interface Distances {
  readonly code: number;
  readonly prose: number;
}

/**
 * All seeds: of code as written and renamed, and of prose. Each view has an index of its own, so that what is found in
 * one does not depend on the others.
 *
 * @param table  address of the table of documents
 */
export function findSeeds(
  kernel: Kernel,
  documents: readonly Searched[],
  table: number,
  distances: Distances,
): AllSeeds {
  return lastOf(findSeedsSteps(kernel, documents, table, distances));
}

/** The same in steps of some dozens of milliseconds. What they allocate is not given back when they end early. */
export function* findSeedsSteps(
  kernel: Kernel,
  documents: readonly Searched[],
  table: number,
  { code, prose }: Distances,
): Generator<void, AllSeeds> {
  const windows = windowsOf(documents);
  const common = { count: documents.length, table };
  const found: AllSeeds[] = [];
  for (const [view, distance] of byView(code, prose)) {
    const room = view === layout.proseView ? windows.prose : windows.code;
    found.push(yield* seedsOfView(kernel, { ...common, windows: room }, distance, view));
    yield;
  }
  const seeds = joinSeeds(kernel, found);
  const mark = kernel.mark();
  sortSeeds(kernel, seeds, kernel.allocate(sortingBytes(seeds.count)));
  kernel.release(mark);
  return seeds;
}

/** Bytes of the words that the kernel counts in when it sorts seeds. */
const countsBytes = 4 * seedCounts;

/** Bytes of scratch memory that it takes to sort so many seeds. */
export function sortingBytes(count: number): number {
  return countsBytes + count * seedBytes;
}

/** Sorts seeds where they are; `scratch` is the address of `sortingBytes` bytes. */
export function sortSeeds(kernel: Kernel, { address, count }: Seeds, scratch: number): void {
  kernel.exports.sortSeeds(address, scratch + countsBytes, count, scratch);
}

/** All seeds in one place. */
function joinSeeds(kernel: Kernel, found: readonly AllSeeds[]): AllSeeds {
  const sum = (of: (seeds: AllSeeds) => number): number => found.reduce((total, seeds) => total + of(seeds), 0);
  const [count, truncated] = [sum((seeds) => seeds.count), sum((seeds) => seeds.truncated)];
  // A seed is as long as what memory is handed out by, so those of one view mostly lie right behind those of another.
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

/** Copies seeds to an address, also one among them; returns how many bytes they are. */
export function moveSeeds(kernel: Kernel, { address, count }: Seeds, to: number): number {
  kernel.bytes.copyWithin(to, address, address + count * seedBytes);
  return count * seedBytes;
}

/** The seeds of one view, unsorted; whatever else was needed is given back. */
function* seedsOfView(
  kernel: Kernel,
  { count, table, windows: room }: { count: number; table: number; windows: number },
  distance: number,
  view: number,
): Generator<void, AllSeeds> {
  const { exports } = kernel;
  const start = kernel.mark();
  const fingerprints = kernel.allocate(room * 8);
  const words = (): number => kernel.allocate(room * 4 + 4);
  const [ids, docs, positions] = [words(), words(), words()];
  const sorting = kernel.mark();
  const [otherFingerprints, otherIds] = [kernel.allocate(room * 8), words()];
  const n = exports.gatherWindows(table, count, view, fingerprints, ids, docs, positions);
  yield;
  exports.sortFingerprints(fingerprints, ids, otherFingerprints, otherIds, n, kernel.allocate(8_192 * 4));
  kernel.release(sorting);
  const firsts = words();
  const different = exports.groupEqual(fingerprints, n, firsts);
  yield;
  const pairs = distance > 0 ? yield* findNearPairsSteps(kernel, fingerprints, different, distance) : noPairs;
  const { allPairs } = tuning.seeds;
  const apart = tuning.written.tokens;
  const seeds = yield* withRoom(kernel, seedBytes, n / 2 + 1024, function* (address, seedRoom) {
    const equal = exports.seedEqual(firsts, different, ids, docs, positions, allPairs, apart, address, seedRoom);
    yield;
    return exports.seedPairs(pairs.address, pairs.count, firsts, ids, docs, positions, apart, address, seedRoom, equal);
  });
  kernel.release(start);
  const address = kernel.allocate(seeds.count * seedBytes);
  moveSeeds(kernel, seeds, address);
  return { address, count: seeds.count, truncated: pairs.truncated };
}

const noPairs: NearPairs = { address: 0, count: 0, truncated: 0 };

/**
 * Memory for what is counted while it is written: room for so many records at first, and for as many as there are when
 * these are more.
 *
 * @param write  writes records to an address, no more than there is room for, and returns how many there are
 */
function* withRoom(
  kernel: Kernel,
  recordBytes: number,
  room: number,
  write: (address: number, room: number) => Generator<void, number>,
): Generator<void, Seeds> {
  const mark = kernel.mark();
  for (let most = Math.ceil(room); ;) {
    const address = kernel.allocate(most * recordBytes);
    const count = yield* write(address, most);
    if (count <= most) return { address, count };
    kernel.release(mark);
    most = count;
  }
}
