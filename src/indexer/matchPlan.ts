/** Matching of a plan, for a scan and for what follows one up: what is not known of it already, on all scan threads. */
import type { CorpusPlan } from '../engine/comparison.ts';
import type { Kernel } from '../engine/kernel.ts';
import type { Options } from '../engine/options.ts';
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
  /** Leads to what is left to do of it. */
  readonly leaving: Generator<void, PlanLeft<Keep>>;
  /** The threads that match so many seeds beside this one. They are ended here. */
  readonly threadsFor: (seeds: number) => readonly ScanThread[] | Promise<readonly ScanThread[]>;
}

/** All records of a plan, of some seeds only when the monitor has cancelled, and what makes of them what is kept. */
export interface Matched<Keep> {
  readonly records: Uint32Array;
  readonly keep: Keep;
}

/** Undefined when the monitor cancels before the matching begins. */
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
    // What they have taken of memory is given back before the groups are made.
    for (const scanThread of scanThreads) scanThread.end();
    endStage({ stage: 'matched', bytes: kernel.usedBytes() });
  }
}
