/** Runs steps of long work that the user can cancel. */
import { endOf } from '../../scan/indexer/endOf.ts';
import { CancellationError, type Cancellation } from '../folder/cancellation.ts';

/**
 * Runs steps to their end, and returns their result.
 *
 * @throws CancellationError
 */
export async function resultOf<Result>(steps: Generator<void, Result>, cancellation: Cancellation): Promise<Result> {
  const end = await endOf(steps, cancellation);
  if (end === undefined) throw new CancellationError();
  return end.result;
}
