/** Runs the jobs of a scan thread, one after another, on the kernel memory that the scan's threads share. */
import { Kernel, type KernelMemory, MemoryExhaustedError } from '../../core/engine/kernel.ts';
import { type PlanSearch, searchApart } from '../../core/engine/matches/matchPlan.ts';
import type { AllSeeds } from '../../core/engine/seeds/seeds.ts';
import type { SourceReader } from '../io/sourceReader.ts';
import { indexFiles } from './indexFiles.ts';
import { matchSlices } from './matchSlices.ts';
import type { ScanMethods, ScanThreadJob } from './scanThread.ts';

/** Message port to the thread that sends jobs. */
interface Port {
  postMessage(answer: unknown, transfer?: readonly ArrayBuffer[]): void;
  on(event: 'message', listener: (job: ScanThreadJob) => void): unknown;
}

export function serveScan(port: Port, memory: KernelMemory, reader: SourceReader): void {
  const kernel = new Kernel(memory);
  const methods: ScanMethods = {
    index: (task) => indexFiles(kernel, reader, task, () => Promise.resolve()),
    search: (search) => Promise.resolve(seedsOf(kernel, search)),
    match: (task) => matchSlices(kernel, task, () => Promise.resolve()),
  };
  port.on('message', (job) => void answer(job));

  async function answer({ type, param }: ScanThreadJob): Promise<void> {
    const result = await methods[type](param as never);
    port.postMessage(result, result instanceof Uint32Array ? [result.buffer as ArrayBuffer] : []);
  }
}

function seedsOf(kernel: Kernel, search: PlanSearch): AllSeeds | undefined {
  try {
    return searchApart(kernel, search);
  } catch (error) {
    if (error instanceof MemoryExhaustedError) return undefined;
    throw error;
  }
}
