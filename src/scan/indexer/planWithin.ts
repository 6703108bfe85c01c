/** Searches for seeds in all indexed files, or in as many as fit in memory. */
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

/** Input of a corpus. */
export interface CorpusInput {
  readonly files: readonly IndexedFile[];
  readonly leftOut: readonly Skipped[];
  readonly options: Options;
  /** The idf table for matches; `undefined` to measure it. */
  readonly idfTable: Uint8Array | undefined;
  /** Memory budget, to be mentioned in messages; see `ScanRequest`. */
  readonly memoryMB: number;
  /** Rules for paths, as `Corpus` expects them. */
  readonly paths: ConfiguredPaths;
}

/** A corpus, and all skipped files in path order. */
interface Filled {
  readonly corpus: Corpus;
  readonly skipped: readonly Skipped[];
}

/**
 * Returns a corpus of the files, in path order, with its seeds. If the monitor cancels, returns it without seeds.
 * Extremely repetitive texts may need more memory than there is. Then the last quarter of the files is skipped, and the
 * search is repeated.
 *
 * @param scanThread  thread that searches for seeds while this thread compares whole files
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
      // A search on this thread needs less memory, so it may still succeed.
      const planned = beside ?? (monitor.cancelled() ? undefined : await endOf(corpus.planSteps(), monitor));
      // The scan threads will need memory for matching.
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
 * Returns the plan of a corpus, whose seeds a scan thread searches for. Returns `undefined` if memory is insufficient
 * or the monitor cancels. After a cancellation, the scan thread continues to run.
 */
async function planBeside(
  corpus: Corpus,
  scanThread: ScanThread,
  monitor: Pick<ScanMonitor, 'cancelled'>,
): Promise<{ readonly result: CorpusPlan } | undefined> {
  const begun = corpus.beginPlan();
  const search = scanThread.search(begun.search);
  // The search may fail before it is awaited, so handle its rejection.
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

/**
 * Maximum memory in use before matching, for which 256 MiB of the 4 GiB are reserved. Each scan thread needs about ten
 * MiB.
 */
const maxBytesBeforeMatching = 2 ** 32 - 2 ** 28;

/** Returns a corpus of the first `kept` files of the input. The other files are skipped. */
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
