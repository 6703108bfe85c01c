/**
 * Searches all repositories of an index for near-duplicates of one text. The sorted fingerprint lists of each partition
 * give the windows that are similar to those of the text, and the lines in other languages with the same phrases, so
 * DuckDB is not needed. Only the documents that have some are loaded, and searched in the same way as in a scan
 * (`core/engine/similar/findSimilar.ts`).
 */
import { promisify } from 'node:util';
import { inflateRaw } from 'node:zlib';
import { add } from '../../core/collections/lists.ts';
import { Corpus } from '../../core/engine/corpus.ts';
import { DocumentIndexer } from '../../core/engine/documents/indexDocument.ts';
import { createMemory, Kernel, type KernelMemory } from '../../core/engine/kernel.ts';
import type { Lexicon } from '../../core/engine/languages/lexicalRules.ts';
import type { Options } from '../../core/engine/options.ts';
import type { SimilarPassages, SimilarQuery } from '../../core/engine/similar/findSimilar.ts';
import { lastOf } from '../../core/engine/steps.ts';
import { constants } from '../../core/engine/constants.ts';
import { hammingDistance } from '../../core/methods/bits.ts';
import type { SimilarText } from '../../scan/indexer/liveScan.ts';
import { type Cancellation, checkCancelled } from '../folder/cancellation.ts';
import { IndexError } from '../folder/indexError.ts';
import type { Epoch, IndexFolder, RepositoryState } from '../folder/indexFolder.ts';
import { blocksFor, distanceOf, phraseView, views } from './blocks.ts';
import type { Method } from './method.ts';
import { type FingerprintList, ListReader, rotate } from './fingerprintLists.ts';
import { NamedContents } from './documentNames.ts';
import { ArrayReader, type FolderContents, type Partitions } from './folderContents.ts';
import { PhraseSearch } from './phraseSearch.ts';
import { forEachWindow, type Window } from './windows.ts';

/** Caches the decompressed token weights of an epoch for long-running processes. */
export class EpochWeights {
  readonly #index: IndexFolder;
  #last: { readonly epoch: Epoch; readonly table: Promise<Uint8Array> } | undefined;

  constructor(index: IndexFolder) {
    this.#index = index;
  }

  /** @throws IndexError if there is no epoch, because no token weights were measured yet */
  of(epoch: Epoch | undefined): Promise<Uint8Array> {
    if (epoch === undefined) {
      throw new IndexError(
        'The index has no token weights yet, because a command was interrupted: run kindred org scan once, or add any repository again.',
      );
    }
    if (this.#last?.epoch.id !== epoch.id) {
      this.#last = { epoch, table: promisify(inflateRaw)(this.#index.weights(epoch)) };
    }
    return this.#last.table;
  }
}

/**
 * Memory in which searches run one after another. Memory of its own for each search would only be released when the
 * garbage collector runs, which few other objects cause.
 */
export class SearchMemory {
  #memory: KernelMemory | undefined;

