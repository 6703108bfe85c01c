/**
 * Windows gathered by another component, such as a database: all windows of some fingerprints, with their documents and
 * first tokens. Produces the same seeds as `findSeeds` does from windows of equal fingerprints, with the same kernel.
 */
import { firstPlace } from '../../collections/lists.ts';
import { seedBitsShift, seedBytes } from '../../kernel/seeds/seedLayout.ts';
import type { Kernel } from '../kernel.ts';
import { writeSeedWindows, type WindowLists } from './seedWindows.ts';
import { tuning } from '../tuning.ts';

/** Windows of one view, sorted by document and first token. Arrays have an item for each window. */
export interface GatheredWindows {
  readonly fingerprints: BigUint64Array;
  /** Document numbers in the order of all documents. */
  readonly documents: Uint32Array;
  /** First tokens. */
  readonly positions: Uint32Array;
}

/** A window's document and first token. */
export interface WindowPlace {
  readonly document: number;
  readonly position: number;
}

/** Windows by fingerprint. Its memory in the kernel is not released. */
export class WindowGroups {
  readonly #kernel: Kernel;
  /** Address of the distinct fingerprints. */
  readonly #fingerprints: number;
  readonly #lists: WindowLists;
  readonly #windows: number;
  /** Number of distinct fingerprints. */
  readonly different: number;

  constructor(kernel: Kernel, gathered: GatheredWindows) {
    const { exports } = kernel;
    const n = (this.#windows = gathered.fingerprints.length);
    this.#kernel = kernel;
    const words = (): number => kernel.allocate(n * 4 + 4);
    this.#fingerprints = kernel.allocate(n * 8);
    const [ids, docs, positions, firsts] = [words(), words(), words(), words()];
    this.#lists = { ids, firsts, docs, positions };
    const mark = kernel.mark();
    const [otherFingerprints, otherIds, counts] = [kernel.allocate(n * 8), words(), kernel.allocate(8_192 * 4)];
    new BigUint64Array(kernel.memory.buffer, this.#fingerprints, n).set(gathered.fingerprints);
    kernel.words.set(gathered.documents, docs >>> 2);
    kernel.words.set(gathered.positions, positions >>> 2);
    for (let i = 0; i < n; i++) kernel.words[(ids >>> 2) + i] = i;
    exports.sortFingerprints(this.#fingerprints, ids, otherFingerprints, otherIds, n, counts);
    kernel.release(mark);
    this.different = exports.groupEqual(this.#fingerprints, n, firsts);
  }

  /** Returns the seeds among windows of equal fingerprints (src/core/kernel/seeds/seedLayout.ts), unsorted. */
  equalSeeds(): Uint32Array {
    const kernel = this.#kernel;
    const mark = kernel.mark();
    for (let room = Math.ceil(this.#windows / 2) + 1024; ;) {
      const address = kernel.allocate(room * seedBytes);
      const count = kernel.exports.seedEqual(writeSeedWindows(kernel, this.#lists, address, room), this.different);
      const seeds = count <= room ? kernel.words.slice(address >>> 2, (address + count * seedBytes) >>> 2) : undefined;
      kernel.release(mark);
      if (seeds) return seeds;
      room = count;
    }
  }

  /** Returns the first window of a fingerprint, or `undefined` if there is none. */
  firstOf(fingerprint: bigint): WindowPlace | undefined {
    const all = new BigUint64Array(this.#kernel.memory.buffer, this.#fingerprints, this.different);
    const place = firstPlace(this.different, (other) => all[other] < fingerprint);
    if (all[place] !== fingerprint) return undefined;
    const { words } = this.#kernel;
    const { ids, firsts, docs, positions } = this.#lists;
    const window = words[(ids >>> 2) + words[(firsts >>> 2) + place]];
    return { document: words[(docs >>> 2) + window], position: words[(positions >>> 2) + window] };
  }
}

/**
 * Returns the seed of the first windows of two near fingerprints as four words, or `undefined` if they are the same
 * text.
 */
export function seedOfNear(x: WindowPlace, y: WindowPlace, bits: number): [number, number, number, number] | undefined {
  const isFirst = x.document < y.document || (x.document === y.document && x.position < y.position);
  const [a, b] = isFirst ? [x, y] : [y, x];
  if (a.document === b.document && b.position - a.position < tuning.written.tokens) return undefined;
  return [a.document, b.document, (a.position | (bits << seedBitsShift)) >>> 0, b.position];
}
