/** The search for seeds of all files that were indexed, or of as many as there is memory for. */
import type { CorpusPlan } from '../engine/comparison.ts';
import { Corpus } from '../engine/corpus.ts';
import { type Kernel, MemoryUsedUp } from '../engine/kernel.ts';
import type { Options } from '../engine/options.ts';
import type { Skipped } from '../engine/report/report.ts';
import { byPath } from '../io/byPath.ts';
import { endOf } from './endOf.ts';
import type { ScanThread } from './scanThread.ts';
import type { ConfiguredPaths } from './configuredPaths.ts';
import type { IndexedFile } from './indexedFile.ts';
import { noMemory } from './memoryBudget.ts';
import type { ScanMonitor } from './scanInput.ts';
import { unlessCancelled } from './sharedWork.ts';

interface Input {
  /** In the order of paths. */
  readonly files: readonly IndexedFile[];
  readonly leftOut: readonly Skipped[];
  readonly options: Options;
  /** The table by which matches are weighed; undefined to measure it. */
  readonly idfTable: Uint8Array | undefined;
  /** The budget, to be told; see `ScanRequest`. */
  readonly memoryMB: number;
  /** As `Corpus` takes it. */
  readonly paths: ConfiguredPaths;
}

/** The corpus, and all that is left out, in the order of paths. */
interface Filled {
  readonly corpus: Corpus;
  readonly skipped: readonly Skipped[];
}

/**
 * The corpus of the files of the input, in the order of paths, and its seeds; without them when the monitor cancels. When
 * there is not memory enough for the search, which takes a text that repeats itself without end, the last quarter of the
 * files is left out, and again.
 *
 * @param scanThread  searches, while this thread compares files as wholes
 */
export async function planWithin(
  kernel: Kernel,
  input: Input,
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
      // With less memory than it takes to have it apart, the search may fit nevertheless.
      const planned = beside ?? (monitor.cancelled() ? undefined : await endOf(corpus.planSteps(), monitor));
      // The scan threads need some as well.
      if (kernel.usedBytes() > mostBytesBeforeMatching) throw new MemoryUsedUp('There is none left for matching.');
      return { ...filled, plan: planned?.result };
    } catch (error) {
      if (!(error instanceof MemoryUsedUp) || kept.length === 0) throw error;
      kernel.release(mark);
      kept = kept.slice(0, Math.floor(kept.length * 0.75));
    }
  }
}

/**
 * The plan of a corpus, the search for which is a scan thread's; undefined when there is not memory enough, or when the monitor
 * cancels: then the scan thread goes on.
 */
async function planBeside(
  corpus: Corpus,
  scanThread: ScanThread,
  monitor: Pick<ScanMonitor, 'cancelled'>,
): Promise<{ readonly result: CorpusPlan } | undefined> {
  const begun = corpus.beginPlan();
  const search = scanThread.search(begun.search);
  // It may fail before anybody waits for it.
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

/** 256 MiB of the 4 GiB are for matching: some ten for each scan thread. */
const mostBytesBeforeMatching = 2 ** 32 - 2 ** 28;

/** A corpus of the first files of the input, `kept`; the others are left out. */
export function fillCorpus(
  kernel: Kernel,
  { files, leftOut, options, idfTable, memoryMB, paths }: Input,
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
