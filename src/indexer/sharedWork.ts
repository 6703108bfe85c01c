/** Work that this thread and others share. */

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
