/**
 * An index of the lines of all documents by their phrases or patterns (phrases.ts). `LiveSeeds` has one of phrases if
 * there are functions in several languages, and one of patterns if its maximum distance is great. Its record is that of
 * a live index (src/core/kernel/seeds/liveTables.ts), with a single table.
 */
import { minPhraseBuckets } from '../../kernel/seeds/livePhrasesLayout.ts';
import * as layout from '../../kernel/seeds/liveTablesLayout.ts';
import { constants } from '../constants.ts';
import type { DocumentIndex } from '../documents/documents.ts';
import type { Blocks, Kernel } from '../kernel.ts';
import { familyOf } from '../languages/languageHash.ts';
import { slices } from '../steps.ts';
import {
  filterPhrases,
  gatherPhrasesSteps,
  hasPhrases,
  type LineFeature,
  type ListedDocuments,
  type PhraseFilter,
} from './phrases.ts';

/** Documents whose phrases or patterns are indexed. */
export interface PhraseDocuments {
  /** Default: phrases. */
  readonly feature?: LineFeature;
  /** Address of the table of documents, from which the kernel reads the languages of phrases. 0 for patterns. */
  readonly table: number;
  /** Selects the phrases that are indexed. Default: all. */
  readonly isLinked?: PhraseFilter;
}

/** Windows of a document: addresses of their fingerprints or phrases, and of their first tokens. */
export interface WindowList {
  readonly address: number;
  readonly count: number;
  readonly windows: number;
  /** Distance in bytes between the first tokens of consecutive windows. */
  readonly stride: number;
}

export const noWindows: WindowList = { address: 0, count: 0, windows: 0, stride: 0 };

/** Phrases in a block of `size` bytes. */
interface PhraseBlock {
  readonly address: number;
  readonly count: number;
  readonly size: number;
}

/** Lines of a document that have a phrase. Their first tokens follow their phrases. */
interface LineBlock extends PhraseBlock, WindowList {}

const noLines: LineBlock = { address: 0, count: 0, windows: 0, stride: 4, size: 0 };

/** The lines of both versions of a document, and the distinct phrases that were added or removed. */
export interface PhraseChange {
  readonly from: LineBlock;
  readonly to: LineBlock;
  readonly changed: PhraseBlock;
}

/** Binary logarithm of the approximate number of lines in a bucket. */
const lineBits = 4;
/** Number of lines or buckets that `fillSteps` processes in one step. */
const filledAtOnce = 1 << 15;

export class LivePhrases {
  readonly #blocks: Blocks;
  readonly #kernel: Kernel;
  readonly #record: number;
  readonly #table: number;
  readonly #bucketBits: number;
  readonly #feature: LineFeature;
  readonly #isLinked: PhraseFilter | undefined;

