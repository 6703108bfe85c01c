/** Reads and indexes files on several threads over one shared memory. */
import { nextTurn } from '../../core/collections/threads.ts';
import type { Kernel } from '../../core/engine/kernel.ts';
import type { SourceReader } from '../io/sourceReader.ts';
import { indexFiles, type IndexingTask, type ReadFile } from './indexFiles.ts';
import type { ScanMonitor } from './scanInput.ts';
import type { ScanThread } from './scanThread.ts';
import { resultsOf, unlessCancelled } from './sharedWork.ts';

interface IndexingJob {
  readonly reader: SourceReader;
  readonly task: IndexingTask;
  readonly scanThreads: readonly ScanThread[];
}

/**
 * Reads and indexes files on this thread and on the scan threads. `monitor` may cancel the work; the result then has
 * the files that have been read. If `ending` is also canceled, the result is not needed: the function then does not
 * wait for the scan threads, because they may still be starting.
 */
export async function indexOnThreads(
  kernel: Kernel,
  { reader, task, scanThreads }: IndexingJob,
  monitor: Pick<ScanMonitor, 'onProgress' | 'cancelled'>,
  ending: Pick<ScanMonitor, 'cancelled'>,
): Promise<readonly ReadFile[]> {
  const { shared } = task;
  const total = task.files.length;
  const stop = (): void => void Atomics.store(shared, 1, 1);
  // Runs between files. Reports the progress of all scan threads, and checks for a cancellation.
  const onTurn = async (): Promise<void> => {
    monitor.onProgress({ phase: 'reading', done: Math.min(Atomics.load(shared, 0), total), total });
    await nextTurn();
    if (monitor.cancelled()) stop();
  };
  const own = indexFiles(kernel, reader, task, onTurn);
  const all = await unlessCancelled(
    resultsOf([own, ...scanThreads.map((scanThread) => scanThread.call('index', task))], stop),
    ending,
  );
  if (all) return all.result.flatMap(({ read }) => read);
  stop();
  return (await own).read;
}
