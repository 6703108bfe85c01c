/** Finds the lines that two versions of a file share, in order. Works like a diff that ignores white space. */
import { diffArrays } from 'diff';

/** For each line of each version, true if the other version has the line, too. */
export interface CommonLines {
  readonly a: readonly boolean[];
  readonly b: readonly boolean[];
}

/** Maximum number of changed lines. A diff takes quadratic time; for more, only passages are compared. */
const maxChangedLines = 6_000;

export function commonLines(a: readonly string[], b: readonly string[]): CommonLines {
  const [linesA, linesB] = [a, b].map((lines) => lines.map((line) => line.trim()));
  // `diffArrays` returns `undefined` if there are more changed lines than that.
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