  /**
   * @param lines   approximate number of lines, which determines the size of the table
   * @param ranks   address of an array with the rank of each document, one 32-bit word each
   * @param search  address of the results of searches
   */
  constructor(blocks: Blocks, lines: number, documents: PhraseDocuments, ranks: number, search: number) {
    const { feature = 'phrase', table, isLinked } = documents;
    const { kernel } = blocks;
    this.#blocks = blocks;
    this.#kernel = kernel;
    this.#feature = feature;
    this.#isLinked = isLinked;
    this.#record = blocks.allocate(layout.liveIndexBytes);
    this.#table = blocks.allocate(layout.liveTableBytes);
    this.#bucketBits = Math.max(minPhraseBuckets, Math.ceil(Math.log2(lines + 1)) - lineBits);
    const { words } = kernel;
    words.fill(0, this.#record >>> 2, (this.#record + layout.liveIndexBytes) >>> 2);
    words[(this.#table + layout.liveTableBitsAt) >>> 2] = this.#bucketBits;
    words[(this.#record + layout.liveIndexApartAt) >>> 2] = constants.written.tokens;
    words[(this.#record + layout.liveIndexRanksAt) >>> 2] = ranks;
    words[(this.#record + layout.liveIndexDocumentsAt) >>> 2] = table;
    words[(this.#record + layout.liveIndexTablesAt) >>> 2] = this.#table;
    words[(this.#record + layout.liveIndexSearchAt) >>> 2] = search;
    kernel.exports.createLiveIndex(this.#record);
  }

  /** Releases all memory. This object must not be used afterwards. */
  drop(): void {
    this.#kernel.exports.dropLiveIndex(this.#record);
    this.#blocks.free(this.#record, layout.liveIndexBytes);
    this.#blocks.free(this.#table, layout.liveTableBytes);
  }

  /**
   * Inserts the lines of many documents at once, as `LiveSeeds.fillSteps`.
   *
   * @param room  maximum number of lines
   */
  *fillSteps(listed: ListedDocuments, room: number): Generator<void, void> {
    const kernel = this.#kernel;
    const { exports } = kernel;
    const blocks: (readonly [address: number, size: number])[] = [];
    const allocate = (size: number): number => {
      const address = this.#blocks.allocate(size);
      blocks.push([address, size]);
      return address;
    };
    try {
      const fingerprints = allocate(8 * room);
      const [ids, docs, positions] = [allocate(4 * room), allocate(4 * room), allocate(4 * room)];
      const lists = { fingerprints, ids, docs, positions };
      const n = yield* gatherPhrasesSteps(kernel, listed, lists, allocate, { feature: this.#feature });
      const record = this.#record;
      yield* slices(n, filledAtOnce, (from, to) => exports.countLines(record, fingerprints, from, to));
      yield* slices(2 ** this.#bucketBits, filledAtOnce, (from, to) => exports.reserveLines(record, from, to));
      yield* slices(n, filledAtOnce, (from, to) => exports.placeLines(record, fingerprints, docs, positions, from, to));
    } finally {
      for (const [address, size] of blocks) this.#blocks.free(address, size);
    }
  }

  /** @param text  if given, only lines with the phrase of a line in it are inserted */
  insert(document: number, index: DocumentIndex, text?: LivePhrases): void {
    const { exports } = this.#kernel;
    this.#withLines(index, ({ address, count, windows }) => {
      const inserted = text === undefined ? count : exports.keepLinesIn(text.#record, address, windows, count) >>> 0;
      exports.insertLines(this.#record, document, address, windows, inserted);
    });
  }

  /** Returns the change of a document. The caller must release it. */
  changeOf(before: DocumentIndex | undefined, after: DocumentIndex | undefined): PhraseChange {
    const [from, to] = [this.#linesOf(before), this.#linesOf(after)];
    return { from, to, changed: this.#difference(from, to) };
  }

  /** Returns the distinct phrases whose number of lines differs. The caller must release their block. */
  #difference(from: Omit<PhraseBlock, 'size'>, to: Omit<PhraseBlock, 'size'>): PhraseBlock {
    const kernel = this.#kernel;
    const size = 8 * (from.count + to.count);
    const [address, scratch] = [this.#blocks.allocate(size), this.#blocks.allocate(size)];
    const count =
      kernel.exports.changedFingerprints(from.address, from.count, to.address, to.count, scratch, address) >>> 0;
    this.#blocks.free(scratch, size);
    return { address, count, size };
  }

  release({ from, to, changed }: PhraseChange): void {
    for (const { address, size } of [changed, from, to]) this.#blocks.free(address, size);
  }

  /** Replaces the lines of a document. */
  replaceLines(document: number, before: DocumentIndex | undefined, after: DocumentIndex | undefined): void {
    const change = this.changeOf(before, after);
    this.replace(document, change);
    this.release(change);
  }

  /** Applies a change to the lines of a document, except for the first ones if they are the same in both versions. */
  replace(document: number, { from, to }: PhraseChange): void {
    const { exports, words } = this.#kernel;
    const same = equalWindows(this.#kernel, from, to);
    if (from.count > same) {
      const position = words[(from.windows + same * from.stride) >>> 2];
      const removed = this.#difference({ address: from.address + 8 * same, count: from.count - same }, noWindows);
      exports.removeLines(this.#record, document, position, removed.count, removed.address);
      this.#blocks.free(removed.address, removed.size);
    }
    const { address, count, windows, stride } = to;
    exports.insertLines(this.#record, document, address + 8 * same, windows + same * stride, count - same);
  }

  /** Adds all seeds that have a line in a document to the results. */
  seedsWith(document: number, index: DocumentIndex): void {
    this.#withLines(index, ({ address, count, windows }) =>
      this.#kernel.exports.phraseSeedsWith(this.#record, document, address, windows, count),
    );
  }

  /** Adds the seeds without a line in a document that its change may affect to the results. */
  seedsWithout(document: number, { changed }: PhraseChange): void {
    this.#kernel.exports.phraseSeedsWithout(this.#record, document, changed.address, changed.count);
  }

  /** Adds the seeds of a text to the results; see `phraseSeedsOfText` of the kernel. */
  seedsOfText(document: number, index: DocumentIndex): void {
    const family = familyOf(index.languageHash);
    this.#withLines(index, ({ address, count, windows }) =>
      this.#kernel.exports.phraseSeedsOfText(this.#record, document, family, address, windows, count),
    );
  }

  /** Calls back with the lines of a document if it has any. Their block is valid during the call. */
  #withLines(index: DocumentIndex, act: (lines: LineBlock) => void): void {
    const lines = this.#linesOf(index);
    if (lines.count > 0) act(lines);
    this.#blocks.free(lines.address, lines.size);
  }

  /** Returns the lines of a document that have a phrase. The caller must release their block. */
  #linesOf(index: DocumentIndex | undefined): LineBlock {
    if (index === undefined || !hasPhrases(index)) return noLines;
    const { tokens, tokenCount, windows, windowStride, windowCount } = index;
    const { exports } = this.#kernel;
    const size = 12 * windowCount;
    const address = this.#blocks.allocate(size);
    const write = this.#feature === 'phrase' ? exports.writePhrases : exports.writePatterns;
    write(tokens, tokenCount, windows, windowStride, windowCount, address);
    if (this.#isLinked) filterPhrases(this.#kernel, address, windowCount, this.#isLinked);
    const positions = address + 8 * windowCount;
    const count = exports.listLines(address, windows, windowStride, windowCount, positions) >>> 0;
    return { address, count, windows: positions, stride: 4, size };
  }
}

/** Returns the number of windows that two lists have in common at their beginning. */
export function equalWindows(kernel: Kernel, x: WindowList, y: WindowList): number {
  const count = Math.min(x.count, y.count);
  return kernel.exports.equalWindows(x.windows, x.stride, x.address, y.windows, y.stride, y.address, count);
}
