/**
 * Finds documents that may contain other documents, by samples of their shingles (MOD_m of Broder 1997, section 2,
 * whose intersection estimates containment). The smallest hashes of a document's sample are its probes. If at least
 * half of them are in the sample of another document, that document may contain this one.
 *
 *   sample of A   ● ● ● ● ● ● ● ● ● ●       probes: the first 8, by value
 *   sample of B   ○ ● ● ○ ● ● ○ ● ● ● ○ ●   has 7 of them
 */
import { mix32 } from '../../methods/bits.ts';
import { type FileSketch, sampleAddress } from '../documents/fileSketch.ts';
import type { DocumentIndex } from '../documents/documents.ts';
import type { Kernel } from '../kernel.ts';
import { Pace } from '../steps.ts';
import { constants } from '../constants.ts';

/** A document whose sample has some of another document's probes, and the number of these probes. */
export interface ProbeHits<Document> {
  readonly document: Document;
  readonly hits: number;
}

/** Returns true if document A may contain document B. `hits` is the number of B's probes in A's sample. */
export function mayContain(hits: number, probes: readonly number[]): boolean {
  return 2 * hits >= probes.length;
}

/** Selects the containers with the most hits, for a full comparison. Ties are resolved by order. */
export function likeliest<Document>(
  found: Iterable<ProbeHits<Document>>,
  compare: (x: Document, y: Document) => number,
): Document[] {
  return [...found]
    .sort((x, y) => y.hits - x.hits || compare(x.document, y.document))
    .slice(0, constants.files.containment.containersTried)
    .map(({ document }) => document);
}

/** Returns the probes of a document, which are the smallest hashes of its sample. */
export function probesOf({ sample }: FileSketch): number[] {
  return smallestOf(sample, constants.files.containment.probes);
}

/** For each document, returns the indices of the documents that may contain it, most likely first. */
export function* containmentCandidatesSteps(sketches: readonly FileSketch[]): Generator<void, number[][]> {
  const pace = new Pace();
  const probes: (readonly number[])[] = [];
  for (const sketch of sketches) {
    probes.push(probesOf(sketch));
    if (pace.endsStep(sketch.sample.length / 64)) yield;
  }
  const owners = new Owners(probes, constants.files.containment.commonProbe);
  /** For each document, the number of its probes that the current sample contains. */
  const hits = new Uint8Array(sketches.length);
  const found: ProbeHits<number>[][] = sketches.map(() => []);
  for (const [candidate, { sample }] of sketches.entries()) {
    if (pace.endsStep(sample.length / 64)) yield;
    const touched: number[] = [];
    for (let i = 0; i < sample.length; i++) {
      const probe = owners.lookUp(sample[i], candidate);
      if (probe < 0) continue;
      for (let at = owners.starts[probe]; at < owners.starts[probe + 1]; at++) {
        const owner = owners.owners[at];
        if (owner === candidate) continue;
        if (hits[owner] === 0) touched.push(owner);
        hits[owner]++;
      }
    }
    for (const owner of touched) {
      if (mayContain(hits[owner], probes[owner])) found[owner].push({ document: candidate, hits: hits[owner] });
      hits[owner] = 0;
    }
  }
  return found.map((list) => likeliest(list, (x, y) => x - y));
}

/** List of the samples of documents, in which the kernel searches for probes. */
export class SampleList {
  /** Address and number of hashes of each sample, as pairs. */
  #samples = new Uint32Array(2 * 64);
  readonly #numbers: number[] = [];
  readonly #places = new Map<number, number>();

