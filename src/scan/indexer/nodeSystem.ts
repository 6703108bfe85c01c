/** The parts of Node that a scan needs: files and threads. */
import { channel } from 'node:diagnostics_channel';
import { diskReader } from '../io/readSource.ts';
import type { ScanSystem } from './scanThread.ts';
import { publishStages } from './stages.ts';

/**
 * Size in MB of the young generation of a scan thread's heap. A scan thread works in kernel memory and creates few
 * objects. With V8's default, garbage would be kept longer: for 190,000 lines of Markdown, a scan would need 4 MB more
 * than the present 128 MB, without being faster.
 */
const youngMB = 2;

// Publishing costs nothing without subscribers. `bench/stageClock.mjs` subscribes.
const stages = channel('kindred.stage');
publishStages((end) => stages.publish(end));

/** @param script  URL of dist/scanThread.js */
export function nodeSystem(script: URL): ScanSystem {
  return {
    reader: diskReader,
    threads: async () => {
      // Load the module only if it is needed, because small trees are scanned on a single thread.
      const { Worker } = await import('node:worker_threads');
      const resourceLimits = { maxYoungGenerationSizeMb: youngMB };
      return (memory) => new Worker(script, { workerData: memory, resourceLimits });
    },
  };
}
