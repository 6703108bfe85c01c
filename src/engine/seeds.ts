/**
 * Seeds: pairs of windows whose fingerprints are within k bits. The index is made of permuted tables (Manku, Jain,
 * Das Sarma 2007, section 3), so every such pair is found; equal fingerprints are grouped first, and only different
 * ones are joined.
 */
import type { DocumentIndex } from './indexDocument.ts';
import type { Kernel } from './kernel.ts';
import { tuning } from './tuning.ts';

/** Bytes of a document's record in the table that the kernel reads, and of a seed. */
export const documentBytes = 32;
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
  const flags = (family << 1) | (prose ? 1 : 0);
  const record = [tokens, tokenCount, flags, windows, windowStride, windowCount, written, renamed];
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
  { code, prose }: Distances,
): Seeds {
  const windows = (ofProse: boolean): number =>
    documents.reduce((sum, d) => sum + (d.prose === ofProse ? d.windowCount : 0), 0);
  const common = { count: documents.length, table };
  const found = [code, code, prose].map((distance, view) =>
    seedsOfView(kernel, { ...common, windows: windows(view === 2) }, distance, view),
  );
  const count = found.reduce((sum, seeds) => sum + seeds.count, 0);
  const address = kernel.allocate(count * seedBytes + 16);
  const other = kernel.allocate(count * seedBytes + 16);
  let at = address;
  for (const seeds of found) {
    kernel.bytes.copyWithin(at, seeds.address, seeds.address + seeds.count * seedBytes);
    at += seeds.count * seedBytes;
  }
  kernel.exports.sortSeeds(address, other, count, kernel.allocate(2048 * 4));
  return { address, count };
}

function seedsOfView(
  kernel: Kernel,
  all: { count: number; table: number; windows: number },
  distance: number,
  view: number,
): Seeds {
  const room = all.windows;
  const { exports } = kernel;
  const [fingerprints, otherFingerprints] = [kernel.allocate(room * 8 + 16), kernel.allocate(room * 8 + 16)] as const;
  const [ids, otherIds, docs, positions] = [0, 0, 0, 0].map(() => kernel.allocate(room * 4 + 16)) as [
    number,
    number,
    number,
    number,
  ];
  const firsts = kernel.allocate(room * 4 + 16);
  const n = exports.gatherWindows(all.table, all.count, view, fingerprints, ids, docs, positions);
  exports.sortFingerprints(fingerprints, ids, otherFingerprints, otherIds, n, kernel.allocate(65_536 * 4));
  const different = exports.groupEqual(fingerprints, n, firsts);
  const pairs = distance > 0 ? join(kernel, fingerprints, different, distance) : { address: 0, count: 0 };
  const apart = tuning.written.tokens;
  let seedRoom = 4 * n + pairs.count + 1024;
  for (;;) {
    const address = kernel.allocate(seedRoom * seedBytes);
    let count = exports.seedEqual(
      firsts,
      different,
      ids,
      docs,
      positions,
      tuning.seeds.allPairs,
      apart,
      address,
      seedRoom,
    );
    count = exports.seedPairs(
      pairs.address,
      pairs.count,
      firsts,
      ids,
      docs,
      positions,
      apart,
      address,
      seedRoom,
      count,
    );
    if (count <= seedRoom) return { address, count };
    seedRoom = count;
  }
}

/** Pairs { i, j, bits } of n different fingerprints within the distance: 12 bytes each. */
function join(kernel: Kernel, fingerprints: number, n: number, distance: number): Seeds {
  const masks = tableMasks(n, distance);
  const earlier = kernel.allocate(masks.length * 8);
  masks.forEach((mask, i) => new BigUint64Array(kernel.memory.buffer, earlier + 8 * i, 1).set([mask]));
  const buckets = Math.max(4, Math.min(24, Math.ceil(Math.log2(n + 1))));
  const starts = kernel.allocate(((1 << buckets) + 1) * 4);
  const places = kernel.allocate(n * 4 + 16);
  let room = n + 1024;
  for (;;) {
    const address = kernel.allocate(room * 12);
    let count = 0;
    masks.forEach((mask, i) => {
      count = kernel.exports.joinTable(
        fingerprints,
        n,
        distance,
        mask,
        earlier,
        i,
        buckets,
        starts,
        places,
        tuning.seeds.partners,
        address,
        room,
        count,
      );
    });
    if (count <= room) return { address, count };
    room = count;
  }
}

/**
 * The permuted tables for n fingerprints: a mask of the bits that each compares. With m blocks there are
 * C(m, m − k) tables; more blocks make longer keys and smaller buckets, but more tables.
 */
export function tableMasks(n: number, distance: number): bigint[] {
  const blocks = blockCount(n, distance);
  const widths = Array.from(
    { length: blocks },
    (_, i) => Math.floor(((i + 1) * 64) / blocks) - Math.floor((i * 64) / blocks),
  );
  const masks: bigint[] = [];
  let at = 0n;
  const blockMasks = widths.map((width) => {
    const mask = ((1n << BigInt(width)) - 1n) << at;
    at += BigInt(width);
    return mask;
  });
  choose(0, blocks - distance, 0n);
  return masks;

  function choose(from: number, left: number, mask: bigint): void {
    if (left === 0) masks.push(mask);
    else for (let i = from; i <= blocks - left; i++) choose(i + 1, left - 1, mask | blockMasks[i]);
  }
}

/**
 * The blocks that the 64 bits are cut into. One more than the distance makes fewest tables; another one is worth it when
 * buckets would hold more than some hundred fingerprints each.
 */
export function blockCount(n: number, distance: number): number {
  const keyBits = (blocks: number): number => (64 * (blocks - distance)) / blocks;
  let blocks = distance + 1;
  while (blocks < distance + 3 && n / 2 ** keyBits(blocks) > 64 && blocks < 12) blocks++;
  return blocks;
}
