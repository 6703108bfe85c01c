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
import type { Findings } from '../../core/engine/report/report.ts';
import { lastOf, Pace } from '../../core/engine/steps.ts';
import { matchWords } from '../../core/kernel/matches/matchRecordLayout.ts';
import { configuredPaths } from '../../scan/indexer/configuredPaths.ts';
import { matchOnThreads } from '../../scan/indexer/matchOnThreads.ts';
import { nodeSystem } from '../../scan/indexer/nodeSystem.ts';
import { type ScanMonitor, seedsOfSlice } from '../../scan/indexer/scanInput.ts';
import { startScanThreads } from '../../scan/indexer/scanThread.ts';
import { checkCancelled } from '../folder/cancellation.ts';
import { resultOf } from './resultOf.ts';
import type { Epoch } from '../folder/indexFolder.ts';
import { DocumentCache } from './documentCache.ts';
import type { EpochWeights } from './findSimilarIn.ts';
import { prefixOf, type ReadIndex, type StoredDocuments } from './folderContents.ts';
import type { Method } from './method.ts';
import { batchesOf, documentsOf, seedWords } from './seedBatches.ts';

export interface ComparedIndex extends ReadIndex {
  readonly method: Method;
  readonly weights: EpochWeights;
}

export interface ComparisonInput {
  readonly epoch: Epoch | undefined;
  /** Number of windows with more near ones than are kept. */
  readonly crowded: number;
  /** Maximum size of documents in memory. */
  readonly documentBytes?: number | undefined;
}

/** Default of `documentBytes`. The kernel can address 4 GiB; the rest is for matching and grouping. */
const maxDocumentBytes = 3 * 2 ** 30;

/** Maximum number of seeds in memory: 128 MB. */
const maxSeeds = 8_000_000;
/** Minimum number of seeds for which additional threads pay off. */
const seedsWorthThread = 10_000;
/** Number of bytes of documents that a disk of 100 MB/s reads in a unit of `Pace`. */
const bytesInUnit = 100;

export interface MatchResources {
  /** Path of the script that scan threads run. See `methodOf`. */
  readonly scanThread: URL;
  readonly workers: number;
  readonly monitor: ScanMonitor;
  /** Maximum size of documents in memory. */
  readonly documentBytes?: number;
}

export class StoredComparison {
  readonly #compared: ComparedIndex;
  readonly #stored: StoredDocuments;
  readonly #cache: DocumentCache;
  readonly #plan: CorpusPlan;
  readonly #minimumMatch: MinimumMatch;

  private constructor(
    compared: ComparedIndex,
    stored: StoredDocuments,
    cache: DocumentCache,
    { idfTable, crowded }: { readonly idfTable: Uint8Array; readonly crowded: number },
  ) {
    const { options } = compared.method;
    const { kernel } = cache;
    [this.#compared, this.#stored, this.#cache] = [compared, stored, cache];
    const roots = compared.states.map((one) => ({ ...one.rules, prefix: prefixOf(one) }));
    const { chosenCategory, minimumOf } = configuredPaths(roots, fileLexicons([]));
    const corpus = new Corpus(kernel, options, idfTable, chosenCategory, minimumOf);
    for (const { path, content, part } of stored.documents) {
      if (part === 'text') corpus.adopt(path, cache.documentOf(content));
    }
    corpus.loadWith(cache.load);
    const plan = corpus.beginPlan().complete({ address: 0, count: 0, truncated: crowded });
    cache.use(plan.documents, plan.task.table);
    this.#plan = plan;
    this.#minimumMatch = new MinimumMatch(kernel, options.minLines, (document) => plan.documents[document]!, minimumOf);
  }

  /**
   * Calls `work` with a comparison of documents.
   *
   * @throws CancellationError
   */
  static async using<Result>(
    compared: ComparedIndex,
    stored: StoredDocuments,
    { epoch, crowded, documentBytes = maxDocumentBytes }: ComparisonInput,
    work: (comparison: StoredComparison) => Promise<Result>,
  ): Promise<Result> {
    const idfTable = await compared.weights.of(epoch);
    const cache = new DocumentCache(new Kernel(createMemory()), compared.source, stored, documentBytes);
    try {
      await resultOf(cache.loadSketchesSteps(), compared);
      return await work(new StoredComparison(compared, stored, cache, { idfTable, crowded }));
    } finally {
      cache.close();
    }
  }

  /**
   * Finds the matches of seeds. Returns their records.
   *
   * @param seeds  sorted
   * @throws CancellationError
   */
  async match(seeds: Uint32Array, { scanThread, workers, monitor }: MatchResources): Promise<Uint32Array> {
    const { options } = this.#compared.method;
    const cache = this.#cache;
    const { kernel } = cache;
    const found: Uint32Array[] = [];
    const total = Math.ceil(seeds.length / seedWords / seedsOfSlice);
    let done = 0;
    const { halfBytes, contentOf, roomOf } = cache;
    const limits = { bytes: halfBytes, seeds: maxSeeds, contentOf, bytesOf: roomOf };
    for (const batch of batchesOf(seeds, limits)) {
      const mark = kernel.mark();
      await resultOf(this.#loadSteps(documentsOf(batch)), monitor);
      const address = kernel.allocate(batch.byteLength);
      kernel.words.set(batch, address >>> 2);
      const task = { ...this.#plan.task, seeds: { address, count: batch.length / seedWords } };
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
        await checkCancelled(monitor);
        for (const some of records) found.push(this.#allowed(some));
      } finally {
        await Promise.all(scanThreads.map((thread) => thread.end()));
      }
      kernel.release(mark);
      done += Math.ceil(batch.length / seedWords / seedsOfSlice);
    }
    return joinRecords(found);
  }

  /** Loads the documents of a batch: up to a gigabyte, which takes minutes from a slow disk. */
  *#loadSteps(documents: ReadonlySet<number>): Generator<void, void> {
    const { load, roomOf, contentOf } = this.#cache;
    const pace = new Pace();
    for (const document of documents) {
      load(document);
      if (pace.endsStep(20 + roomOf(contentOf(document)) / bytesInUnit)) yield;
    }
  }

  /** Returns the records that meet the requirements of their files. Precondition: their documents are in memory. */
  #allowed(records: Uint32Array): Uint32Array {
    let end = 0;
    for (const at of lastOf(this.#minimumMatch.allowed(records))) {
      records.copyWithin(end, at, at + matchWords);
      end += matchWords;
    }
    return records.slice(0, end);
  }

  /**
   * Groups the records of all matches. Reports them as the work that is done.
   *
   * @throws CancellationError
   */
  async group(records: Uint32Array, { onProgress }: Pick<ScanMonitor, 'onProgress'>): Promise<Findings> {
    const { skipped } = this.#stored;
    const total = records.length / matchWords;
    const onGrouped = (share: number): void =>
      onProgress({ phase: 'grouping', done: Math.floor(share * total), total });
    onGrouped(0);
    const steps = this.#plan.finishSteps(records, { skipped, complete: true, isFinal: true, onGrouped });
    const findings = await resultOf(steps, this.#compared);
    onGrouped(1);
    return findings;
  }
}

function* nothing(): Generator<void, void> {}
