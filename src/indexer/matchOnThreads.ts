/** Matching of all seeds of a task, on several threads at once. */
import { setImmediate } from 'node:timers/promises';
import type { Kernel } from '../engine/kernel.ts';
import { type MatchTask, sliceSeeds } from '../engine/matches/matches.ts';
import type { Options } from '../engine/options.ts';
import { endOf } from './endOf.ts';
import type { ScanThread } from './scanThread.ts';
import { matchSlices } from './matchSlices.ts';
import { type ScanMonitor, seedsOfSlice } from './scanInput.ts';
import { resultsOf } from './sharedWork.ts';

/** Fewer slices of seeds than this are matched before another thread has started. */
const slicesWorthThread = 40;

/** How many threads beside this one are worth being started for so many seeds. */
export function threadsForSeeds(seeds: number, workers: number): number {
  return Math.min(workers, 1 + Math.floor(seeds / seedsOfSlice / slicesWorthThread)) - 1;
}

/** What is matched, and with whom. */
interface Matching {
  readonly task: MatchTask;
  readonly options: Options;
  /** Threads beside this one, with nothing else to do. */
  readonly scanThreads: readonly ScanThread[];
}

/**
 * The records of matches that the seeds lead to, in any order; of some of them only when the monitor cancels. None of the
 * scan threads uses the kernel's memory any more when they are there, or when it has failed.
 *
 * @param meanwhile  what this thread does first, while the others match
 */
export async function matchOnThreads(
  kernel: Kernel,
  { task, options, scanThreads }: Matching,
  monitor: ScanMonitor,
  meanwhile: Generator<void, void>,
): Promise<readonly Uint32Array[]> {
  const slices = sliceSeeds(kernel, task.seeds, seedsOfSlice);
  const total = slices.length - 1;
  const shared = new Int32Array(new SharedArrayBuffer(2 * 4));
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
      await setImmediate();
      look();
    });
  };
  look();
  return resultsOf([...scanThreads.map((scanThread) => scanThread.match(matching)), own()], stop);
}
