/** One scan thread's share of matching: it takes the next slice of the seeds, as all scan threads do, until none are left. */
import type { Kernel } from '../engine/kernel.ts';
import { joinRecords, Matcher, type MatchTask } from '../engine/matches/matches.ts';
import type { Options } from '../engine/options.ts';

/** What a scan thread needs to know to match. It is cloned to the thread; memory and counters are shared. */
export interface MatchingTask {
  readonly task: MatchTask;
  /** Where slices begin; the last entry is where the last one ends. */
  readonly slices: readonly number[];
  readonly options: Options;
  /** Words shared by all scan threads: [0] the next slice to take, [1] not 0 when cancelled. */
  readonly shared: Int32Array;
}

/** Matches slices until none are left or it is cancelled; `onTaken` is called after each. */
export async function matchSlices(
  kernel: Kernel,
  { task, slices, options, shared }: MatchingTask,
  onTaken: () => Promise<void>,
): Promise<Uint32Array> {
  const matcher = new Matcher(kernel, task, options);
  const found: Uint32Array[] = [];
  for (;;) {
    const slice = Atomics.add(shared, 0, 1);
    if (slice + 1 >= slices.length || Atomics.load(shared, 1) !== 0) return joinRecords(found);
    found.push(matcher.matchSeeds(slices[slice]!, slices[slice + 1]!));
    await onTaken();
  }
}
