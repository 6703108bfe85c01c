/** Searches for seeds of all indexed files, or of as many as fit into memory. */
import type { CorpusPlan } from '../../core/engine/comparison.ts';
import { Corpus } from '../../core/engine/corpus.ts';
import { type Kernel, MemoryUsedUp } from '../../core/engine/kernel.ts';
import type { Options } from '../../core/engine/options.ts';
import type { Skipped } from '../../core/engine/report/report.ts';
import { byPath } from '../io/byPath.ts';
import { endOf } from './endOf.ts';
import type { ScanThread } from './scanThread.ts';
import type { ConfiguredPaths } from './configuredPaths.ts';
import type { IndexedFile } from './indexedFile.ts';
import { noMemory } from './memoryBudget.ts';
import type { ScanMonitor } from './scanInput.ts';
import { unlessCancelled } from './sharedWork.ts';

/** Contents and requirements of a corpus. */
export interface CorpusInput {
  readonly files: readonly IndexedFile[];
  readonly leftOut: readonly Skipped[];
  readonly options: Options;
  /** The idf table for matches; `undefined` to measure it. */
  readonly idfTable: Uint8Array | undefined;
  /** Budget for messages; see `ScanRequest`. */
  readonly memoryMB: number;
  /** As required by `Corpus`. */
  readonly paths: ConfiguredPaths;
}

/** The corpus, and all skipped files, in path order. */
interface Filled {
  readonly corpus: Corpus;
  readonly skipped: readonly Skipped[];
}

/**
 * Returns the corpus of the input files, in path order, with its seeds; without seeds if the monitor cancels. If memory
 * is insufficient for the search, which happens for extremely repetitive texts, the last quarter of the files is
 * skipped, repeatedly.
 *
 * @param scanThread  searches while this thread compares whole files
 */
export async function planWithin(
  kernel: Kernel,
  input: CorpusInput,
  monitor: Pick<ScanMonitor, 'cancelled'>,
  scanThread?: ScanThread,
): Promise<Filled & { readonly plan: CorpusPlan | undefined }> {
  const mark = kernel.mark();
  for (let kept = input.files; ;) {
    const filled = fillCorpus(kernel, input, kept);
    try {
      const { corpus } = filled;
      if (monitor.cancelled()) return { ...filled, plan: undefined };
      const beside = scanThread && (await planBeside(corpus, scanThread, monitor));
      // On this thread the search needs less memory, so it may succeed.
      const planned = beside ?? (monitor.cancelled() ? undefined : await endOf(corpus.planSteps(), monitor));
      // The scan threads also need memory.
      if (kernel.usedBytes() > maxBytesBeforeMatching) throw new MemoryUsedUp('There is none left for matching.');
      return { ...filled, plan: planned?.result };
    } catch (error) {
      if (!(error instanceof MemoryUsedUp) || kept.length === 0) throw error;
      kernel.release(mark);
      kept = kept.slice(0, Math.floor(kept.length * 0.75));
    }
  }
}

/**
 * Returns the plan of a corpus, with the search on a scan thread; `undefined` if memory is insufficient or the monitor
 * cancels. After a cancellation, the scan thread continues.
 */
async function planBeside(
  corpus: Corpus,
  scanThread: ScanThread,
  monitor: Pick<ScanMonitor, 'cancelled'>,
): Promise<{ readonly result: CorpusPlan } | undefined> {
  const begun = corpus.beginPlan();
  const search = scanThread.search(begun.search);
  // It may fail before it is awaited.
  search.catch(() => undefined);
  const compared = await endOf(begun.compareFilesSteps(), monitor).catch(usedUp);
  const found = compared && (await unlessCancelled(search, monitor));
  if (found === undefined) return undefined;
  const seeds = found.result;
  if (seeds !== undefined && compared !== 'used up') return { result: begun.complete(seeds) };
  begun.abandon();
  return undefined;
}

function usedUp(error: unknown): 'used up' {
  if (error instanceof MemoryUsedUp) return 'used up';
  throw error;
}

/** 256 MiB of the 4 GiB are reserved for matching: about ten for each scan thread. */
const maxBytesBeforeMatching = 2 ** 32 - 2 ** 28;

/** Returns a corpus of the first `kept` files of the input; the others are skipped. */
export function fillCorpus(
  kernel: Kernel,
  { files, leftOut, options, idfTable, memoryMB, paths }: CorpusInput,
  kept: readonly IndexedFile[],
): Filled {
  const past = files.slice(kept.length).map(({ path, content }) => noMemory(path, content, memoryMB));
  const skipped = [...leftOut, ...past];
  const corpus = new Corpus(kernel, options, idfTable, paths.chosen, paths.leastOf);
  for (const { path, content } of kept) {
    if ('reason' in content) skipped.push(content);
    else corpus.adopt(path, content);
  }
  skipped.sort(byPath);
  return { corpus, skipped };
}