  /** Adds a document that has a sketch. Its number must not be in the list. */
  add(number: number, index: DocumentIndex): void {
    const place = this.#numbers.push(number) - 1;
    this.#places.set(number, place);
    if (2 * place === this.#samples.length) {
      const larger = new Uint32Array(4 * place);
      larger.set(this.#samples);
      this.#samples = larger;
    }
    this.#samples.set([sampleAddress(index), index.sketchSample], 2 * place);
  }

  /** Removes a document. The last entry of the list takes its place. */
  delete(number: number): void {
    const place = this.#places.get(number);
    const last = this.#numbers.pop();
    if (place === undefined || last === undefined) throw new Error(`Document ${number} has no sample in the list.`);
    this.#places.delete(number);
    if (last === number) return;
    this.#numbers[place] = last;
    this.#places.set(last, place);
    this.#samples.copyWithin(2 * place, 2 * this.#numbers.length, 2 * this.#numbers.length + 2);
  }

  /** Returns the number of the document at an index of the list. */
  ownerOf(place: number): number {
    return this.#numbers[place];
  }

  /**
   * Finds the samples that contain any of the given probes. Returns a pair { index in this list, index of the probe }
   * for each hit, sorted by the index in this list.
   *
   * @param probes  ascending, distinct, not empty
   */
  find(kernel: Kernel, probes: Uint32Array): Uint32Array {
    const mark = kernel.mark();
    const count = this.#numbers.length;
    const samples = kernel.allocate(8 * count);
    kernel.words.set(this.#samples.subarray(0, 2 * count), samples >>> 2);
    const probesAddress = kernel.allocate(4 * probes.length);
    kernel.words.set(probes, probesAddress >>> 2);
    const scratch = kernel.allocate(kernel.exports.probeScratchBytes(probes.length));
    for (let room = 4_096; ;) {
      const found = kernel.allocate(8 * room);
      const hits = kernel.exports.findProbes(samples, count, probesAddress, probes.length, scratch, found, room) >>> 0;
      if (hits <= room) {
        const pairs = kernel.words.slice(found >>> 2, (found >>> 2) + 2 * hits);
        kernel.release(mark);
        return pairs;
      }
      room = hits;
    }
  }
}

/** Returns the smallest distinct numbers of a list, at most `limit` of them, ascending. */
function smallestOf(numbers: Uint32Array, limit: number): number[] {
  const smallest: number[] = [];
  for (let i = 0; i < numbers.length; i++) {
    const number = numbers[i];
    if (smallest.length === limit && number >= smallest[limit - 1]) continue;
    let at = smallest.length;
    while (at > 0 && smallest[at - 1] > number) at--;
    if (smallest[at - 1] === number) continue;
    smallest.splice(at, 0, number);
    if (smallest.length > limit) smallest.pop();
  }
  return smallest;
}

/**
 * Maps each probe to the documents that have it. A hash table with linear probing. Most hashes of a sample are not
 * probes; a small bit set rules them out before the table is read.
 */
class Owners {
  /** The documents of probe p are `owners[starts[p]]` to `owners[starts[p + 1]]`, ascending. */
  readonly starts: Uint32Array;
  readonly owners: Uint32Array;
  readonly #filter: Uint32Array;
  readonly #slotMask: number;
  readonly #probes: Uint32Array;
  /** For each slot of the table, the number of its probe, or −1 if the slot is empty. */
  readonly #numbers: Int32Array;
  /**
   * For each probe, the last document for which `lookUp` was called. This prevents a hash from being counted twice if a
   * sample contains it more than once.
   */
  readonly #lastDocument: Int32Array;

  /** @param maxDocuments  if more documents than this have a probe, the probe says little and is ignored */
  constructor(probes: readonly (readonly number[])[], maxDocuments: number) {
    const all = probes.reduce((sum, list) => sum + list.length, 0);
    const slots = 2 ** Math.ceil(Math.log2(2 * all + 2));
    this.#slotMask = slots - 1;
    this.#probes = new Uint32Array(slots);
    this.#numbers = new Int32Array(slots).fill(-1);
    this.#filter = new Uint32Array(slots >>> 1);
    const counts = new Uint32Array(all);
    let count = 0;
    for (const list of probes) {
      for (const probe of list) {
        const slot = this.#slotOf(probe);
        if (this.#numbers[slot] < 0) {
          this.#probes[slot] = probe;
          this.#numbers[slot] = count++;
        }
        counts[this.#numbers[slot]]++;
      }
    }
    this.#lastDocument = new Int32Array(count).fill(-1);
    this.starts = new Uint32Array(count + 1);
    for (let probe = 0; probe < count; probe++) {
      this.starts[probe + 1] = this.starts[probe] + (counts[probe] <= maxDocuments ? counts[probe] : 0);
    }
    this.owners = new Uint32Array(this.starts[count]);
    const ends = this.starts.slice();
    probes.forEach((list, owner) => {
      for (const probe of list) {
        const number = this.#numbers[this.#slotOf(probe)];
        if (this.starts[number] === this.starts[number + 1]) continue;
        this.owners[ends[number]++] = owner;
        const bit = this.#bitOf(probe);
        this.#filter[bit >>> 5] |= 1 << (bit & 31);
      }
    });
  }

  /**
   * Returns the number of the probe with this hash. Returns −1 if no document has this probe, or if the probe was
   * already returned for the same `document`.
   */
  lookUp(hash: number, document: number): number {
    const bit = this.#bitOf(hash);
    if ((this.#filter[bit >>> 5] & (1 << (bit & 31))) === 0) return -1;
    const number = this.#numbers[this.#slotOf(hash)];
    if (number < 0 || this.#lastDocument[number] === document) return -1;
    this.#lastDocument[number] = document;
    return number;
  }

  /** Returns the slot of a hash, or an empty slot for it. Probes are small numbers, so it mixes their bits. */
  #slotOf(hash: number): number {
    let slot = mix32(hash) & this.#slotMask;
    while (this.#numbers[slot] >= 0 && this.#probes[slot] !== hash) slot = (slot + 1) & this.#slotMask;
    return slot;
  }

  #bitOf(hash: number): number {
    return hash & (16 * (this.#slotMask + 1) - 1);
  }
}
