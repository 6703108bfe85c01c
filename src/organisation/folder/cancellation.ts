/**
 * Cancellation of a command. Long work throws `Cancelled` within a few seconds, and the command catches it. Whatever is
 * complete by then is kept.
 */
import { nextTurn } from '../../core/collections/threads.ts';

/** Thrown when the user has cancelled the command. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled';
}

/** Same as in `ScanMonitor`. */
export interface Cancelling {
  readonly cancelled: () => boolean;
}

/**
 * Yields to the event loop, so that signals are handled.
 *
 * @throws Cancelled
 */
export async function checkCancelled({ cancelled }: Cancelling): Promise<void> {
  await nextTurn();
  if (cancelled()) throw new Cancelled();
}
