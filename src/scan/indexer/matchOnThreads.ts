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

/** Minimum number of slices per additional thread. With fewer, matching would end before the thread has started. */
const slicesWorthThread = 40;

/** Returns the number of additional threads that are worth starting for a number of seeds. */
export function threadsForSeeds(seeds: number, workers: number): number {
  return Math.min(workers, 1 + Math.floor(seeds / seedsOfSlice / slicesWorthThread)) - 1;
}

interface MatchJob {
  readonly task: MatchTask;
  readonly options: Options;
  /** Additional threads. Precondition: none of them is running a job. */
  readonly scanThreads: readonly ScanThread[];
}

/**
 * Matches the seeds. Returns match records in arbitrary order. If the monitor cancels, returns the records found so
 * far. When the promise has settled, no scan thread uses kernel memory anymore.
 *
 * @param meanwhile  work that this thread does first, while the other threads are already matching
 */
export async function matchOnThreads(
  kernel: Kernel,
  { task, options, scanThreads }: MatchJob,
  monitor: ScanMonitor,
  meanwhile: Generator<void, void>,
): Promise<readonly Uint32Array[]> {
  const slices = sliceSeeds(kernel, task.seeds, seedsOfSlice);
  const total = slices.length - 1;
  const shared = new Int32Array(sharedBytes(2 * 4));
  const matching = { task, slices, options, shared };
  const stop = (): void => void Atomics.store(shared, 1, 1);
  const checkMonitor = (): void => {
    monitor.onProgress({ phase: 'matching', done: Math.min(Atomics.load(shared, 0), total), total });
    if (monitor.cancelled()) stop();
  };
  const own = async (): Promise<Uint32Array> => {
    const cancelled = (): boolean => {
      checkMonitor();
      return Atomics.load(shared, 1) !== 0;
    };
    await endOf(meanwhile, { cancelled });
    return matchSlices(kernel, matching, async () => {
      await nextTurn();
      checkMonitor();
    });
  };
  checkMonitor();
  return resultsOf([...scanThreads.map((scanThread) => scanThread.call('match', matching)), own()], stop);
}
