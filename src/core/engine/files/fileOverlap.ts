/**
 * Exact overlap of two whole documents, as sets of shingles (Broder 1997, section 2). The kernel counts the shingles;
 * resemblance.ts defines the measures.
 */
import { hammingDistance } from '../../methods/bits.ts';
import { readSketch } from '../documents/fileSketch.ts';
import { slotBytes } from '../../kernel/files/shingleSetLayout.ts';
import type { DocumentIndex } from '../documents/documents.ts';
import type { Blocks, Kernel } from '../kernel.ts';
import type { Options } from '../options.ts';
import { Pace } from '../steps.ts';
import { constants } from '../constants.ts';

export interface FileOverlap {
  /** Size of the intersection divided by size of the union: |A ∩ B| / |A ∪ B|. */
  readonly resemblance: number;
  /** Shares of A in B, |A ∩ B| / |A|, and of B in A, |A ∩ B| / |B|. */
  readonly containmentOfA: number;
  readonly containmentOfB: number;
  /** Number of differing bits of the documents' fingerprints. */
  readonly distance: number;
}

/** Numbers of distinct shingles: in both documents, in a, and in b. */
export type ShingleCounts = readonly [inBoth: number, inA: number, inB: number];

/** Size in words of a stored comparison of two files: the numbers of both documents, and their shingle counts. */
export const storedOverlapWords = 5;

/** Results of earlier comparisons of whole documents. */
export class KnownOverlaps {
  /** For each document, the documents with which it was compared. Each pair is in the maps of both documents. */
  readonly #of = new WeakMap<DocumentIndex, Map<DocumentIndex, ShingleCounts>>();

  get(a: DocumentIndex, b: DocumentIndex): ShingleCounts | undefined {
    return this.#of.get(a)?.get(b);
  }

  set(a: DocumentIndex, b: DocumentIndex, [inBoth, inA, inB]: ShingleCounts): void {
    this.#add(a, b, [inBoth, inA, inB]);
    this.#add(b, a, [inBoth, inB, inA]);
  }

