/** The search for seeds of all files that were indexed, or of as many as there is memory for. */
import { Corpus, type MatchPlan } from '../engine/corpus.ts';
import { type Kernel, MemoryUsedUp } from '../engine/kernel.ts';
import type { Options } from '../engine/options.ts';
import type { Skipped } from '../engine/report.ts';
import { endOf } from './endOf.ts';
import type { IndexedFile } from './indexStore.ts';
import { noMemory } from './memoryBudget.ts';
import type { ScanMonitor } from './scanInput.ts';

interface Input {
  /** In the order of paths. */
  readonly files: readonly IndexedFile[];
  readonly leftOut: readonly Skipped[];
  readonly options: Options;
  /** The table by which matches are weighed; undefined to measure it. */
  readonly rarities: Uint8Array | undefined;
  /** The budget, to be told; see `ScanRequest`. */
  readonly memoryMB: number;
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
 */
export async function planWithin(
  kernel: Kernel,
  input: Input,
  monitor: Pick<ScanMonitor, 'cancelled'>,
): Promise<Filled & { readonly plan: MatchPlan | undefined }> {
  const mark = kernel.mark();
  for (let kept = input.files; ;) {
    const filled = fillCorpus(kernel, input, kept);
    try {
      const planned = await endOf(filled.corpus.planning(), monitor);
      // The lanes need some as well.
      if (kernel.usedBytes() > mostBytesBeforeMatching) throw new MemoryUsedUp('There is none left for matching.');
      return { ...filled, plan: planned?.result };
    } catch (error) {
      if (!(error instanceof MemoryUsedUp) || kept.length === 0) throw error;
      kernel.release(mark);
      kept = kept.slice(0, Math.floor(kept.length * 0.75));
    }
  }
}

/** 256 MiB of the 4 GiB are for matching: some ten for each lane. */
const mostBytesBeforeMatching = 2 ** 32 - 2 ** 28;

/** A corpus of the first files of the input, `kept`; the others are left out. */
export function fillCorpus(
  kernel: Kernel,
  { files, leftOut, options, rarities, memoryMB }: Input,
  kept: readonly IndexedFile[],
): Filled {
  const past = files.slice(kept.length).map(({ path, content }) => noMemory(path, content, memoryMB));
  const skipped = [...leftOut, ...past];
  const corpus = new Corpus(kernel, options, rarities);
  for (const { path, content } of kept) {
    if ('reason' in content) skipped.push(content);
    else corpus.adopt(path, content);
  }
  skipped.sort((x, y) => (x.path < y.path ? -1 : x.path > y.path ? 1 : 0));
  return { corpus, skipped };
}
