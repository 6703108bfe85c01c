/** Work shared by this thread and others. */
import type { ScanMonitor } from './scanInput.ts';

/**
 * Returns the results of all shares. If one fails, the others are stopped, and the promise rejects after they have
 * ended: then no thread uses the shared memory.
 *
 * @param stop  ends shares early
 */
export async function resultsOf<Result>(shares: readonly Promise<Result>[], stop: () => void): Promise<Result[]> {
  for (const share of shares) share.catch(stop);
  await Promise.allSettled(shares);
  return Promise.all(shares);
}

/** Cancellation has no event and must be polled. */
const lookEveryMs = 20;

/**
 * Resolves with the result; `undefined` if the monitor cancels before. The work then continues, and its outcome is
 * ignored.
 */
export async function unlessCancelled<Result>(
  work: Promise<Result>,
  { cancelled }: Pick<ScanMonitor, 'cancelled'>,
): Promise<{ readonly result: Result } | undefined> {
  let isDone = false;
  const done = work.finally(() => (isDone = true));
  // It may fail when nothing awaits it any more.
  done.catch(() => undefined);
  while (!isDone) {
    await Promise.race([done, new Promise((resolve) => setTimeout(resolve, lookEveryMs))]);
    if (cancelled()) return undefined;
  }
  return { result: await done };
}
