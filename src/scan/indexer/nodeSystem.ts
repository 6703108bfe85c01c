/** Files and threads of Node for a scan. */
import { channel } from 'node:diagnostics_channel';
import { diskReader } from '../io/readSource.ts';
import type { ScanSystem } from './scanThread.ts';
import { publishStages } from './stages.ts';

/**
 * Size of a scan thread's young generation in MB. It creates few objects, since its work is in kernel memory. With the
 * default of V8, garbage would be kept longer: 4 of 128 MB on 190,000 lines of Markdown, for the same time.
 */
const youngMB = 2;

// Without a subscriber there is no cost. `bench/stageClock.mjs` subscribes.
const stages = channel('kindred.stage');
publishStages((end) => stages.publish(end));

/** @param script  dist/scanThread.js */
export function nodeSystem(script: URL): ScanSystem {
  return {
    reader: diskReader,
    threads: async () => {
      // Loaded on demand: small trees are scanned faster on a single thread.
      const { Worker } = await import('node:worker_threads');
      const resourceLimits = { maxYoungGenerationSizeMb: youngMB };
      return (memory) => new Worker(script, { workerData: memory, resourceLimits });
    },
  };
}
