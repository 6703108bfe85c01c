/** Runs steps of long work that the user can cancel. */
import { endOf } from '../../scan/indexer/endOf.ts';
import { Cancelled, type Cancelling } from '../folder/cancellation.ts';

/**
 * Runs steps to their end, and returns their result.
 *
 * @throws Cancelled
 */
export async function resultOf<Result>(steps: Generator<void, Result>, cancelling: Cancelling): Promise<Result> {
  const end = await endOf(steps, cancelling);
  if (end === undefined) throw new Cancelled();
  return end.result;
}
