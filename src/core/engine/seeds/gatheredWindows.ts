/**
 * Finds seeds among windows that another component provides, such as a database. For each of its fingerprints, the
 * component must provide all windows. The kernel then finds the same seeds as `findSeeds` does for windows with equal
 * fingerprints.
 */
import { firstPlace } from '../../collections/lists.ts';
import { seedBitsShift, seedBytes } from '../../kernel/seeds/seedLayout.ts';
import type { Kernel } from '../kernel.ts';
import { writeSeedWindows, type WindowLists } from './seedWindows.ts';
import { tuning } from '../tuning.ts';

/** Windows of one view, sorted by fingerprint, document, and first token. Arrays have one item for each window. */
export interface GatheredWindows {
  readonly fingerprints: BigUint64Array;
  /** Document numbers in the order of all documents. */
  readonly documents: Uint32Array;
  /** First token of each window. */
  readonly positions: Uint32Array;
}

/** Position of a window: its document and first token. */
export interface WindowPlace {
  readonly document: number;
  readonly position: number;
}

/** Windows grouped by fingerprint. Its kernel memory is not released. */
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

  /** Returns the seeds between windows with equal fingerprints, unsorted (src/core/kernel/seeds/seedLayout.ts). */
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

  /** Returns the position of the first window with a fingerprint, or `undefined` if there is none. */
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
 * Returns the seed of two windows with near fingerprints as four words. Returns `undefined` if the windows are the same
 * text.
 */
export function seedOfNear(x: WindowPlace, y: WindowPlace, bits: number): [number, number, number, number] | undefined {
  const isFirst = x.document < y.document || (x.document === y.document && x.position < y.position);
  const [a, b] = isFirst ? [x, y] : [y, x];
  if (a.document === b.document && b.position - a.position < tuning.written.tokens) return undefined;
  return [a.document, b.document, (a.position | (bits << seedBitsShift)) >>> 0, b.position];
}
