/** The lines that two versions of a file have in common, in order: what a diff leaves as it is. White space makes no line another. */
import { diffArrays } from 'diff';

/** An item for each line of either side: whether it stands in the other one. */
export interface CommonLines {
  readonly a: readonly boolean[];
  readonly b: readonly boolean[];
}

/**
 * A diff of two texts that have nothing in common takes time by the square of their lines. Beyond so many changed lines they
 * are compared by their passages alone.
 */
const mostChanges = 6_000;

export function commonLines(a: readonly string[], b: readonly string[]): CommonLines {
  const [linesA, linesB] = [a, b].map((lines) => lines.map((line) => line.trim()));
  // Undefined beyond the limit.
  const changes = diffArrays(linesA!, linesB!, { maxEditLength: mostChanges }) ?? [];
  const common = { a: a.map(() => false), b: b.map(() => false) };
  let [atA, atB] = [0, 0];
  for (const { added, removed, count } of changes) {
    if (!added && !removed) {
      common.a.fill(true, atA, atA + count);
      common.b.fill(true, atB, atB + count);
    }
    if (!added) atA += count;
    if (!removed) atB += count;
  }
  return common;
}
