/** Matches a plan, for a scan or an update: reuses stored matches, and finds others on all scan threads. */
import type { CorpusPlan } from '../../core/engine/comparison.ts';
import type { Kernel } from '../../core/engine/kernel.ts';
import type { Options } from '../../core/engine/options.ts';
import type { RemainingPlan } from './earlierMatches.ts';
import { endOf } from './endOf.ts';
import { matchOnThreads } from './matchOnThreads.ts';
import type { ScanMonitor } from './scanInput.ts';
import type { ScanThread } from './scanThread.ts';
import { endStage } from './stages.ts';

interface PlanInput<Keep> {
  readonly kernel: Kernel;
  readonly options: Options;
  readonly plan: CorpusPlan;
  /** Generator that removes pairs with stored matches from the plan. Returns the rest of the plan. */
  readonly leaving: Generator<void, RemainingPlan<Keep>>;
  /** Returns additional threads for a number of seeds. `matchPlan` ends them. */
  readonly threadsFor: (seeds: number) => readonly ScanThread[] | Promise<readonly ScanThread[]>;
}

/**
 * All match records of a plan, stored comparisons for its report, and `keep`, which prepares them for storage. After a
 * cancellation, contains only the records found before it.
 */
export interface MatchedPlan<Keep> extends Pick<RemainingPlan<Keep>, 'compared' | 'keep'> {
  readonly records: Uint32Array;
}

/** Matches a plan. Returns `undefined` if the monitor cancels before matching begins. */
export async function matchPlan<Keep>(
  { kernel, options, plan, leaving, threadsFor }: PlanInput<Keep>,
  monitor: ScanMonitor,
): Promise<MatchedPlan<Keep> | undefined> {
  const taken = await endOf(leaving, monitor);
  if (taken === undefined) return undefined;
  const { task, join, ...left } = taken.result;
  endStage({ stage: 'seeded', bytes: kernel.usedBytes() });
  const scanThreads = await threadsFor(task.seeds.count);
  try {
    const found = await matchOnThreads(kernel, { task, options, scanThreads }, monitor, plan.compareFilesSteps());
    return { ...left, records: join(found) };
  } finally {
    // End the threads now, so that their memory is released before groups are created.
    for (const scanThread of scanThreads) void scanThread.end();
    endStage({ stage: 'matched', bytes: kernel.usedBytes() });
  }
}
