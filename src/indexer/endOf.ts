/** Work in steps, with a turn of the event loop between them: that is when a cancel can arrive and others get their turn. */
import { setImmediate } from 'node:timers/promises';
import type { ScanMonitor } from './scanInput.ts';

/** What steps lead to; undefined when the monitor cancels, which ends them early. */
export async function endOf<Result>(
  steps: Generator<void, Result>,
  { cancelled }: Pick<ScanMonitor, 'cancelled'>,
): Promise<{ readonly result: Result } | undefined> {
  try {
    for (;;) {
      const step = steps.next();
      if (step.done === true) return { result: step.value };
      await setImmediate();
      if (cancelled()) return undefined;
    }
  } finally {
    steps.return(undefined as Result);
  }
}
