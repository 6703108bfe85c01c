/** Creates a corpus of all indexed files and searches it for seeds. If memory is insufficient, uses fewer files. */
import type { CorpusPlan } from '../../core/engine/comparison.ts';
import { Corpus } from '../../core/engine/corpus.ts';
import { type Kernel, MemoryExhaustedError } from '../../core/engine/kernel.ts';
import type { Options } from '../../core/engine/options.ts';
import type { SkippedFile } from '../../core/engine/report/report.ts';
import { byPath } from '../io/byPath.ts';
import { type EarlierMatches, knownOverlaps } from './earlierMatches.ts';
import { endOf } from './endOf.ts';
import type { ScanThread } from './scanThread.ts';
import type { ConfiguredPaths } from './configuredPaths.ts';
import type { IndexedFile } from './indexedFile.ts';
import { noMemory } from './memoryBudget.ts';
import type { ScanMonitor } from './scanInput.ts';
import { unlessCancelled } from './sharedWork.ts';

export interface CorpusInput {
  readonly files: readonly IndexedFile[];
  readonly leftOut: readonly SkippedFile[];
  readonly options: Options;
  /** The idf table for matching, or `undefined` to measure it. */
  readonly idfTable: Uint8Array | undefined;
  /** Memory budget, to be named in messages; see `ScanRequest`. */
  readonly memoryMB: number;
  readonly paths: ConfiguredPaths;
  /** Stored results, from which comparisons of whole files are reused. */
  readonly earlier?: EarlierMatches | undefined;
}

/** A corpus, and all skipped files in path order. */
interface FilledCorpus {
  readonly corpus: Corpus;
  readonly skipped: readonly SkippedFile[];
}

/**
 * Returns a corpus of the files, in the order of paths, with a plan that contains its seeds. If the monitor cancels,
 * there is no plan. Extremely repetitive texts may need more memory than is available. In that case, skips the last
 * quarter of the files and searches again.
 *
 * @param scanThread  thread that searches for seeds while this thread compares whole files
 */
export async function planWithin(
  kernel: Kernel,
  input: CorpusInput,
  monitor: Pick<ScanMonitor, 'cancelled'>,
  scanThread?: ScanThread,
): Promise<FilledCorpus & { readonly plan: CorpusPlan | undefined }> {
  const mark = kernel.mark();
  for (let kept = input.files; ;) {
    const filled = fillCorpus(kernel, input, kept);
    try {
      const { corpus } = filled;
      if (monitor.cancelled()) return { ...filled, plan: undefined };
      const beside = scanThread && (await planBeside(corpus, scanThread, monitor));
      // If the search on the other thread has failed, search on this thread. This needs less memory, so it may succeed.
      const planned = beside ?? (monitor.cancelled() ? undefined : await endOf(corpus.planSteps(), monitor));
      // Leave memory for the scan threads, which need it for matching.
      if (kernel.usedBytes() > maxBytesBeforeMatching)
        throw new MemoryExhaustedError('There is none left for matching.');
      return { ...filled, plan: planned?.result };
    } catch (error) {
      if (!(error instanceof MemoryExhaustedError) || kept.length === 0) throw error;
      kernel.release(mark);
      kept = kept.slice(0, Math.floor(kept.length * 0.75));
    }
  }
}

/**
 * Lets a scan thread search for the seeds of a corpus, and returns the plan. Returns `undefined` if memory is
 * insufficient or the monitor cancels. After a cancellation, the scan thread continues to run.
 */
async function planBeside(
  corpus: Corpus,
  scanThread: ScanThread,
  monitor: Pick<ScanMonitor, 'cancelled'>,
): Promise<{ readonly result: CorpusPlan } | undefined> {
  const begun = corpus.beginPlan();
  const search = scanThread.call('search', begun.search);
  // The search may fail before its promise is awaited, so handle the rejection here.
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
  if (error instanceof MemoryExhaustedError) return 'used up';
  throw error;
}

/** Maximum memory in use before matching: 4 GiB less 256 MiB, of which each scan thread needs about 10. */
const maxBytesBeforeMatching = 2 ** 32 - 2 ** 28;

/** Returns a corpus of the first `kept` files. All other files are skipped. */
export function fillCorpus(
  kernel: Kernel,
  { files, leftOut, options, idfTable, memoryMB, paths, earlier }: CorpusInput,
  kept: readonly IndexedFile[],
): FilledCorpus {
  const past = files.slice(kept.length).map(({ path, content }) => noMemory(path, content, memoryMB));
  const skipped = [...leftOut, ...past];
  const corpus = new Corpus(kernel, options, idfTable, paths.chosenCategory, paths.minimumOf);
  for (const { path, content } of kept) {
    if ('reason' in content) skipped.push(content);
    else corpus.adopt(path, content);
  }
  for (const { a, b, counts } of earlier ? knownOverlaps(kept, earlier) : []) corpus.knowOverlap(a, b, counts);
  skipped.sort(byPath);
  return { corpus, skipped };
}
