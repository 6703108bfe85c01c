/** Limits the time that a caller waits for an answer. */

/**
 * Resolves to the answer, or to `late()` if it has not arrived in time. An answer that is rejected after the limit is ignored.
 *
 * @param limitMs  a negative limit counts as 0
 */
export async function within<Answer, Late>(
  answer: Promise<Answer>,
  limitMs: number,
  late: () => Late,
): Promise<Answer | Late> {
  let timer: NodeJS.Timeout | undefined;
  const ended = new Promise<Late>((resolve) => {
    timer = setTimeout(() => resolve(late()), Math.max(0, limitMs));
  });
  return Promise.race([answer, ended]).finally(() => clearTimeout(timer));
}
