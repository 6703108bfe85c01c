/** Matches seeds on one scan thread. All scan threads take slices from the same list until none are left. */
import type { Kernel } from '../../core/engine/kernel.ts';
import { joinRecords, Matcher, type MatchTask } from '../../core/engine/matches/matches.ts';
import type { Options } from '../../core/engine/options.ts';

/** Inputs for a scan thread. Cloned to the thread; memory and counters are shared. */
export interface MatchingTask {
  readonly task: MatchTask;
  /** Start of each slice; the last entry is the end of the last slice. */
  readonly slices: readonly number[];
  readonly options: Options;
  /** Words shared by all scan threads: [0] the next slice, [1] not 0 if cancelled. */
  readonly shared: Int32Array;
}

/** Matches slices until none are left or it is cancelled. Calls `onTaken` after each. */
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
