/**
 * Seeds: pairs of windows whose fingerprints are within k bits. The index is made of permuted tables (Manku, Jain,
 * Das Sarma 2007, section 3), so every such pair is found; equal fingerprints are grouped first, and only different
 * ones are joined.
 */
import { commentFamily } from './family.ts';
import type { DocumentIndex } from './documents.ts';
import type { Kernel } from './kernel.ts';
import { tuning } from './tuning.ts';

/** Bytes of a document's record in the table that the kernel reads, and of a seed. */
export const documentBytes = 40;
export const seedBytes = 16;

/** Seeds { docA, docB, posA | bits << 27, posB }, sorted by docA, docB, posB, posA and bits. */
export interface Seeds {
  readonly address: number;
  readonly count: number;
}

/** Writes the table of documents for the kernel and returns its address. */
export function writeDocuments(kernel: Kernel, documents: readonly DocumentIndex[]): number {
  const table = kernel.allocate(documents.length * documentBytes + 16);
  documents.forEach((document, i) => writeDocument(kernel, table, i, document));
  return table;
}

/** Writes the record of one document into a table. */
export function writeDocument(kernel: Kernel, table: number, place: number, document: DocumentIndex): void {
  const { tokens, tokenCount, family, prose, windows, windowStride, windowCount, written, renamed } = document;
  // Comments with code between them are no running text.
  const apart = family === commentFamily ? 0x8000_0000 : 0;
  const flags = (apart | (family << 1) | (prose ? 1 : 0)) >>> 0;
  const ofWindows = [windows, windowStride, windowCount, written, renamed];
  const record = [tokens, tokenCount, flags, ...ofWindows, document.lines, document.lineCount];
  kernel.words.set(record, (table + place * documentBytes) >>> 2);
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
  documents: readonly DocumentIndex[],
  table: number,
  distances: Distances,
): Seeds {
  const steps = findingSeeds(kernel, documents, table, distances);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** The same in steps: one for each permuted table, and a few more. What they allocate is not given back when they end early. */
export function* findingSeeds(
  kernel: Kernel,
  documents: readonly DocumentIndex[],
  table: number,
  { code, prose }: Distances,
): Generator<void, Seeds> {
  const windows = (ofProse: boolean): number =>
    documents.reduce((sum, d) => sum + (d.prose === ofProse ? d.windowCount : 0), 0);
  const common = { count: documents.length, table };
  const found: Seeds[] = [];
  for (const [view, distance] of [code, code, prose].entries()) {
    found.push(yield* seedsOfView(kernel, { ...common, windows: windows(view === 2) }, distance, view));
    yield;
  }
  // A seed is as long as what memory is handed out by, so those of one view lie right behind those of another.
  const seeds = { address: found[0].address, count: found.reduce((sum, { count }) => sum + count, 0) };
  const mark = kernel.mark();
  const other = kernel.allocate(seeds.count * seedBytes);
  kernel.exports.sortSeeds(seeds.address, other, seeds.count, kernel.allocate(2048 * 4));
  kernel.release(mark);
  return seeds;
}

/** The seeds of one view, unsorted; whatever else was needed is given back. */
function* seedsOfView(
  kernel: Kernel,
  { count, table, windows: room }: { count: number; table: number; windows: number },
  distance: number,
  view: number,
): Generator<void, Seeds> {
  const { exports } = kernel;
  const start = kernel.mark();
  const fingerprints = kernel.allocate(room * 8);
  const words = (): number => kernel.allocate(room * 4 + 4);
  const [ids, docs, positions] = [words(), words(), words()];
  const sorting = kernel.mark();
  const [otherFingerprints, otherIds] = [kernel.allocate(room * 8), words()];
  const n = exports.gatherWindows(table, count, view, fingerprints, ids, docs, positions);
  yield;
  exports.sortFingerprints(fingerprints, ids, otherFingerprints, otherIds, n, kernel.allocate(65_536 * 4));
  kernel.release(sorting);
  const firsts = words();
  const different = exports.groupEqual(fingerprints, n, firsts);
  yield;
  const pairs = distance > 0 ? yield* join(kernel, fingerprints, different, distance) : { address: 0, count: 0 };
  const ofWindows = [firsts, ids, docs, positions] as const;
  const { allPairs } = tuning.seeds;
  const apart = tuning.written.tokens;
  const seeds = yield* withRoom(kernel, seedBytes, n / 2 + 1024, function* (address, seedRoom) {
    const equal = exports.seedEqual(firsts, different, ids, docs, positions, allPairs, apart, address, seedRoom);
    yield;
    return exports.seedPairs(pairs.address, pairs.count, ...ofWindows, apart, address, seedRoom, equal);
  });
  kernel.release(start);
  const address = kernel.allocate(seeds.count * seedBytes);
  kernel.bytes.copyWithin(address, seeds.address, seeds.address + seeds.count * seedBytes);
  return { address, count: seeds.count };
}

/** Pairs { i, j, bits } of n different fingerprints within the distance: 12 bytes each. */
function* join(kernel: Kernel, fingerprints: number, n: number, distance: number): Generator<void, Seeds> {
  const tables = permutedTables(blockCount(n, distance), distance);
  const leftOut = kernel.allocate(64 * 8);
  const buckets = Math.max(4, Math.min(24, Math.ceil(Math.log2(n + 1))));
  const starts = kernel.allocate(((1 << buckets) + 1) * 4);
  const places = kernel.allocate(n * 12);
  const { partners } = tuning.seeds;
  return yield* withRoom(kernel, 12, n / 2 + 1024, function* (address, room) {
    let count = 0;
    for (const table of tables) {
      new BigUint64Array(kernel.memory.buffer, leftOut, table.leftOut.length).set(table.leftOut);
      count = kernel.exports.joinTable(
        ...[fingerprints, n, distance, table.mask, leftOut, table.leftOut.length],
        ...[buckets, starts, places, partners, address, room, count],
      );
      yield;
    }
    return count;
  });
}

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

/** One permuted table: the fingerprints that agree on all bits of the mask are compared. */
export interface PermutedTable {
  readonly mask: bigint;
  /** Masks of the blocks before the last chosen one that are not chosen: a pair that agrees on one is in an earlier table. */
  readonly leftOut: readonly bigint[];
}

/** The masks of the permuted tables for n fingerprints, in their order. */
export function tableMasks(n: number, distance: number): bigint[] {
  return permutedTables(blockCount(n, distance), distance).map(({ mask }) => mask);
}

/**
 * The permuted tables for some blocks of about equal width, not fewer than the distance: C(blocks, blocks − distance) of
 * them, by the blocks they choose. More blocks make longer keys and smaller buckets, but more tables; of as many blocks
 * as the distance none is chosen, and one table compares each fingerprint with each.
 */
export function permutedTables(blocks: number, distance: number): PermutedTable[] {
  const end = (block: number): bigint => BigInt(Math.floor(((block + 1) * 64) / blocks));
  const masks = Array.from({ length: blocks }, (_, block) => (1n << end(block)) - (1n << end(block - 1)));
  const tables: PermutedTable[] = [];
  choose(0, blocks - distance, 0n, []);
  return tables;

  function choose(from: number, left: number, mask: bigint, leftOut: readonly bigint[]): void {
    if (left === 0) tables.push({ mask, leftOut });
    else {
      for (let i = from; i <= blocks - left; i++) {
        choose(i + 1, left - 1, mask | masks[i], [...leftOut, ...masks.slice(from, i)]);
      }
    }
  }
}

/** How many tables a design may have at most. */
const mostTables = 5_000;
/** So many take some milliseconds to compare each with each. */
const fewFingerprints = 4_000;
/** Tables times fingerprints that cost as much as one comparison of two in a bucket: see bench/results. */
const stepsPerFingerprint = 12;

/**
 * The blocks that the 64 bits are cut into, chosen by what comparing n random fingerprints costs: each table takes some
 * steps for every fingerprint, and one for every pair in a bucket.
 */
export function blockCount(n: number, distance: number): number {
  // Few fingerprints take no time either way, and of more tables each finds its own partners.
  let best = distance;
  let least = n < fewFingerprints ? Number.POSITIVE_INFINITY : (n * n) / 2;
  let tables = 1;
  for (let blocks = distance + 1; blocks <= 64; blocks++) {
    tables = (tables * blocks) / (blocks - distance);
    if (tables > mostTables) break;
    const keyBits = (64 * (blocks - distance)) / blocks;
    const cost = tables * (stepsPerFingerprint * n + (n * n) / 2 / 2 ** keyBits);
    if (cost < least) [best, least] = [blocks, cost];
  }
  return best;
}
