/** Runs a generator and yields to the event loop between its steps, so that other events are handled. */
import { nextTurn } from '../../core/collections/threads.ts';
import type { ScanMonitor } from './scanInput.ts';

/** Runs the generator to the end and returns its result. If the monitor cancels, returns `undefined`. */
export async function endOf<Result>(
  steps: Generator<void, Result>,
  { cancelled }: Pick<ScanMonitor, 'cancelled'>,
): Promise<{ readonly result: Result } | undefined> {
  try {
    for (;;) {
      const step = steps.next();
      if (step.done === true) return { result: step.value };
      await nextTurn();
      if (cancelled()) return undefined;
    }
  } finally {
    steps.return(undefined as Result);
  }
}
