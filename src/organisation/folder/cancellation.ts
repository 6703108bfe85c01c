/**
 * Cancellation of a command. Long work throws `CancellationError` within a few seconds, and the command catches it.
 * Whatever is complete by then is kept.
 */
import { nextTurn } from '../../core/collections/threads.ts';

export class CancellationError extends Error {
  override readonly name = 'CancellationError';
}

export interface Cancellation {
  readonly cancelled: () => boolean;
}

/**
 * Yields to the event loop, so that signals are handled.
 *
 * @throws CancellationError
 */
export async function checkCancelled({ cancelled }: Cancellation): Promise<void> {
  await nextTurn();
  if (cancelled()) throw new CancellationError();
}
