/** Work that this thread and others share. */
import { setTimeout } from 'node:timers/promises';
import type { ScanMonitor } from './scanInput.ts';

/**
 * What each share came to. When one fails, the others are not wanted any more, and it fails when they have ended: then no
 * thread uses the memory that they share.
 *
 * @param stop  ends shares early
 */
export async function resultsOf<Result>(shares: readonly Promise<Result>[], stop: () => void): Promise<Result[]> {
  for (const share of shares) share.catch(stop);
  await Promise.allSettled(shares);
  return Promise.all(shares);
}

/** Nobody tells of a cancel: one has to look. */
const lookEveryMs = 20;

/** What others are at; undefined when the monitor cancels before it is done: then they go on, and nobody hears how it ends. */
export async function unlessCancelled<Result>(
  work: Promise<Result>,
  { cancelled }: Pick<ScanMonitor, 'cancelled'>,
): Promise<{ readonly result: Result } | undefined> {
  let isDone = false;
  const done = work.finally(() => (isDone = true));
  // Nobody may be waiting when it fails.
  done.catch(() => undefined);
  while (!isDone) {
    await Promise.race([done, setTimeout(lookEveryMs)]);
    if (cancelled()) return undefined;
  }
  return { result: await done };
}
