/** Script of a scan thread: runs jobs one after another on the memory of the scan. */
import { getEnvironmentData, parentPort, workerData } from 'node:worker_threads';
import { config } from '@vscode/l10n';
import { Kernel, type KernelMemory, MemoryUsedUp } from '../../core/engine/kernel.ts';
import { type PlanSearch, searchApart } from '../../core/engine/matches/matchPlan.ts';
import type { AllSeeds } from '../../core/engine/seeds/seeds.ts';
import { indexFiles } from './indexFiles.ts';
import { type ScanThreadJob, translationsKey } from './scanThread.ts';
import { matchSlices } from './matchSlices.ts';

const port = parentPort;
if (!port) throw new Error('This script runs as a thread of a scan only.');
const translations = getEnvironmentData(translationsKey) as Readonly<Record<string, string>> | undefined;
if (translations) config({ contents: translations });
const kernel = new Kernel(workerData as KernelMemory);

port.on('message', (job: ScanThreadJob) => void answer(job));

async function answer(job: ScanThreadJob): Promise<void> {
  switch (job.type) {
    case 'index':
      port!.postMessage(await indexFiles(kernel, job.task, () => Promise.resolve()));
      return;
    case 'search':
      port!.postMessage(seedsOf(job.search));
      return;
    case 'match': {
      const records = await matchSlices(kernel, job.task, () => Promise.resolve());
      port!.postMessage(records, [records.buffer as ArrayBuffer]);
    }
  }
}

function seedsOf(search: PlanSearch): AllSeeds | undefined {
  try {
    return searchApart(kernel, search);
  } catch (error) {
    if (error instanceof MemoryUsedUp) return undefined;
    throw error;
  }
}
