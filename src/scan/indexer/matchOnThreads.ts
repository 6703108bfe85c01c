/** Matches all seeds of a task on several threads. */
import { nextTurn, sharedBytes } from '../../core/collections/threads.ts';
import type { Kernel } from '../../core/engine/kernel.ts';
import { type MatchTask, sliceSeeds } from '../../core/engine/matches/matches.ts';
import type { Options } from '../../core/engine/options.ts';
import { endOf } from './endOf.ts';
import type { ScanThread } from './scanThread.ts';
import { matchSlices } from './matchSlices.ts';
import { type ScanMonitor, seedsOfSlice } from './scanInput.ts';
import { resultsOf } from './sharedWork.ts';

/** With fewer slices, the matching ends before another thread has started. */
const slicesWorthThread = 40;

/** Returns the number of additional threads that pay off for this number of seeds. */
export function threadsForSeeds(seeds: number, workers: number): number {
  return Math.min(workers, 1 + Math.floor(seeds / seedsOfSlice / slicesWorthThread)) - 1;
}

interface Matching {
  readonly task: MatchTask;
  readonly options: Options;
  /** Additional threads, which must be idle. */
  readonly scanThreads: readonly ScanThread[];
}

/**
 * Returns the match records of the seeds, in any order; those of some seeds if the monitor cancels. When it resolves or
 * rejects, no scan thread uses the kernel memory any more.
 *
 * @param meanwhile  runs first on this thread, while the others match
 */
export async function matchOnThreads(
  kernel: Kernel,
  { task, options, scanThreads }: Matching,
  monitor: ScanMonitor,
  meanwhile: Generator<void, void>,
): Promise<readonly Uint32Array[]> {
  const slices = sliceSeeds(kernel, task.seeds, seedsOfSlice);
  const total = slices.length - 1;
  const shared = new Int32Array(sharedBytes(2 * 4));
  const matching = { task, slices, options, shared };
  const stop = (): void => void Atomics.store(shared, 1, 1);
  const look = (): void => {
    monitor.onProgress({ phase: 'matching', done: Math.min(Atomics.load(shared, 0), total), total });
    if (monitor.cancelled()) stop();
  };
  const own = async (): Promise<Uint32Array> => {
    const cancelled = (): boolean => {
      look();
      return Atomics.load(shared, 1) !== 0;
    };
    await endOf(meanwhile, { cancelled });
    return matchSlices(kernel, matching, async () => {
      await nextTurn();
      look();
    });
  };
  look();
  return resultsOf([...scanThreads.map((scanThread) => scanThread.match(matching)), own()], stop);
}
