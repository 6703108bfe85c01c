/** Finds the common lines of two versions of a file, in order, as in a diff that ignores whitespace. */
import { diffArrays } from 'diff';

/** An item for each line of either side: true if the line is common. */
export interface CommonLines {
  readonly a: readonly boolean[];
  readonly b: readonly boolean[];
}

/**
 * A diff of two different texts takes time quadratic in their lines. Above this number of changed lines, only the
 * passages of the files are compared.
 */
const maxChangedLines = 6_000;

export function commonLines(a: readonly string[], b: readonly string[]): CommonLines {
  const [linesA, linesB] = [a, b].map((lines) => lines.map((line) => line.trim()));
  // `undefined` above the limit.
  const changes = diffArrays(linesA!, linesB!, { maxEditLength: maxChangedLines }) ?? [];
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
