/**
 * A comparison of stored documents, whose arrays need not fit into memory together: matches are found in batches of
 * seeds, and grouping loads documents when it reads them. The findings do not depend on the memory.
 */
import type { CorpusPlan } from '../../core/engine/comparison.ts';
import { Corpus } from '../../core/engine/corpus.ts';
import { createMemory, Kernel } from '../../core/engine/kernel.ts';
import { fileLexicons } from '../../core/engine/languages/allLexicons.ts';
import { MinimumMatch } from '../../core/engine/matches/minimumMatch.ts';
import { joinRecords } from '../../core/engine/matches/matches.ts';
import { matchRecordBytes } from '../../core/engine/matches/matchRecord.ts';
import type { Options } from '../../core/engine/options.ts';
import type { Findings } from '../../core/engine/report/report.ts';
import { lastOf } from '../../core/engine/steps.ts';
import { configuredPaths } from '../../scan/indexer/configuredPaths.ts';
import { endOf } from '../../scan/indexer/endOf.ts';
import { matchOnThreads } from '../../scan/indexer/matchOnThreads.ts';
import { nodeSystem } from '../../scan/indexer/nodeSystem.ts';
import { type ScanMonitor, seedsOfSlice } from '../../scan/indexer/scanInput.ts';
import { startScanThreads } from '../../scan/indexer/scanThread.ts';
import { prefixOf, type Repository, type StoredDocuments } from './catalogue.ts';
import { DocumentCache } from './documentCache.ts';
import type { FolderContents } from './folderContents.ts';
import { batchesOf, documentsOf } from './seedBatches.ts';
import { placeSeeds, seedWords } from './seedSearch.ts';

export interface ComparedDocuments {
  readonly source: FolderContents;
  readonly stored: StoredDocuments;
  readonly repositories: readonly Repository[];
  readonly options: Options;
  readonly idfTable: Uint8Array;
  /** Number of windows with more near ones than are kept. */
  readonly truncated: number;
  readonly documentBytes: number | undefined;
}

/** Default of `documentBytes`. The kernel can address 4 GiB; the rest is for matching and grouping. */
const maxDocumentBytes = 3 * 2 ** 30;

/** Maximum number of seeds in memory. Sorting them takes 256 MB. */
const maxSeeds = 8_000_000;
/** Minimum number of seeds for which additional threads pay off. */
const seedsWorthThread = 10_000;

export interface Matching {
  /** Path of the script that scan threads run. See `methodOf`. */
  readonly scanThread: URL;
  /** Number of scan threads. */
  readonly workers: number;
  readonly monitor: ScanMonitor;
  /** Maximum size of documents in memory. */
  readonly documentBytes?: number;
}

export class StoredComparison {
  readonly #compared: ComparedDocuments;
  readonly #kernel: Kernel;
  readonly #cache: DocumentCache;
  readonly #plan: CorpusPlan;
  readonly #minimumMatch: MinimumMatch;

  constructor(compared: ComparedDocuments) {
    const kernel = new Kernel(createMemory());
    const { source, stored, repositories, options, idfTable, truncated, documentBytes } = compared;
    this.#compared = compared;
    this.#kernel = kernel;
    const cache = new DocumentCache(kernel, source, stored, documentBytes ?? maxDocumentBytes);
    const roots = repositories.map((repository) => ({ ...repository.rules, prefix: prefixOf(repository) }));
    const { chosenCategory, minimumOf } = configuredPaths(roots, fileLexicons([]));
    const corpus = new Corpus(kernel, options, idfTable, chosenCategory, minimumOf);
    for (const { path, content, part } of stored.documents) {
      if (part === 'text') corpus.adopt(path, cache.documentOf(content));
    }
    corpus.loadWith(cache.load);
    const plan = corpus.beginPlan().complete({ address: 0, count: 0, truncated });
    cache.use(plan.documents, plan.task.table);
    [this.#cache, this.#plan] = [cache, plan];
    this.#minimumMatch = new MinimumMatch(kernel, options.minLines, (document) => plan.documents[document]!, minimumOf);
  }

  /**
   * Finds the matches of seeds. Returns their records; `undefined` if canceled.
   *
   * @param seeds  sorted by their first documents
   */
  async match(seeds: Uint32Array, { scanThread, workers, monitor }: Matching): Promise<Uint32Array | undefined> {
    const { options } = this.#compared;
    const cache = this.#cache;
    const found: Uint32Array[] = [];
    const total = Math.ceil(seeds.length / seedWords / seedsOfSlice);
    let done = 0;
    const { halfBytes, contentOf, roomOf } = cache;
    const limits = { bytes: halfBytes, seeds: maxSeeds, contentOf, bytesOf: roomOf };
    for (const batch of batchesOf(seeds, limits)) {
      const kernel = this.#kernel;
      const mark = kernel.mark();
      for (const document of documentsOf(batch)) cache.load(document);
      const task = { ...this.#plan.task, seeds: placeSeeds(kernel, batch) };
      const more = task.seeds.count < seedsWorthThread ? 0 : workers - 1;
      const scanThreads = await startScanThreads(more, nodeSystem(scanThread), kernel.memory);
      const before = done;
      const ofAll: ScanMonitor = {
        ...monitor,
        onProgress: ({ phase, done: ofBatch }) => monitor.onProgress({ phase, done: before + ofBatch, total }),
      };
      // Whole files are compared meanwhile if this removes no document from memory.
      const meanwhile = cache.hasRoomForAll ? this.#plan.compareFilesSteps() : nothing();
      try {
        const records = await matchOnThreads(kernel, { task, options, scanThreads }, ofAll, meanwhile);
        if (monitor.cancelled()) return undefined;
        for (const some of records) found.push(this.#allowed(some));
      } finally {
        await Promise.all(scanThreads.map((thread) => thread.end()));
      }
      kernel.release(mark);
      done += Math.ceil(batch.length / seedWords / seedsOfSlice);
    }
    return joinRecords(found);
  }

  /** Returns the records that meet the requirements of their files. Precondition: their documents are in memory. */
  #allowed(records: Uint32Array): Uint32Array {
    const words = matchRecordBytes / 4;
    let end = 0;
    for (const at of lastOf(this.#minimumMatch.allowed(records))) {
      records.copyWithin(end, at, at + words);
      end += words;
    }
    return records.slice(0, end);
  }

  /** Groups the records of all matches. Returns `undefined` if canceled. */
  async group(records: Uint32Array, monitor: ScanMonitor): Promise<Findings | undefined> {
    const { skipped } = this.#compared.stored;
    return (await endOf(this.#plan.finishSteps(records, { skipped, complete: true }), monitor))?.result;
  }

  close(): void {
    this.#cache.close();
  }
}

function* nothing(): Generator<void, void> {}
