/**
 * Which documents may lie inside which: by samples of their shingles (MOD_m of Broder 1997, section 2, whose intersection
 * tells containment). A few hashes of each document's sample are its probes; whoever has half of them in its own sample
 * may contain it. The probes are the least hashes, so the choice depends on the document alone.
 *
 *   sample of A   ● ● ● ● ● ● ● ● ● ●       probes: the first 8, by value
 *   sample of B   ○ ● ● ○ ● ● ○ ● ● ● ○ ●   has 7 of them
 */
import { mix32 } from '../../methods/bits.ts';
import { type FileSketch, sampleAddress } from '../documents/fileSketch.ts';
import type { DocumentIndex } from '../documents/documents.ts';
import type { Kernel } from '../kernel.ts';
import { Pace } from '../steps.ts';
import { tuning } from '../tuning.ts';

/** A document that has some of the probes of another, and how many. */
export interface ProbeHits<Document> {
  readonly document: Document;
  readonly hits: number;
}

/** Whether who has so many of the probes of a document may contain it. */
export function mayContain(hits: number, probes: readonly number[]): boolean {
  return 2 * hits >= probes.length;
}

/** Of all that may contain a document the likeliest, which are compared: those with most hits, and of these the first. */
export function likeliest<Document>(
  found: Iterable<ProbeHits<Document>>,
  compare: (x: Document, y: Document) => number,
): Document[] {
  return [...found]
    .sort((x, y) => y.hits - x.hits || compare(x.document, y.document))
    .slice(0, tuning.files.containment.containersTried)
    .map(({ document }) => document);
}

/** The probes of a document: the least hashes of its sample. */
export function probesOf({ sample }: FileSketch): number[] {
  return leastOf(sample, tuning.files.containment.probes);
}

/** The places of the documents that may contain each document, the likeliest first. */
export function* containmentCandidatesSteps(sketches: readonly FileSketch[]): Generator<void, number[][]> {
  const pace = new Pace();
  const probes: (readonly number[])[] = [];
  for (const sketch of sketches) {
    probes.push(probesOf(sketch));
    if (pace.isDue(sketch.sample.length / 64)) yield;
  }
  const owners = new Owners(probes, tuning.files.containment.commonProbe);
  /** How many probes of each document the one that is looked at has, and the documents for which that is not 0. */
  const hits = new Uint8Array(sketches.length);
  const found: ProbeHits<number>[][] = sketches.map(() => []);
  for (const [candidate, { sample }] of sketches.entries()) {
    if (pace.isDue(sample.length / 64)) yield;
    const touched: number[] = [];
    for (let i = 0; i < sample.length; i++) {
      const probe = owners.ask(sample[i], candidate);
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

/** Where the samples of some documents lie, for the kernel to walk through them. */
export class SampleList {
  /** { address, count } for each place, and the number of the document. */
  #samples = new Uint32Array(2 * 64);
  readonly #numbers: number[] = [];
  readonly #places = new Map<number, number>();

  /** Takes in a document that has a sketch, under a number that is not in the list. */
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

  /** The last takes the place of the one that goes. */
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

  /** The number of the document at a place. */
  ownerOf(place: number): number {
    return this.#numbers[place];
  }

  /**
   * Which samples have which of some probes: { place in the list, place of the probe } for each, by place.
   *
   * @param probes  ascending, each once, at least one
   */
  find(kernel: Kernel, probes: Uint32Array): Uint32Array {
    const mark = kernel.mark();
    const count = this.#numbers.length;
    const samples = kernel.allocate(8 * count);
    kernel.words.set(this.#samples.subarray(0, 2 * count), samples >>> 2);
    const wanted = kernel.allocate(4 * probes.length);
    kernel.words.set(probes, wanted >>> 2);
    const scratch = kernel.allocate(kernel.exports.probeScratchBytes(probes.length));
    for (let room = 4_096; ;) {
      const found = kernel.allocate(8 * room);
      const hits = kernel.exports.findProbes(samples, count, wanted, probes.length, scratch, found, room) >>> 0;
      if (hits <= room) {
        const pairs = kernel.words.slice(found >>> 2, (found >>> 2) + 2 * hits);
        kernel.release(mark);
        return pairs;
      }
      room = hits;
    }
  }
}

/** The least different numbers of a list, at most so many, ascending. */
function leastOf(numbers: Uint32Array, most: number): number[] {
  const least: number[] = [];
  for (let i = 0; i < numbers.length; i++) {
    const number = numbers[i];
    if (least.length === most && number >= least[most - 1]) continue;
    let at = least.length;
    while (at > 0 && least[at - 1] > number) at--;
    if (least[at - 1] === number) continue;
    least.splice(at, 0, number);
    if (least.length > most) least.pop();
  }
  return least;
}

/**
 * Which documents have each probe: a hash table with linear probing. Most hashes of most samples are no probe; a table of
 * bits, many for each probe, tells so from memory that is near.
 */
class Owners {
  /** The documents of probe p are `owners[starts[p]]` to `owners[starts[p + 1]]`, ascending. */
  readonly starts: Uint32Array;
  readonly owners: Uint32Array;
  readonly #filter: Uint32Array;
  readonly #slotMask: number;
  readonly #probes: Uint32Array;
  /** The number of the probe in each slot, −1 in a free one. */
  readonly #numbers: Int32Array;
  /** Who asked last for each probe: a sample has some hashes more than once. */
  readonly #asked: Int32Array;

  /** @param most  probes that more documents have tell nothing, and are left out */
  constructor(probes: readonly (readonly number[])[], most: number) {
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
    this.#asked = new Int32Array(count).fill(-1);
    this.starts = new Uint32Array(count + 1);
    for (let probe = 0; probe < count; probe++) {
      this.starts[probe + 1] = this.starts[probe] + (counts[probe] <= most ? counts[probe] : 0);
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

  /** The number of a probe that some documents have; −1 when there are none, or when the same asks again. */
  ask(hash: number, asking: number): number {
    const bit = this.#bitOf(hash);
    if ((this.#filter[bit >>> 5] & (1 << (bit & 31))) === 0) return -1;
    const number = this.#numbers[this.#slotOf(hash)];
    if (number < 0 || this.#asked[number] === asking) return -1;
    this.#asked[number] = asking;
    return number;
  }

  /** The slot of a hash, or the free one for it. Probes are the least hashes, so their bits are mixed. */
  #slotOf(hash: number): number {
    let slot = mix32(hash) & this.#slotMask;
    while (this.#numbers[slot] >= 0 && this.#probes[slot] !== hash) slot = (slot + 1) & this.#slotMask;
    return slot;
  }

  #bitOf(hash: number): number {
    return hash & (16 * (this.#slotMask + 1) - 1);
  }
}
