/** Waits for work that is divided between this thread and other threads. */
import type { ScanMonitor } from './scanInput.ts';

/**
 * Waits until all shares of the work are done and returns their results. If a share fails, stops the other shares,
 * waits for them, and then rejects. So no thread uses the shared memory afterwards.
 *
 * @param stop  makes all shares end early
 */
export async function resultsOf<Result>(shares: readonly Promise<Result>[], stop: () => void): Promise<Result[]> {
  for (const share of shares) share.catch(stop);
  await Promise.allSettled(shares);
  return Promise.all(shares);
}

/** Interval at which `cancelled` is checked. A cancellation triggers no event. */
const checkEveryMs = 20;

/**
 * Resolves with the result of the work. If the monitor cancels earlier, resolves with `undefined`. The work then
 * continues in the background, and its outcome is ignored.
 */
export async function unlessCancelled<Result>(
  work: Promise<Result>,
  { cancelled }: Pick<ScanMonitor, 'cancelled'>,
): Promise<{ readonly result: Result } | undefined> {
  let isDone = false;
  const done = work.finally(() => (isDone = true));
  // After a cancellation, the promise is not awaited, so handle its rejection here.
  done.catch(() => undefined);
  while (!isDone) {
    await Promise.race([done, new Promise((resolve) => setTimeout(resolve, checkEveryMs))]);
    if (cancelled()) return undefined;
  }
  return { result: await done };
}
