/** Shortens paths to the parts in which they differ. */

export interface DifferingParts {
  /** Leading folders that all paths share; '' if there are none. */
  readonly before: string;
  /** The differing part of each path, in the order of the paths; never empty. */
  readonly parts: readonly string[];
  /** Trailing folders or file name that all paths share; '' if there are none. */
  readonly after: string;
}

/**
 * Splits paths into a shared beginning, the parts that differ, and a shared end. For "lib/7.4/src" and "lib/7.5/src",
 * these are "lib", "7.4" and "7.5", and "src".
 *
 * @param paths  at least one, with forward slashes
 */
export function differingParts(paths: readonly string[]): DifferingParts {
  const split = paths.map((path) => path.split('/'));
  // Keep at least one folder or name of each path.
  const maxParts = Math.min(...split.map(({ length }) => length)) - 1;
  const first = split[0]!;
  let before = 0;
  while (before < maxParts && split.every((names) => names[before] === first[before])) before++;
  let after = 0;
  while (before + after < maxParts && split.every((names) => names.at(-1 - after) === first.at(-1 - after))) after++;
  return {
    before: first.slice(0, before).join('/'),
    parts: split.map((names) => names.slice(before, names.length - after).join('/')),
    after: first.slice(first.length - after).join('/'),
  };
}
