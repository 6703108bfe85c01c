/**
 * An index of the windows of all documents. When documents are added or removed, it finds the pairs of documents whose
 * seeds change. It yields the same seeds as `findSeedsSteps`.
 */
import { proseView, renamedView, writtenView } from '../../kernel/documents/documentLayout.ts';
import * as layout from '../../kernel/seeds/liveTablesLayout.ts';
import { seedBytes } from '../../kernel/seeds/seedLayout.ts';
import type { DocumentIndex } from '../documents/documents.ts';
import type { Blocks, Kernel } from '../kernel.ts';
import { maxPartners } from './nearPairs.ts';
import { equalWindows, LivePhrases, noWindows, type PhraseDocuments, type WindowList } from './livePhrases.ts';
import type { ListedDocuments } from './phrases.ts';
import { type Distances, type Seeds, sortCountBytes, sortingBytes, sortSeeds } from './seeds.ts';
import { constants } from '../constants.ts';
import { slices } from '../steps.ts';

/** Key of two document numbers. Their order does not matter. */
export type PairKey = number;

/** Returns the key of two document numbers. Keys are unique for up to 2^26 documents. */
export function pairKey(x: number, y: number): PairKey {
  return Math.min(x, y) * 0x400_0000 + Math.max(x, y);
}

export function documentsOf(key: PairKey): [number, number] {
  return [Math.floor(key / 0x400_0000), key % 0x400_0000];
}

/**
 * Views of windows: code with its names, code with all names abstracted, and prose. Each view has an index of its own,
 * whose record is described in src/core/kernel/seeds/liveTablesLayout.ts.
 */
const views = [writtenView, renamedView, proseView] as const;
type View = (typeof views)[number];
type ViewTuple<T> = [T, T, T];

/** Documents whose windows are indexed. */
interface LiveDocuments {
  /** Address of an array with the rank of each document, one 32-bit word each. */
  readonly ranks: number;
  /** Omitted if phrases are not indexed. */
  readonly phrases?: PhraseDocuments | undefined;
  /** True if lines are indexed by their patterns. Default: false. */
  readonly hasPatterns?: boolean;
}

/** Patterns are linked whatever the language, so no table of documents is needed. */
const patterns: PhraseDocuments = { feature: 'pattern', table: 0 };

export class LiveSeeds {
  readonly #blocks: Blocks;
  readonly #kernel: Kernel;
  readonly #distances: ViewTuple<number>;
  readonly #records: ViewTuple<number>;
  /** Address of the results of searches, which the indexes share. */
  readonly #search: number;
  /** True if lines are indexed by their phrases, and by their patterns. */
  readonly hasPhrases: boolean;
  readonly hasPatterns: boolean;
  /** Lines by their phrases, if they are indexed, and then by their patterns, if they are indexed. */
  readonly #lines: readonly LivePhrases[];
  #truncated: number;
  readonly #tables: ViewTuple<Block> = [noBlock, noBlock, noBlock];
  /** Scratch memory, which is replaced by a larger block if necessary. */
  #room: Block = noBlock;

