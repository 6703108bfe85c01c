/**
 * Chooses the home of duplicated code: the copy that stays, and that the other places should use.
 *
 * The first of these rules that distinguishes two copies decides:
 *
 * 1. Source code is preferred to tests, examples, and other files that source code should not call.
 * 2. A copy with a function that other files can call is preferred: a copy that is not exported would have to be moved.
 * 3. A copy that Git has committed is preferred to a new one, which is probably the copy of it.
 * 4. The copy that more files use already is preferred.
 * 5. The copy with more functions that other files can call is preferred.
 * 6. A copy with a documentation comment is preferred.
 *
 * If no rule decides, the first copy in the order of the report is the home. So the path decides only between equals.
 */

export interface HomeFacts {
  /** True for source code; false for tests, examples, and text. */
  readonly isSource: boolean;
  /** Number of functions in the copy that other files can call by name. */
  readonly callable: number;
  /** True if Git knows that most lines of the copy are not committed. */
  readonly isNew: boolean;
  /** Number of other files that use the copy; 0 if this is unknown. */
  readonly uses: number;
  readonly isDocumented: boolean;
}

/**
 * Returns the index of the copy to keep. Of copies with equal facts, the first one wins.
 *
 * @param copies  at least one
 */
export function homeOf(copies: readonly HomeFacts[]): number {
  const ranks = copies.map(({ isSource, callable, isNew, uses, isDocumented }) => [
    Number(isSource),
    Number(callable > 0),
    Number(!isNew),
    uses,
    callable,
    Number(isDocumented),
  ]);
  let home = 0;
  for (const [at, rank] of ranks.entries()) if (isBefore(rank, ranks[home]!)) home = at;
  return home;
}

function isBefore(one: readonly number[], other: readonly number[]): boolean {
  const at = one.findIndex((value, i) => value !== other[i]);
  return at >= 0 && one[at]! > other[at]!;
}