  #add(a: DocumentIndex, b: DocumentIndex, counts: ShingleCounts): void {
    const ofA = this.#of.get(a);
    if (ofA) ofA.set(b, counts);
    else this.#of.set(a, new Map([[b, counts]]));
  }

  /** Removes the comparisons of a document that is no longer used. */
  forget(document: DocumentIndex): void {
    for (const other of this.#of.get(document)?.keys() ?? []) this.#of.get(other)?.delete(document);
    this.#of.delete(document);
  }

  /** Returns the comparisons between the given documents, `storedOverlapWords` each. */
  among(documents: readonly (DocumentIndex | undefined)[]): Uint32Array {
    const numbers = new Map(documents.map((document, number) => [document, number]));
    const words: number[] = [];
    for (const [a, document] of documents.entries()) {
      for (const [other, counts] of (document && this.#of.get(document)) ?? []) {
        const b = numbers.get(other);
        if (b !== undefined && a < b) words.push(a, b, ...counts);
      }
    }
    return Uint32Array.from(words);
  }
}

/** Compares whole documents. Precondition: both have sketches. */
export class FileComparer {
  /** Counts the work of comparisons, for callers that run in steps. */
  readonly pace = new Pace();
  readonly #kernel: Kernel;
  readonly #options: Options;
  readonly #knownOverlaps: KnownOverlaps;
  /** Shingles of the document compared last. Reused as long as the following pairs contain this document, too. */
  readonly #kept: ShingleSet = { document: undefined, slots: 0, slotCount: 0, room: 0 };
  /** Shingles of the other document of a pair, to count the distinct ones. */
  readonly #other: ShingleSet = { document: undefined, slots: 0, slotCount: 0, room: 0 };
  readonly #different = new Map<DocumentIndex, number>();
  readonly #blocks: Blocks | undefined;
  readonly #load: ((document: DocumentIndex) => void) | undefined;
  #stamp = 0;

  /**
   * @param blocks  if given, shingle sets are allocated there, and `drop` releases them; otherwise in the arena
   * @param load    loads the tokens of a document, if they may not be in memory
   */
  constructor(
    kernel: Kernel,
    options: Options,
    knownOverlaps: KnownOverlaps,
    blocks: Blocks | undefined,
    load?: (document: DocumentIndex) => void,
  ) {
    this.#kernel = kernel;
    this.#options = options;
    this.#knownOverlaps = knownOverlaps;
    this.#blocks = blocks;
    this.#load = load;
  }

  /** Releases the blocks. This object must not be used afterwards. */
  drop(): void {
    for (const { slots, room } of [this.#kept, this.#other]) this.#blocks?.free(slots, room * slotBytes);
  }

  /**
   * Returns the overlap of two documents. The cost is proportional to the number of tokens in both. If consecutive
   * pairs share a document, its shingles are computed once, so callers should group pairs by document.
   */
  overlap(a: DocumentIndex, b: DocumentIndex): FileOverlap {
    let counts = this.#knownOverlaps.get(a, b);
    if (counts === undefined) this.#knownOverlaps.set(a, b, (counts = this.#compare(a, b)));
    const [inBoth, inA, inB] = counts;
    return {
      resemblance: inBoth / (inA + inB - inBoth),
      containmentOfA: inBoth / inA,
      containmentOfB: inBoth / inB,
      distance: fileDistance(this.#kernel, a, b),
    };
  }

  /** Returns true if two documents are similar by the thresholds in `constants.files`. */
  areAlike(a: DocumentIndex, b: DocumentIndex): boolean {
    const { minResemblance, maxDistance } = constants.files[this.#options.method];
    if (maxDistance < 64 && fileDistance(this.#kernel, a, b) > maxDistance) return false;
    return minResemblance === 0 || this.overlap(a, b).resemblance >= minResemblance;
  }

  #compare(a: DocumentIndex, b: DocumentIndex): ShingleCounts {
    const kept = this.#kept;
    if (kept.document !== a && kept.document !== b) this.#gather(a.tokenCount > b.tokenCount ? a : b, kept);
    const other = kept.document === a ? b : a;
    if (!this.#different.has(other)) this.#gather(other, this.#other);
    this.pace.count(unitsOfComparing + other.tokenCount / 128);
    this.#load?.(other);
    const inBoth = this.#kernel.exports.sharedShingles(
      other.tokens,
      other.tokenCount,
      this.#sizeOf(other),
      kept.slots,
      kept.slotCount,
      ++this.#stamp,
    );
    return [inBoth, this.#different.get(a)!, this.#different.get(b)!];
  }

  #gather(document: DocumentIndex, set: ShingleSet): void {
    const kernel = this.#kernel;
    set.document = document;
    set.slotCount = kernel.exports.shingleSlots(document.tokenCount);
    if (set.slotCount > set.room) {
      this.#blocks?.free(set.slots, set.room * slotBytes);
      const size = set.slotCount * slotBytes;
      set.slots = this.#blocks ? this.#blocks.allocate(size) : kernel.allocate(size);
      set.room = set.slotCount;
    }
    this.pace.count(unitsOfGathering + document.tokenCount / 32);
    this.#load?.(document);
    const { tokens, tokenCount } = document;
    const size = this.#sizeOf(document);
    this.#different.set(document, kernel.exports.gatherShingles(tokens, tokenCount, size, set.slots, set.slotCount));
  }

  #sizeOf({ prose }: DocumentIndex): number {
    return prose ? this.#options.prose.shingleSize : this.#options.shingleSize;
  }
}

/** Fixed cost of collecting the shingles of a document, in addition to the cost per token. */
const unitsOfGathering = 5;
const unitsOfComparing = 5;

/** A document's shingles in the kernel's memory: address, number of slots, and capacity. */
interface ShingleSet {
  document: DocumentIndex | undefined;
  slots: number;
  slotCount: number;
  room: number;
}

/** Returns the number of differing bits of two documents' fingerprints; 64 if one has no sketch. */
function fileDistance(kernel: Kernel, a: DocumentIndex, b: DocumentIndex): number {
  const [x, y] = [readSketch(kernel, a), readSketch(kernel, b)];
  return x && y ? hammingDistance(x.high, x.low, y.high, y.low) : 64;
}
