/** Runs the jobs of a scan thread, one after another, on the kernel memory that the scan's threads share. */
import { Kernel, type KernelMemory, MemoryUsedUp } from '../../core/engine/kernel.ts';
import { type PlanSearch, searchApart } from '../../core/engine/matches/matchPlan.ts';
import type { AllSeeds } from '../../core/engine/seeds/seeds.ts';
import type { SourceReader } from '../io/sourceReader.ts';
import { indexFiles } from './indexFiles.ts';
import { matchSlices } from './matchSlices.ts';
import type { ScanThreadJob } from './scanThread.ts';

/** Message port to the thread that sends jobs. */
interface Port {
  postMessage(answer: unknown, transfer?: readonly ArrayBuffer[]): void;
  on(event: 'message', listener: (job: ScanThreadJob) => void): unknown;
}

export function serveScan(port: Port, memory: KernelMemory, reader: SourceReader): void {
  const kernel = new Kernel(memory);
  port.on('message', (job) => void answer(job));

  async function answer(job: ScanThreadJob): Promise<void> {
    switch (job.type) {
      case 'index':
        port.postMessage(await indexFiles(kernel, reader, job.task, () => Promise.resolve()));
        return;
      case 'search':
        port.postMessage(seedsOf(kernel, job.search));
        return;
      case 'match': {
        const records = await matchSlices(kernel, job.task, () => Promise.resolve());
        port.postMessage(records, [records.buffer as ArrayBuffer]);
      }
    }
  }
}

function seedsOf(kernel: Kernel, search: PlanSearch): AllSeeds | undefined {
  try {
    return searchApart(kernel, search);
  } catch (error) {
    if (error instanceof MemoryUsedUp) return undefined;
    throw error;
  }
}
