/**
 * Finds documents that may contain other documents, by samples of their shingles (MOD_m of Broder 1997, section 2,
 * whose intersection estimates containment). The smallest hashes of a document's sample are its probes. If at least
 * half of them are in the sample of another document, that document may contain this one.
 *
 *   sample of A   ● ● ● ● ● ● ● ● ● ●       probes: the first 8, by value
 *   sample of B   ○ ● ● ○ ● ● ○ ● ● ● ○ ●   has 7 of them
 */
import { readSketch, sampleAddress } from '../documents/fileSketch.ts';
import type { DocumentIndex } from '../documents/documents.ts';
import type { Kernel } from '../kernel.ts';
import { Pace } from '../steps.ts';
import { placeRange } from './fileCandidates.ts';
import { constants } from '../constants.ts';

/** A document whose sample has some of another document's probes, and the number of these probes. */
export interface ProbeHits<Document> {
  readonly document: Document;
  readonly hits: number;
}

/** Returns true if document A may contain document B. `hits` is the number of B's probes in A's sample. */
export function mayContain(hits: number, probeCount: number): boolean {
  return 2 * hits >= probeCount;
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

/** Returns the probes of a document that has a sketch: the smallest hashes of its sample, ascending. */
export function probesOf(kernel: Kernel, index: DocumentIndex): number[] {
  const { probes: limit } = constants.files.containment;
  const mark = kernel.mark();
  const out = kernel.allocate(4 * limit);
  const count = kernel.exports.leastHashes(sampleAddress(index), index.sketchSample, limit, out);
  const probes = Array.from(kernel.words.subarray(out >>> 2, (out >>> 2) + count));
  kernel.release(mark);
  return probes;
}

/**
 * For each document, returns the indices of the documents that may contain it, most likely first. The allocated memory
 * is not released, because other threads may allocate meanwhile.
 *
 * @param documents  documents that have sketches
 */
export function* containmentCandidatesSteps(
  kernel: Kernel,
  documents: readonly DocumentIndex[],
): Generator<void, number[][]> {
  const pace = new Pace();
  const counts = new Uint8Array(documents.length);
  const owners = yield* ownersSteps(kernel, documents, counts, pace);
  const found: ProbeHits<number>[][] = documents.map(() => []);
  if (owners.probes.length === 0) return found.map(() => []);
  const samples = Uint32Array.from({ length: 2 * documents.length }, (_, i) => {
    const index = documents[i >> 1];
    return i % 2 === 0 ? sampleAddress(index) : index.sketchSample;
  });
  const search = new ProbeSearch(kernel, owners.probes, samples);
  /** For each document, the number of its probes that the current sample contains. */
  const hits = new Uint8Array(documents.length);
  for (let from = 0; from < documents.length;) {
    let [end, work] = [from, 0];
    while (end < documents.length && work < unitsOfSearch) work += documents[end++].sketchSample / 256;
    const pairs = search.find(from, end);
    for (let at = 0; at < pairs.length;) {
      const candidate = pairs[at];
      const touched: number[] = [];
      for (; pairs[at] === candidate; at += 2) countHits(owners, pairs[at + 1], from + candidate, hits, touched);
      for (const owner of touched) {
        if (mayContain(hits[owner], counts[owner])) {
          found[owner].push({ document: from + candidate, hits: hits[owner] });
        }
        hits[owner] = 0;
      }
    }
    if (pace.endsStep(work + pairs.length / 32)) yield;
    from = end;
  }
  return found.map((list) => likeliest(list, (x, y) => x - y));
}

/**
 * Counts a hit for each document with a probe, except the document whose sample contains it.
 *
 * @param touched  receives the documents that had no hit before
 */
function countHits(
  { starts, owners }: Owners,
  probe: number,
  container: number,
  hits: Uint8Array,
  touched: number[],
): void {
  for (let place = starts[probe]; place < starts[probe + 1]; place++) {
    const owner = owners[place];
    if (owner !== container && hits[owner]++ === 0) touched.push(owner);
  }
}

/** Work of a search between two yields, in units of `Pace`. Each search clears its filter, so few searches are made. */
const unitsOfSearch = 4_000;

/**
 * Probes, ascending, and the documents that have them. The documents of probe p are `owners[starts[p]]` to
 * `owners[starts[p + 1]]`, ascending.
 */
interface Owners {
  readonly probes: Uint32Array;
  readonly starts: Uint32Array;
  readonly owners: Uint32Array;
}

/**
 * Returns the probes of all documents, without those that too many documents have.
 *
 * @param counts  receives the number of probes of each document
 */
function* ownersSteps(
  kernel: Kernel,
  documents: readonly DocumentIndex[],
  counts: Uint8Array,
  pace: Pace,
): Generator<void, Owners> {
  const { probes: limit, commonProbe } = constants.files.containment;
  const out = kernel.allocate(4 * limit);
  const all = new Float64Array(limit * documents.length);
  let size = 0;
  for (let place = 0; place < documents.length; place++) {
    const index = documents[place];
    if (pace.endsStep(1 + index.sketchSample / 256)) yield;
    const count = kernel.exports.leastHashes(sampleAddress(index), index.sketchSample, limit, out);
    const { words } = kernel;
    for (let i = 0; i < count; i++) all[size++] = words[(out >>> 2) + i] * placeRange + place;
    counts[place] = count;
  }
  const sorted = all.subarray(0, size).sort();
  if (pace.endsStep(size / 8)) yield;
  const probes = new Uint32Array(size);
  const starts = new Uint32Array(size + 1);
  const owners = new Uint32Array(size);
  let [count, end] = [0, 0];
  for (let first = 0; first < size;) {
    const probe = Math.floor(sorted[first] / placeRange);
    const from = first;
    while (first < size && Math.floor(sorted[first] / placeRange) === probe) first++;
    if (first - from > commonProbe) continue;
    for (let at = from; at < first; at++) owners[end++] = sorted[at] % placeRange;
    probes[count++] = probe;
    starts[count] = end;
  }
  return { probes: probes.subarray(0, count), starts, owners };
}

/** A search for the same probes in several lists of samples. */
class ProbeSearch {
  readonly #kernel: Kernel;
  readonly #samples: number;
  readonly #probes: number;
  readonly #probeCount: number;
  readonly #scratch: number;
  #out = 0;
  #room = 0;

  /** @param probes  ascending, distinct, not empty */
  constructor(kernel: Kernel, probes: Uint32Array, samples: Uint32Array) {
    this.#kernel = kernel;
    this.#samples = kernel.allocate(4 * samples.length);
    this.#probes = kernel.allocate(4 * probes.length);
    this.#scratch = kernel.allocate(kernel.exports.probeScratchBytes(probes.length));
    this.#probeCount = probes.length;
    kernel.words.set(samples, this.#samples >>> 2);
    kernel.words.set(probes, this.#probes >>> 2);
  }

  /**
   * Finds the samples that contain any of the probes. Returns a pair { index of the sample, index of the probe } for
   * each hit, sorted by the sample.
   */
  find(from: number, end: number): Uint32Array {
    const kernel = this.#kernel;
    for (;;) {
      const hits =
        kernel.exports.findProbes(
          this.#samples + 8 * from,
          end - from,
          this.#probes,
          this.#probeCount,
          this.#scratch,
          this.#out,
          this.#room,
        ) >>> 0;
      if (hits <= this.#room) return kernel.words.slice(this.#out >>> 2, (this.#out >>> 2) + 2 * hits);
      this.#room = Math.max(minHits, 2 * hits);
      this.#out = kernel.allocate(8 * this.#room);
    }
  }
}

/** Minimum capacity of a search, in hits. */
const minHits = 4_096;

/**
 * Documents with samples, in which the kernel searches for probes. An index by the highest bits of the hashes selects
 * the samples to search. The selected samples are searched, so an outdated entry of the index has no effect, and no
 * entry is ever removed.
 *
 *   probe  →  starts of its range and the next  →  holders: documents that had a hash in this range
 *          →  last later entry of its range     →  later entries: a document, and the entry before it
 */
export class SampleList {
  readonly #documents = new Map<number, DocumentIndex>();
  /** Documents without entries in the index. All of them are searched. */
  readonly #unindexed = new Set<number>();
  readonly #maxUnindexed: number;
  #shift = 0;
  #starts: Uint32Array | undefined;
  #holders: Uint16Array | Uint32Array = new Uint16Array();
  /** Entries of documents that were added after the index was built. The first is 1, and 0 is none. */
  readonly #later: Record<'holders' | 'before', Uint32Array>;
  #laterCount = 0;
  /** For each range, its last later entry. */
  #lasts = new Uint32Array();

  /**
   * @param maxUnindexed  if there are more documents without entries, the index is built again
   * @param maxLater      maximum number of later entries
   */
  constructor(maxUnindexed = 256, maxLater = 2 ** 16) {
    this.#maxUnindexed = maxUnindexed;
    this.#later = { holders: new Uint32Array(maxLater + 1), before: new Uint32Array(maxLater + 1) };
  }

  /** Adds a document that has a sketch. Its number must not be in the list. */
  add(kernel: Kernel, number: number, index: DocumentIndex): void {
    this.#documents.set(number, index);
    const { holders, before } = this.#later;
    if (this.#starts === undefined || this.#laterCount + index.sketchSample >= holders.length) {
      this.#unindexed.add(number);
      return;
    }
    for (const hash of readSketch(kernel, index)!.sample) {
      const range = hash >>> this.#shift;
      const entry = ++this.#laterCount;
      holders[entry] = number;
      before[entry] = this.#lasts[range];
      this.#lasts[range] = entry;
    }
  }

  delete(number: number): void {
    if (!this.#documents.delete(number)) throw new Error(`Document ${number} has no sample in the list.`);
    this.#unindexed.delete(number);
  }

  /** Builds the index again if many documents have been added, in steps. */
  *indexSteps(kernel: Kernel, pace: Pace): Generator<void, void> {
    if (this.#unindexed.size <= this.#maxUnindexed) return;
    let [size, maxNumber] = [0, 0];
    for (const [number, { sketchSample }] of this.#documents) {
      size += sketchSample;
      maxNumber = Math.max(maxNumber, number);
    }
    const bits = Math.max(1, Math.floor(Math.log2(size / hashesOfRange)));
    const shift = 32 - bits;
    const starts = new Uint32Array(2 ** bits + 1);
    for (const index of this.#documents.values()) {
      if (pace.endsStep(1 + index.sketchSample / 256)) yield;
      for (const hash of readSketch(kernel, index)!.sample) starts[hash >>> shift]++;
    }
    for (let range = 1; range < starts.length; range++) starts[range] += starts[range - 1];
    // Now each number is the end of a range. It becomes the start while the range is filled from its end.
    const holders = maxNumber < 2 ** 16 ? new Uint16Array(size) : new Uint32Array(size);
    for (const [number, index] of this.#documents) {
      if (pace.endsStep(1 + index.sketchSample / 256)) yield;
      for (const hash of readSketch(kernel, index)!.sample) holders[--starts[hash >>> shift]] = number;
    }
    [this.#shift, this.#starts, this.#holders] = [shift, starts, holders];
    this.#unindexed.clear();
    this.#laterCount = 0;
    this.#lasts = new Uint32Array(2 ** bits);
  }

  /**
   * Finds the samples that contain any of the given probes. Returns a pair { number of the document, index of the
   * probe } for each hit, grouped by document.
   *
   * @param probes  ascending, distinct, not empty
   */
  find(kernel: Kernel, probes: Uint32Array): Uint32Array {
    const numbers = [...this.#candidates(probes)];
    const samples = new Uint32Array(2 * numbers.length);
    for (const [place, number] of numbers.entries()) {
      const index = this.#documents.get(number)!;
      samples.set([sampleAddress(index), index.sketchSample], 2 * place);
    }
    const mark = kernel.mark();
    const pairs = new ProbeSearch(kernel, probes, samples).find(0, numbers.length);
    kernel.release(mark);
    for (let at = 0; at < pairs.length; at += 2) pairs[at] = numbers[pairs[at]];
    return pairs;
  }

  /** Returns the documents that may have any of the probes. */
  #candidates(probes: Uint32Array): Set<number> {
    const found = new Set(this.#unindexed);
    const starts = this.#starts;
    if (starts === undefined) return found;
    const offer = (holder: number): void => {
      if (this.#documents.has(holder)) found.add(holder);
    };
    const { holders, before } = this.#later;
    for (const probe of probes) {
      const range = probe >>> this.#shift;
      for (let at = starts[range]; at < starts[range + 1]; at++) offer(this.#holders[at]);
      for (let entry = this.#lasts[range]; entry > 0; entry = before[entry]) offer(holders[entry]);
    }
    return found;
  }
}

/** Mean number of hashes in a range of the index: at least this, less than twice. More cause needless searches. */
const hashesOfRange = 4;