  /**
   * @param windows    approximate numbers of windows of code and of prose, which determine the size of the tables
   * @param truncated  number of truncated fingerprints, as `findSeedsSteps` returned it for the documents that will be
   *                   inserted; `replace` updates it
   */
  constructor(
    blocks: Blocks,
    { code, prose }: Distances,
    windows: Distances,
    { ranks, phrases, hasPatterns = false }: LiveDocuments,
    truncated: number,
  ) {
    const { kernel } = blocks;
    this.#blocks = blocks;
    this.#kernel = kernel;
    this.#truncated = truncated;
    this.#distances = [code, code, prose];
    this.#search = blocks.allocate(layout.liveSearchBytes);
    kernel.words.fill(0, this.#search >>> 2, (this.#search + layout.liveSearchBytes) >>> 2);
    const record = (): number => blocks.allocate(layout.liveIndexBytes);
    this.#records = [record(), record(), record()];
    for (const view of views) this.#create(view, view === proseView ? windows.prose : windows.code, ranks);
    this.hasPhrases = phrases !== undefined;
    this.hasPatterns = hasPatterns;
    const features = [...(phrases ? [phrases] : []), ...(hasPatterns ? [patterns] : [])];
    this.#lines = features.map((each) => new LivePhrases(blocks, windows.code, each, ranks, this.#search));
  }

  /** Releases all memory. This object must not be used afterwards. */
  drop(): void {
    const kernel = this.#kernel;
    for (const view of views) {
      kernel.exports.dropLiveIndex(this.#records[view]);
      this.#blocks.free(this.#tables[view].address, this.#tables[view].size);
    }
    for (const record of this.#records) this.#blocks.free(record, layout.liveIndexBytes);
    for (const lines of this.#lines) lines.drop();
    kernel.exports.dropLiveSearch(this.#search);
    this.#blocks.free(this.#search, layout.liveSearchBytes);
    this.#blocks.free(this.#room.address, this.#room.size);
  }

  /** Number of fingerprints with more near ones than may be linked, so that only the nearest are; see `AllSeeds`. */
  get truncated(): number {
    return this.#truncated;
  }

  /**
   * Inserts many documents at once, in steps of a few dozen milliseconds. Precondition: the index is empty, and the
   * rank of each document is its number. If the caller ends the generator early, the index must be dropped.
   *
   * @param table    address of the table of documents
   * @param windows  maximum numbers of windows of code and of prose
   */
  *fillSteps(table: number, count: number, windows: Distances): Generator<void, void> {
    // Fill them first: their scratch memory is then used again for the other indexes.
    for (const lines of this.#lines) yield* lines.fillSteps({ table, count }, windows.code);
    for (const view of views) {
      const room = view === proseView ? windows.prose : windows.code;
      if (room === 0) continue;
      const blocks: Block[] = [];
      try {
        yield* this.#fillGroupsSteps(view, { table, count, room }, (size) => {
          const block = this.#take(size);
          blocks.push(block);
          return block.address;
        });
      } finally {
        for (const { address, size } of blocks) this.#blocks.free(address, size);
      }
      yield* this.#fillTablesSteps(view);
    }
  }

  /**
   * Creates the groups of all windows of a view, sorted by fingerprint.
   *
   * @param allocate  allocates scratch memory
   */
  *#fillGroupsSteps(
    view: View,
    { table, count, room }: ListedDocuments & { readonly room: number },
    allocate: (size: number) => number,
  ): Generator<void, void> {
    const { exports } = this.#kernel;
    const list = (): number => allocate(4 * room + 4);
    const [fingerprints, otherFingerprints] = [allocate(8 * room), allocate(8 * room)];
    const [ids, docs, positions, others] = [list(), list(), list(), list()];
    const n = exports.gatherWindows(table, count, view, fingerprints, ids, docs, positions);
    yield;
    exports.sortFingerprints(fingerprints, ids, otherFingerprints, others, n, allocate(sortCountBytes));
    yield;
    // The second list of window numbers is no longer in use.
    const firsts = others;
    const groups = exports.groupEqual(fingerprints, n, firsts);
    const record = this.#records[view];
    yield* slices(groups, filledAtOnce, (from, to) =>
      exports.fillGroups(record, fingerprints, firsts, ids, docs, positions, from, to),
    );
  }

  *#fillTablesSteps(view: View): Generator<void, void> {
    const { exports, words } = this.#kernel;
    const record = this.#records[view];
    const groups = exports.liveGroups(record) >>> 0;
    const tables = words[(record + layout.liveIndexTableCountAt) >>> 2];
    for (let t = 0; t <= tables; t++) {
      const table = this.#tables[view].address + t * layout.liveTableBytes;
      const buckets = 2 ** this.#kernel.words[(table + layout.liveTableBitsAt) >>> 2];
      yield* slices(groups, filledAtOnce, (from, to) => exports.countEntries(record, t, from, to));
      yield* slices(buckets, filledAtOnce, (from, to) => exports.reserveEntries(record, t, from, to));
      yield* slices(groups, filledAtOnce, (from, to) => exports.placeEntries(record, t, from, to));
    }
  }

  /**
   * @param text  index of the texts to search for, with the distances of the search. If given, only windows near those
   *   of the texts are inserted. Precondition: both indexes have phrases or neither, and likewise patterns
   */
  insert(document: number, index: DocumentIndex, text?: LiveSeeds): void {
    const { exports } = this.#kernel;
    this.#eachView(index, (view, fingerprints) => {
      const { windows, windowStride, windowCount } = index;
      const list = [windows, windowStride, windowCount, fingerprints] as const;
      if (text === undefined) {
        exports.insertWindows(this.#records[view], document, ...list);
        return;
      }
      this.#scratch(12 * windowCount);
      const { address } = this.#room;
      const positions = address + 8 * windowCount;
      const near = exports.windowsNear(text.#records[view], ...list, address, positions) >>> 0;
      exports.insertWindows(this.#records[view], document, positions, 4, near, address);
    });
    for (const [i, lines] of this.#lines.entries()) lines.insert(document, index, text && text.#lines[i]);
  }

  /** Like `replace`, but does not find the pairs that change. Fingerprints of both versions stay in the tables. */
  replaceWindows(document: number, before: DocumentIndex | undefined, after: DocumentIndex | undefined): void {
    for (const view of views) {
      this.#replaceLists(document, { view, from: listOf(before, view), to: listOf(after, view) });
    }
    for (const lines of this.#lines) lines.replaceLines(document, before, after);
  }

  /** Replaces the windows of a document in a view, except for the first ones if they are the same in both lists. */
  #replaceLists(document: number, { view, from, to }: Lists): void {
    const { exports, words } = this.#kernel;
    const record = this.#records[view];
    const same = equalWindows(this.#kernel, from, to);
    const [left, removed] = [from.count - same, from.address + 8 * same];
    if (left > 0) {
      exports.removeWindows(record, document, words[(from.windows + same * from.stride) >>> 2], left, removed);
    }
    exports.insertWindows(
      record,
      document,
      to.windows + same * to.stride,
      to.stride,
      to.count - same,
      to.address + 8 * same,
    );
    exports.dropEmptyGroups(record, left, removed);
  }

  /**
   * Adds, removes, or replaces a document. `before` is `undefined` if the document is new, and `after` if it was
   * removed. Adds the pairs of other documents whose seeds change to `changed`.
   */
  replace(
    document: number,
    before: DocumentIndex | undefined,
    after: DocumentIndex | undefined,
    changed: Set<PairKey>,
  ): void {
    const kernel = this.#kernel;
    const spots = views.map((view) => this.#spot(view, before, after));
    const lineChanges = this.#lines.map((lines) => ({ lines, change: lines.changeOf(before, after) }));
    const seedsElsewhere = (): Uint32Array => {
      this.#clearSeeds();
      for (const { view, changedAt, changedCount, touchedAt, touchedCount } of spots) {
        kernel.exports.seedsWithout(
          this.#records[view],
          document,
          changedAt.address,
          changedCount,
          touchedAt.address,
          touchedCount,
        );
      }
      for (const { lines, change } of lineChanges) lines.seedsWithout(document, change);
      return this.#copyOfSeeds();
    };
    const truncated = (): number => kernel.words[(this.#search + layout.liveSearchTruncatedAt) >>> 2];
    const seedsBefore = seedsElsewhere();
    this.#truncated -= truncated();
    for (const lists of spots) this.#replaceLists(document, lists);
    for (const { lines, change } of lineChanges) lines.replace(document, change);
    differingPairs(seedsBefore, seedsElsewhere(), changed);
    this.#truncated += truncated();
    for (const { changedAt, touchedAt } of spots) {
      this.#blocks.free(changedAt.address, changedAt.size);
      this.#blocks.free(touchedAt.address, touchedAt.size);
    }
    for (const { lines, change } of lineChanges) lines.release(change);
  }

  /**
   * Returns the sorted seeds of two sets of document pairs: all pairs that contain a document of `whole`, and the pairs
   * in `pairs`. The seeds are in the kernel's memory and valid until the next call.
   *
   * @param indexOf  returns the document with a number
   */
  seedsOf(
    whole: ReadonlySet<number>,
    pairs: ReadonlySet<PairKey>,
    indexOf: (document: number) => DocumentIndex,
  ): Seeds {
    const kernel = this.#kernel;
    const found: Uint32Array[] = [];
    const done = new Set<number>();
    for (const document of whole) {
      found.push(keepPairs(this.#seedsWith(document, indexOf(document)), (x, y) => !done.has(x) && !done.has(y)));
      done.add(document);
    }
    const left = new Set([...pairs].filter((key) => documentsOf(key).every((document) => !whole.has(document))));
    while (left.size > 0) {
      const document = mostFrequent(left);
      found.push(keepPairs(this.#seedsWith(document, indexOf(document)), (x, y) => left.has(pairKey(x, y))));
      for (const key of left) if (documentsOf(key).includes(document)) left.delete(key);
    }
    const words = found.reduce((sum, part) => sum + part.length, 0);
    this.#scratch(words * 4);
    const { address } = this.#room;
    let at = address >>> 2;
    for (const part of found) {
      kernel.words.set(part, at);
      at += part.length;
    }
    return { address, count: (words * 4) / seedBytes };
  }

  /**
   * Returns the sorted seeds between a text and the documents in the index; see `seedsOfText` of the kernel. The text
   * is not added. The seeds are in the kernel's memory and valid until the next call.
   *
   * @param document   number that identifies the text; must not be that of a document
   * @param distances  may differ from those of the index
   * @param maxLinks   maximum number of windows to link to each window of the text
   */
  seedsOfText(document: number, index: DocumentIndex, { code, prose }: Distances, maxLinks: number): SeedsOfText {
    const { exports } = this.#kernel;
    this.#clearSeeds();
    let leftOut = 0;
    this.#eachView(index, (view, fingerprints) => {
      const { windows, windowStride, windowCount } = index;
      const list = [windows, windowStride, windowCount, fingerprints] as const;
      const distance = view === proseView ? prose : code;
      leftOut += exports.seedsOfText(this.#records[view], document, ...list, distance, maxLinks) >>> 0;
    });
    for (const lines of this.#lines) lines.seedsOfText(document, index);
    return { seeds: this.#sortedSeeds(), leftOut };
  }

  /**
   * Adjusts the maximum number of partners of a fingerprint to the number of fingerprints. If the maximum has changed,
   * returns true; the seeds of all documents may then have changed.
   */
  fitPartners(): boolean {
    let changed = false;
    for (const view of views) {
      const { words, exports } = this.#kernel;
      const partnersAt = (this.#records[view] + layout.liveIndexPartnersAt) >>> 2;
      const partners = maxPartners(exports.liveFingerprints(this.#records[view]) >>> 0, this.#distances[view]);
      changed ||= partners !== words[partnersAt];
      words[partnersAt] = partners;
    }
    return changed;
  }

  #create(view: View, windows: number, ranks: number): void {
    const kernel = this.#kernel;
    const distance = this.#distances[view];
    const blocks = distance > 0 ? distance + 1 : 0;
    const tables = this.#take((blocks + 1) * layout.liveTableBytes);
    this.#tables[view] = tables;
    const maxBits = Math.ceil(Math.log2(windows + 16));
    for (let t = 0; t <= blocks; t++) {
      const from = t === 0 ? 0 : Math.floor(((t - 1) * 64) / blocks);
      const width = t === 0 ? 64 : Math.floor((t * 64) / blocks) - from;
      const mask = ((1n << BigInt(width)) - 1n) << BigInt(from);
      const record = tables.address + t * layout.liveTableBytes;
      new BigUint64Array(kernel.memory.buffer, record + layout.liveTableMaskAt, 1)[0] = mask;
      // Determine the number of buckets. In the first table, which has complete fingerprints, a bucket has a few
      // fingerprints. In the tables of blocks, each value of a block has its own bucket if there are enough
      // fingerprints.
      const buckets = t === 0 ? Math.max(4, maxBits - 2) : Math.min(width, Math.max(4, Math.min(18, maxBits)));
      kernel.words[(record + layout.liveTableEndAt) >>> 2] = (from + width) % 64;
      kernel.words[(record + layout.liveTableBitsAt) >>> 2] = buckets;
    }
    const index = this.#records[view];
    kernel.words[(index + layout.liveIndexDistanceAt) >>> 2] = distance;
    kernel.words[(index + layout.liveIndexTableCountAt) >>> 2] = blocks;
    kernel.words[(index + layout.liveIndexPartnersAt) >>> 2] = maxPartners(windows, distance);
    kernel.words[(index + layout.liveIndexAllPairsAt) >>> 2] = constants.seeds.allPairs;
    kernel.words[(index + layout.liveIndexApartAt) >>> 2] = constants.written.tokens;
    kernel.words[(index + layout.liveIndexRanksAt) >>> 2] = ranks;
    kernel.words[(index + layout.liveIndexDocumentsAt) >>> 2] = 0;
    kernel.words[(index + layout.liveIndexTablesAt) >>> 2] = tables.address;
    kernel.words[(index + layout.liveIndexSearchAt) >>> 2] = this.#search;
    kernel.exports.createLiveIndex(index);
  }

  /** Returns the fingerprints that a changed document adds to a view or removes from it, and those near them. */
  #spot(view: View, before: DocumentIndex | undefined, after: DocumentIndex | undefined): Spot {
    const kernel = this.#kernel;
    const lists = { view, from: listOf(before, view), to: listOf(after, view) };
    const { from, to } = lists;
    const changedAt = this.#take((from.count + to.count) * 8);
    this.#scratch(changedAt.size);
    const { address } = changedAt;
    const changedCount =
      kernel.exports.changedFingerprints(
        from.address,
        from.count,
        to.address,
        to.count,
        this.#room.address,
        address,
      ) >>> 0;
    let touchedAt = this.#take(Math.max(1024, changedCount * 32));
    for (;;) {
      const room = touchedAt.size >>> 3;
      const record = this.#records[view];
      const touchedCount =
        kernel.exports.touchedFingerprints(record, address, changedCount, touchedAt.address, room) >>> 0;
      if (touchedCount <= room) return { ...lists, changedAt, changedCount, touchedAt, touchedCount };
      this.#blocks.free(touchedAt.address, touchedAt.size);
      touchedAt = this.#take(touchedCount * 8);
    }
  }

  #seedsWith(document: number, index: DocumentIndex): Uint32Array {
    const { exports } = this.#kernel;
    this.#clearSeeds();
    this.#eachView(index, (view, fingerprints) => {
      const { windows, windowStride, windowCount } = index;
      exports.seedsWith(this.#records[view], document, windows, windowStride, windowCount, fingerprints);
    });
    for (const lines of this.#lines) lines.seedsWith(document, index);
    return this.#copyOfSeeds();
  }

  /** Calls back with the fingerprints of a document in each view in which it has some. */
  #eachView(index: DocumentIndex, act: (view: View, fingerprints: number) => void): void {
    for (const view of views) {
      const fingerprints = fingerprintsOf(index, view);
      if (fingerprints !== 0) act(view, fingerprints);
    }
  }

  #clearSeeds(): void {
    const { words } = this.#kernel;
    words[(this.#search + layout.liveSearchSeedCountAt) >>> 2] = 0;
    words[(this.#search + layout.liveSearchTruncatedAt) >>> 2] = 0;
  }

  /** Sorts the seeds that the kernel has written since `#clearSeeds`. */
  #sortedSeeds(): Seeds {
    const { words } = this.#kernel;
    const address = words[(this.#search + layout.liveSearchSeedsAt) >>> 2];
    const count = words[(this.#search + layout.liveSearchSeedCountAt) >>> 2];
    this.#scratch(sortingBytes(count));
    sortSeeds(this.#kernel, { address, count }, this.#room.address);
    return { address, count };
  }

  #copyOfSeeds(): Uint32Array {
    const { address, count } = this.#sortedSeeds();
    return this.#kernel.words.slice(address >>> 2, (address + count * seedBytes) >>> 2);
  }

  /** Increases `#room` to at least the given number of bytes. The old content is lost. */
  #scratch(size: number): void {
    if (size <= this.#room.size) return;
    this.#blocks.free(this.#room.address, this.#room.size);
    this.#room = this.#take(2 * size);
  }

  #take(size: number): Block {
    return { address: this.#blocks.allocate(size), size };
  }
}

/** Number of groups or buckets that `fillSteps` processes in one step. */
const filledAtOnce = 1 << 15;

/** Seeds between a text and indexed documents. */
export interface SeedsOfText {
  readonly seeds: Seeds;
  /** Number of windows of the text that were skipped, because too many windows have their fingerprint. */
  readonly leftOut: number;
}

/** A block of the kernel's memory, which can be released. `size` is the size that was requested. */
interface Block {
  readonly address: number;
  readonly size: number;
}

const noBlock: Block = { address: 0, size: 0 };

/** Windows of both versions of a document in a view. */
interface Lists {
  readonly view: View;
  readonly from: WindowList;
  readonly to: WindowList;
}

interface Spot extends Lists {
  readonly changedAt: Block;
  readonly changedCount: number;
  readonly touchedAt: Block;
  readonly touchedCount: number;
}

const seedWords = seedBytes / 4;

/** Returns the address of a document's fingerprints in a view, or 0 if it has none. */
function fingerprintsOf(index: DocumentIndex, view: View): number {
  if (index.prose !== (view === proseView)) return 0;
  return view === renamedView ? index.renamed : index.written;
}

/** Returns the windows of a document in a view. */
function listOf(index: DocumentIndex | undefined, view: View): WindowList {
  const address = index ? fingerprintsOf(index, view) : 0;
  if (index === undefined || address === 0) return noWindows;
  return { address, count: index.windowCount, windows: index.windows, stride: index.windowStride };
}

/** Compares two sorted lists of seeds. Adds the pairs of documents whose seeds differ to `changed`. */
function differingPairs(before: Uint32Array, after: Uint32Array, changed: Set<PairKey>): void {
  let [x, y] = [0, 0];
  while (x < before.length || y < after.length) {
    const order = x === before.length ? 1 : y === after.length ? -1 : comparePairs(before, x, after, y);
    const [list, at] = order <= 0 ? [before, x] : [after, y];
    const ends = [order <= 0 ? endOfPair(before, x) : x, order >= 0 ? endOfPair(after, y) : y] as const;
    if (order !== 0 || !sameWords(before.subarray(x, ends[0]), after.subarray(y, ends[1]))) {
      changed.add(pairKey(list[at], list[at + 1]));
    }
    [x, y] = ends;
  }
}

function comparePairs(left: Uint32Array, x: number, right: Uint32Array, y: number): number {
  return left[x] - right[y] || left[x + 1] - right[y + 1];
}

function endOfPair(seeds: Uint32Array, start: number): number {
  let end = start + seedWords;
  while (end < seeds.length && seeds[end] === seeds[start] && seeds[end + 1] === seeds[start + 1]) end += seedWords;
  return end;
}

function sameWords(left: Uint32Array, right: Uint32Array): boolean {
  return left.length === right.length && left.every((word, i) => word === right[i]);
}

/** Returns the seeds that connect two documents for which `isKept` returns true. */
function keepPairs(seeds: Uint32Array, isKept: (x: number, y: number) => boolean): Uint32Array {
  const kept = new Uint32Array(seeds.length);
  let length = 0;
  for (let start = 0; start < seeds.length;) {
    const end = endOfPair(seeds, start);
    if (isKept(seeds[start], seeds[start + 1])) {
      kept.set(seeds.subarray(start, end), length);
      length += end - start;
    }
    start = end;
  }
  return kept.subarray(0, length);
}

function mostFrequent(pairs: ReadonlySet<PairKey>): number {
  const counts = new Map<number, number>();
  let best = -1;
  for (const document of [...pairs].flatMap(documentsOf)) {
    const count = (counts.get(document) ?? 0) + 1;
    counts.set(document, count);
    if (count > (counts.get(best) ?? 0)) best = document;
  }
  return best;
}
