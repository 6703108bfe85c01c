/** Matches seeds on one scan thread. All scan threads take slices from the same list until it is empty. */
import type { Kernel } from '../../core/engine/kernel.ts';
import { joinRecords, Matcher, type MatchTask } from '../../core/engine/matches/matches.ts';
import type { Options } from '../../core/engine/options.ts';

/** Input of a scan thread. It is cloned to the thread, except for the shared memory in it. */
export interface MatchingTask {
  readonly task: MatchTask;
  /** Start of each slice, followed by the end of the last slice. */
  readonly slices: readonly number[];
  readonly options: Options;
  /** Two words that all scan threads share: [0] index of the next slice, [1] other than 0 if matching is canceled. */
  readonly shared: Int32Array;
}

/** Matches slices until none are left or matching is canceled. Calls `onTaken` after each slice. */
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
