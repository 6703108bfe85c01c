/**
 * Finds the seeds of all documents in an index. DuckDB finds pairs of similar fingerprints, and windows with equal
 * fingerprints (folder/steps.ts).
 */
import { documentParts } from '../../core/engine/documents/namedDocument.ts';
import { createMemory, Kernel } from '../../core/engine/kernel.ts';
import type { Options } from '../../core/engine/options.ts';
import { equalSeeds, seedOfNear } from '../../core/engine/seeds/gatheredWindows.ts';
import { blockCount, mostPartners } from '../../core/engine/seeds/nearPairs.ts';
import { type AllSeeds, sortingBytes, sortSeeds } from '../../core/engine/seeds/seeds.ts';
import { chosenBlocks } from '../../core/methods/permutation.ts';
import { seedBytes } from '../../core/kernel/seeds/seedLayout.ts';
import type { ScanMonitor } from '../../scan/indexer/scanInput.ts';
import type { DuckDB } from '../folder/duckdb.ts';
import type { IndexFolder } from '../folder/indexFolder.ts';
import {
  addNearPairs,
  addNearSeeds,
  addWindows,
  comparisonTables,
  countCrowded,
  countFingerprints,
  dropComparisonTables,
  makeFingerprints,
  nearSeeds,
  repeatedWindows,
} from '../folder/steps.ts';
import { distanceOf, type View, views } from './blocks.ts';
import type { StoredDocuments } from './catalogue.ts';
import { asking, type FolderContents } from './folderContents.ts';

export const seedWords = seedBytes / 4;
/** Maximum number of partitions in one SQL statement. */
const partitionsAtOnce = 100;

export interface FoundSeeds {
  /** Seeds as packed words, not sorted. Document numbers are indices into `StoredDocuments.documents`. */
  readonly words: Uint32Array;
  readonly truncated: number;
}

/** Sorts seeds and copies them into the kernel's memory. */
export function placeSeeds(kernel: Kernel, { words, truncated }: FoundSeeds): AllSeeds {
  const count = words.length / seedWords;
  const address = kernel.allocate(words.byteLength);
  kernel.words.set(words, address >>> 2);
  const mark = kernel.mark();
  sortSeeds(kernel, { address, count }, kernel.allocate(sortingBytes(count)));
  kernel.release(mark);
  return { address, count, truncated };
}

/** Finds the seeds of all documents. Reports progress after each SQL statement. */
export class SeedSearch {
  readonly #index: IndexFolder;
  readonly #duckdb: DuckDB;
  readonly #options: Options;
  readonly #monitor: ScanMonitor;
  readonly #seeds: Uint32Array[] = [];

  constructor(index: IndexFolder, duckdb: DuckDB, options: Options, monitor: ScanMonitor) {
    this.#index = index;
    this.#duckdb = duckdb;
    this.#options = options;
    this.#monitor = monitor;
  }

  /** Returns `undefined` if canceled. */
  async run(contents: FolderContents, stored: StoredDocuments): Promise<FoundSeeds | undefined> {
    await asking(this.#index, () => this.#readWindows(contents, stored));
    const different = await this.#countFingerprints();
    let truncated = 0;
    for (const view of views) {
      if (!(await this.#findNear(view, different.get(view) ?? 0, (crowded) => (truncated += crowded))))
        return undefined;
    }
    await this.#takeNear();
    for (const view of views) {
      if (this.#monitor.cancelled()) return undefined;
      await this.#takeEqual(view);
    }
    await this.#duckdb.run(dropComparisonTables);
    const words = new Uint32Array(this.#seeds.reduce((sum, { length }) => sum + length, 0));
    let end = 0;
    for (const some of this.#seeds) {
      words.set(some, end);
      end += some.length;
    }
    return { words, truncated };
  }

  async #readWindows({ partitions, bases }: FolderContents, { documents }: StoredDocuments): Promise<void> {
    await this.#duckdb.run(comparisonTables);
    const columns = [
      Uint32Array.from(documents, ({ content }) => content),
      Uint8Array.from(documents, ({ part }) => documentParts.indexOf(part)),
      Uint32Array.from(documents, (_, number) => number),
    ];
    await this.#duckdb.append('document', columns, documents.length);
    const windows = partitions.map((partition, i) => ({ file: partition.file('windows.parquet'), base: bases[i]! }));
    for (let from = 0; from < windows.length; from += partitionsAtOnce) {
      await this.#duckdb.run(addWindows(windows.slice(from, from + partitionsAtOnce)));
    }
    await this.#duckdb.run(makeFingerprints);
  }

  async #countFingerprints(): Promise<Map<View, number>> {
    const rows = await this.#duckdb.rows<{ view: View; fingerprints: number }>(countFingerprints);
    return new Map(rows.map(({ view, fingerprints }) => [view, fingerprints]));
  }

  /**
   * Finds pairs of similar fingerprints in one view, and adds a seed for each pair that is kept. Returns false if
   * canceled.
   */
  async #findNear(view: View, different: number, onCrowded: (crowded: number) => void): Promise<boolean> {
    const distance = distanceOf(view, this.#options);
    if (distance === 0 || different === 0) return true;
    const keys = chosenBlocks(blockCount(different, distance), distance);
    await this.#duckdb.run('DELETE FROM near');
    for (const [i, key] of keys.entries()) {
      if (this.#monitor.cancelled()) return false;
      this.#monitor.onProgress({ phase: 'matching', done: i, total: keys.length });
      await this.#duckdb.run(addNearPairs(view, distance, key));
    }
    const most = mostPartners(different, distance);
    const [row] = await this.#duckdb.rows<{ crowded: number }>(countCrowded(most));
    onCrowded(row!.crowded);
    await this.#duckdb.run(addNearSeeds(view, most));
    return true;
  }

  async #takeNear(): Promise<void> {
    const [x, xPosition, y, yPosition, bits] = await this.#duckdb.columns(nearSeeds, 5);
    const seeds = new Uint32Array(x!.count * seedWords);
    let end = 0;
    for (let i = 0; i < x!.count; i++) {
      const first = { document: x!.words[i]!, position: xPosition!.words[i]! };
      const second = { document: y!.words[i]!, position: yPosition!.words[i]! };
      const seed = seedOfNear(first, second, bits!.words[i]!);
      if (seed === undefined) continue;
      seeds.set(seed, end);
      end += seedWords;
    }
    this.#seeds.push(seeds.subarray(0, end));
  }

  async #takeEqual(view: View): Promise<void> {
    const [fingerprints, documents, positions] = await this.#duckdb.columns(repeatedWindows(view), 3);
    if (fingerprints!.count === 0) return;
    const gathered = { fingerprints: fingerprints!.wide, documents: documents!.words, positions: positions!.words };
    this.#seeds.push(equalSeeds(new Kernel(createMemory()), gathered));
  }
}
