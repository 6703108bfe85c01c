/** Waits for work that this thread and other threads do together. */
import type { ScanMonitor } from './scanInput.ts';

/**
 * Waits for all shares of the work and returns their results. If one fails, stops the others and waits for them before
 * rejecting. So no thread uses the shared memory afterwards.
 *
 * @param stop  makes all shares end early
 */
export async function resultsOf<Result>(shares: readonly Promise<Result>[], stop: () => void): Promise<Result[]> {
  for (const share of shares) share.catch(stop);
  await Promise.allSettled(shares);
  return Promise.all(shares);
}

/** Interval for checking `cancelled`, because a cancellation triggers no event. */
const lookEveryMs = 20;

/**
 * Resolves with the result of the work. If the monitor cancels earlier, resolves with `undefined`. The work then
 * continues, and its outcome is ignored.
 */
export async function unlessCancelled<Result>(
  work: Promise<Result>,
  { cancelled }: Pick<ScanMonitor, 'cancelled'>,
): Promise<{ readonly result: Result } | undefined> {
  let isDone = false;
  const done = work.finally(() => (isDone = true));
  // After a cancellation, nothing awaits the promise, so handle its rejection.
  done.catch(() => undefined);
  while (!isDone) {
    await Promise.race([done, new Promise((resolve) => setTimeout(resolve, lookEveryMs))]);
    if (cancelled()) return undefined;
  }
  return { result: await done };
}
