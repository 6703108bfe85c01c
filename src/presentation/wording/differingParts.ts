/** Short names of paths: the parts in which they differ. */

export interface DifferingParts {
  /** Folders at the beginning that all paths have in common; '' if there are none. */
  readonly before: string;
  /** The differing part of each path, in order; never empty. */
  readonly parts: readonly string[];
  /** Folders or name at the end that all paths have in common; '' if there are none. */
  readonly after: string;
}

/**
 * Splits paths into a common beginning, the parts that differ, and a common end. For "lib/7.4/src" and "lib/7.5/src",
 * these are "lib", "7.4" and "7.5", and "src".
 *
 * @param paths  at least one, with slashes
 */
export function differingParts(paths: readonly string[]): DifferingParts {
  const split = paths.map((path) => path.split('/'));
  // At least one folder or name of each path must remain.
  const most = Math.min(...split.map(({ length }) => length)) - 1;
  const first = split[0]!;
  let before = 0;
  while (before < most && split.every((names) => names[before] === first[before])) before++;
  let after = 0;
  while (before + after < most && split.every((names) => names.at(-1 - after) === first.at(-1 - after))) after++;
  return {
    before: first.slice(0, before).join('/'),
    parts: split.map((names) => names.slice(before, names.length - after).join('/')),
    after: first.slice(first.length - after).join('/'),
  };
}