  use<Result>(work: (kernel: Kernel) => Result): Result {
    const memory = (this.#memory ??= createMemory());
    // Each search has its own kernel, because a kernel remembers addresses of data from its previous search.
    const kernel = new Kernel(memory);
    const mark = kernel.mark();
    try {
      return work(kernel);
    } finally {
      kernel.release(mark);
      if (memory.buffer.byteLength > maxKeptBytes) this.#memory = undefined;
    }
  }
}

/** Maximum size of the memory that is kept for the next search. Nearly all searches need less. */
const maxKeptBytes = 2 ** 27;

export interface SearchedIndex {
  readonly index: IndexFolder;
  readonly partitions: Partitions;
  readonly weights: EpochWeights;
  readonly memory: SearchMemory;
  readonly states: readonly RepositoryState[];
}

/** @throws CancellationError */
export async function findSimilarIn(
  { index, partitions, weights, memory, states }: SearchedIndex,
  { options }: Method,
  { bytes, lexicon }: SimilarText,
  query: SimilarQuery,
  cancellation: Cancellation,
): Promise<SimilarPassages> {
  const idfTable = await weights.of(index.epoch());
  const source = partitions.contentsOf(states);
  const { fingerprints, lines: ownLines } = memory.use((kernel) => windowsOf(kernel, options, bytes, lexicon));
  const documents = new NamedContents(index, source, states);
  const lines = new PhraseSearch(ownLines, source.lists, documents);
  const counts = await countWindows(source, options, { fingerprints, lines }, cancellation);
  const { phrases, contents } = lines.linked();
  // Windows come first, because most lines with the same phrase are no copies.
  const near = [...new Set([...mostFirst(counts), ...mostFirst(contents)])];
  // Partitions may also contain texts that no current repository state uses.
  const named = near.filter((content) => documents.count(content) > 0);
  const found = named.slice(0, constants.similar.documents);
  const similar = memory.use((kernel) => {
    const corpus = new Corpus(kernel, options, idfTable);
    const shapes = lastOf(source.shapesSteps(found));
    const reader = new ArrayReader(kernel, source);
    try {
      for (const content of found) {
        const index = reader.load(content, shapes.get(content)!);
        for (const path of documents.paths(content)) corpus.adopt(path, index);
      }
    } finally {
      reader.close();
    }
    return lastOf(corpus.findSimilarSteps([{ bytes, lexicon, query }], (phrase) => phrases.has(phrase)))[0]!;
  });
  const { leftOut } = similar;
  return { ...similar, leftOut: { ...leftOut, documents: leftOut.documents + named.length - found.length } };
}

/** Returns one window of a text for each fingerprint, and the lines with phrases. */
function windowsOf(
  kernel: Kernel,
  options: Options,
  bytes: Uint8Array,
  lexicon: Lexicon,
): { readonly fingerprints: readonly Window[]; readonly lines: readonly Window[] } {
  const indexer = new DocumentIndexer(kernel, options);
  const reserved = indexer.reserve(bytes.length);
  reserved.set(bytes);
  const text = indexer.index(reserved, lexicon);
  const fingerprints = new Map<string, Window>();
  const lines: Window[] = [];
  forEachWindow(kernel, text, (window) => {
    if (window.view === phraseView) lines.push(window);
    else fingerprints.set(`${window.view} ${window.high} ${window.low}`, window);
  });
  return { fingerprints: [...fingerprints.values()], lines };
}

/** Returns the keys of counters, those with the greatest counts first. */
function mostFirst(counts: ReadonlyMap<number, number>): number[] {
  return [...counts].sort(([x, ofX], [y, ofY]) => ofY - ofX || x - y).map(([key]) => key);
}

/**
 * Counts for each content the windows that are similar to a window of the text, and finds the lines with its phrases.
 * Yields to the event loop, because there may be thousands of partitions.
 */
async function countWindows(
  { lists }: FolderContents,
  options: Options,
  { fingerprints, lines }: { readonly fingerprints: readonly Window[]; readonly lines: PhraseSearch },
  cancellation: Cancellation,
): Promise<Map<number, number>> {
  const counts = new Map<number, number>();
  for (const searched of lists) {
    await checkCancelled(cancellation);
    searched.reading((file) => {
      const reader = new ListReader(file, searched.bytes);
      for (const view of views) {
        const own = fingerprints.filter((window) => window.view === view);
        const lists = searched.lists.filter((list) => list.view === view);
        for (const content of contentsNear(reader, lists, own, distanceOf(view, options))) {
          const number = searched.numberOf(content);
          if (number !== undefined) counts.set(number, (counts.get(number) ?? 0) + 1);
        }
      }
      lines.read(reader, searched);
    });
  }
  return counts;
}

/**
 * Returns, for each window within a distance of one of the given fingerprints, the content that the window belongs to.
 *
 * @param lists  lists of the view of the fingerprints
 */
function contentsNear(
  reader: ListReader,
  lists: readonly FingerprintList[],
  fingerprints: readonly Window[],
  distance: number,
): readonly number[] {
  const rotatedBy = (bits: number): FingerprintList | undefined => lists.find(({ rotation }) => rotation === bits);
  const windows = rotatedBy(0);
  if (windows === undefined) return [];
  /** Upper halves of the near fingerprints, by their lower half, which is nearly always distinct. */
  const near = new Map<number, Set<number>>();
  const blocks = blocksFor(distance);
  for (const { high, low } of fingerprints) {
    add(near, low, high);
    for (const { start, end } of blocks) {
      const [rotatedHigh, rotatedLow] = rotate(high, low, start);
      reader.forEachNear(rotatedBy(start)!, rotatedHigh, end - start, (otherHigh, otherLow) => {
        const bits = hammingDistance(rotatedHigh, rotatedLow, otherHigh, otherLow);
        if (bits > distance) return;
        const [nearHigh, nearLow] = rotate(otherHigh, otherLow, (64 - start) & 63);
        add(near, nearLow, nearHigh);
      });
    }
  }
  return [...near].flatMap(([low, highs]) => [...highs].flatMap((high) => contentsOf(reader, windows, high, low)));
}

function contentsOf(reader: ListReader, windows: FingerprintList, high: number, low: number): number[] {
  let [from, to] = [0, 0];
  reader.forEachNear(windows, high, 32, (otherHigh, otherLow, place) => {
    if (otherHigh !== high || otherLow !== low) return;
    if (to === 0) from = place;
    to = place + 1;
  });
  return to === 0 ? [] : [...reader.contents(windows, from, to)];
}
