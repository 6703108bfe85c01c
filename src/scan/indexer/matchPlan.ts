/** Matches a plan, for a scan or a live update: reuses known matches, and matches the rest on all scan threads. */
import type { CorpusPlan } from '../../core/engine/comparison.ts';
import type { Kernel } from '../../core/engine/kernel.ts';
import type { Options } from '../../core/engine/options.ts';
import type { PlanLeft } from './earlierMatches.ts';
import { endOf } from './endOf.ts';
import { matchOnThreads } from './matchOnThreads.ts';
import type { ScanMonitor } from './scanInput.ts';
import type { ScanThread } from './scanThread.ts';
import { endStage } from './stages.ts';

interface Planned<Keep> {
  readonly kernel: Kernel;
  readonly options: Options;
  readonly plan: CorpusPlan;
  /** Determines the remaining work of the plan. */
  readonly leaving: Generator<void, PlanLeft<Keep>>;
  /** Provides additional threads for this number of seeds. They are ended here. */
  readonly threadsFor: (seeds: number) => readonly ScanThread[] | Promise<readonly ScanThread[]>;
}

/**
 * All records of a plan, or of some seeds if the monitor has cancelled, and a function that determines what to keep.
 */
export interface Matched<Keep> {
  readonly records: Uint32Array;
  readonly keep: Keep;
}

/** Returns `undefined` if the monitor cancels before the matching begins. */
export async function matchPlan<Keep>(
  { kernel, options, plan, leaving, threadsFor }: Planned<Keep>,
  monitor: ScanMonitor,
): Promise<Matched<Keep> | undefined> {
  const taken = await endOf(leaving, monitor);
  if (taken === undefined) return undefined;
  const { task, join, keep } = taken.result;
  endStage({ stage: 'seeded', bytes: kernel.usedBytes() });
  const scanThreads = await threadsFor(task.seeds.count);
  try {
    const found = await matchOnThreads(kernel, { task, options, scanThreads }, monitor, plan.compareFilesSteps());
    return { records: join(found), keep };
  } finally {
    // Releases the threads' memory before the grouping.
    for (const scanThread of scanThreads) void scanThread.end();
    endStage({ stage: 'matched', bytes: kernel.usedBytes() });
  }
}
