/** Limits the time that a caller waits for an answer. */

/**
 * Resolves to the answer, or to the result of `late` if the answer has not arrived in time. If the answer rejects after
 * the time limit, the rejection is ignored.
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
