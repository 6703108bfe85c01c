/**
 * Which documents may lie inside which: by samples of their shingles (MOD_m of Broder 1997, section 2, whose intersection
 * tells containment). A few hashes of each document's sample are its probes; whoever has half of them in its own sample
 * may contain it. The probes are the least hashes, so the choice depends on the document alone.
 *
 *   sample of A   ● ● ● ● ● ● ● ● ● ●       probes: the first 8, by value
 *   sample of B   ○ ● ● ○ ● ● ○ ● ● ● ○ ●   has 7 of them
 */
import { type FileSketch, sampleAddress } from './fileSketch.ts';
import type { DocumentIndex } from './indexDocument.ts';
import type { Kernel } from './kernel.ts';
import { tuning } from './tuning.ts';

/** The places of documents that may contain each document, the likeliest first; at most a few. */
export function likelyContainers(sketches: readonly FileSketch[]): number[][] {
  const { probes: most, commonProbe, containersTried } = tuning.files.containment;
  const probes = sketches.map(({ sample }) => leastOf(sample, most));
  const owners = new Owners(probes, commonProbe);
  /** How many probes of each document the one that is looked at has, and the documents for which that is not 0. */
  const hits = new Uint8Array(sketches.length);
  const containers: { place: number; hits: number }[][] = sketches.map(() => []);
  sketches.forEach(({ sample }, container) => {
    const touched: number[] = [];
    for (let i = 0; i < sample.length; i++) {
      const list = owners.ofProbe(sample[i], container);
      if (list === undefined) continue;
      for (const owner of list) {
        if (owner === container) continue;
        if (hits[owner] === 0) touched.push(owner);
        hits[owner]++;
      }
    }
    for (const owner of touched) {
      if (2 * hits[owner] >= probes[owner].length) containers[owner].push({ place: container, hits: hits[owner] });
      hits[owner] = 0;
    }
  });
  return containers.map((list) =>
    list
      .sort((x, y) => y.hits - x.hits || x.place - y.place)
      .slice(0, containersTried)
      .map(({ place }) => place),
  );
}

/**
 * Which samples have which of some probes: { place of the document, place of the probe } for each, by document.
 *
 * @param documents  all with sketches
 * @param probes     ascending, each once
 */
export function findProbes(kernel: Kernel, documents: readonly DocumentIndex[], probes: Uint32Array): Uint32Array {
  const mark = kernel.mark();
  const samples = kernel.allocate(8 * documents.length);
  documents.forEach((document, i) => {
    kernel.words[(samples >>> 2) + 2 * i] = sampleAddress(document);
    kernel.words[(samples >>> 2) + 2 * i + 1] = document.sketchSample;
  });
  const wanted = kernel.allocate(4 * probes.length);
  kernel.words.set(probes, wanted >>> 2);
  const scratch = kernel.allocate(kernel.exports.probeScratchBytes(probes.length));
  const search = [samples, documents.length, wanted, probes.length, scratch] as const;
  for (let room = 4_096; ;) {
    const found = kernel.allocate(8 * room);
    const count = kernel.exports.findProbes(...search, found, room) >>> 0;
    if (count <= room) {
      const pairs = kernel.words.slice(found >>> 2, (found >>> 2) + 2 * count);
      kernel.release(mark);
      return pairs;
    }
    room = count;
  }
}

/** The least different numbers of a list, at most so many, ascending. */
export function leastOf(numbers: Uint32Array, most: number): number[] {
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

/** Which documents have each probe. Most hashes of most samples are no probe; a table of bits tells so at once. */
class Owners {
  readonly #filter = new Uint8Array(1 << 20);
  readonly #places = new Map<number, number>();
  readonly #owners: number[][] = [];
  /** Who asked last for each probe: a sample has some hashes more than once. */
  readonly #asked: number[] = [];

  /** @param most  probes that more documents have tell nothing, and are left out */
  constructor(probes: readonly (readonly number[])[], most: number) {
    probes.forEach((list, owner) => {
      for (const probe of list) {
        const place = this.#places.get(probe);
        if (place !== undefined) this.#owners[place].push(owner);
        else this.#places.set(probe, this.#owners.push([owner]) - 1);
      }
    });
    for (const [probe, place] of this.#places) {
      this.#asked.push(-1);
      if (this.#owners[place].length <= most) this.#filter[probe & 0xfffff] = 1;
      else this.#places.delete(probe);
    }
  }

  /** The documents that have a probe; undefined when there are none, or when the same asks again. */
  ofProbe(hash: number, asking: number): readonly number[] | undefined {
    if (this.#filter[hash & 0xfffff] === 0) return undefined;
    const place = this.#places.get(hash);
    if (place === undefined || this.#asked[place] === asking) return undefined;
    this.#asked[place] = asking;
    return this.#owners[place];
  }
}
