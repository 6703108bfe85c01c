/**
 * How much two documents have in common as wholes: exact, over the sets of their shingles (Broder 1997, section 2). The
 * kernel counts; the measures are those of resemblance.ts.
 */
import { hammingDistance } from './bits.ts';
import { readSketch } from './fileSketch.ts';
import type { DocumentIndex } from './indexDocument.ts';
import type { Kernel } from './kernel.ts';
import type { Options } from './options.ts';

export interface FileOverlap {
  /** |A ∩ B| / |A ∪ B|. */
  readonly resemblance: number;
  /** |A ∩ B| / |A| and |A ∩ B| / |B|. */
  readonly containmentOfA: number;
  readonly containmentOfB: number;
  /** Bits that differ between the fingerprints of the documents. */
  readonly distance: number;
}

/** What is known of pairs of documents. It forgets those that nobody holds any more. */
export type KnownOverlaps = WeakMap<DocumentIndex, WeakMap<DocumentIndex, FileOverlap>>;

/** Bytes of a slot of the kernel's table of shingles: a hash and a mark. */
const slotBytes = 9;

/** Compares documents that have sketches. What it allocates is not given back. */
export class FileComparer {
  readonly #kernel: Kernel;
  readonly #options: Options;
  readonly #known: KnownOverlaps;
  readonly #result: number;
  #slots = 0;
  #slotRoom = 0;

  constructor(kernel: Kernel, options: Options, known: KnownOverlaps) {
    this.#kernel = kernel;
    this.#options = options;
    this.#known = known;
    this.#result = kernel.allocate(3 * 4);
  }

  /** Cost: the tokens of both, once for each pair. */
  overlap(a: DocumentIndex, b: DocumentIndex): FileOverlap {
    const known = this.#known.get(a)?.get(b);
    if (known !== undefined) return known;
    const overlap = this.#compare(a, b);
    const ofA = this.#known.get(a);
    if (ofA === undefined) this.#known.set(a, new WeakMap([[b, overlap]]));
    else ofA.set(b, overlap);
    return overlap;
  }

  #compare(a: DocumentIndex, b: DocumentIndex): FileOverlap {
    const kernel = this.#kernel;
    const slots = kernel.exports.intersectionSlots(a.tokenCount + b.tokenCount);
    if (slots > this.#slotRoom) {
      this.#slotRoom = slots;
      this.#slots = kernel.allocate(slots * slotBytes);
    }
    const size = a.prose ? this.#options.prose.shingleSize : this.#options.shingleSize;
    kernel.exports.intersectShingles(
      ...[a.tokens, a.tokenCount, b.tokens, b.tokenCount, size, this.#slots, slots, this.#result],
    );
    const [inA = 0, inB = 0, inBoth = 0] = kernel.words.subarray(this.#result >>> 2, (this.#result >>> 2) + 3);
    return {
      resemblance: inBoth / (inA + inB - inBoth),
      containmentOfA: inBoth / inA,
      containmentOfB: inBoth / inB,
      distance: fileDistance(kernel, a, b),
    };
  }
}

/** The bits that differ between the fingerprints of two documents that have sketches; 64 when one has none. */
export function fileDistance(kernel: Kernel, a: DocumentIndex, b: DocumentIndex): number {
  const [x, y] = [readSketch(kernel, a), readSketch(kernel, b)];
  return x && y ? hammingDistance(x.high, x.low, y.high, y.low) : 64;
}
