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
  const first = split[0]!;
  const { before, after } = sharedEnds(split);
  return {
    before: first.slice(0, before).join('/'),
    parts: split.map((names) => names.slice(before, names.length - after).join('/')),
    after: first.slice(first.length - after).join('/'),
  };
}

/**
 * Returns the numbers of items that all lists share at the beginning and at the end. Leaves at least one item of each
 * list.
 *
 * @param lists  at least one, none of them empty
 */
export function sharedEnds(lists: readonly (readonly string[])[]): { readonly before: number; readonly after: number } {
  const first = lists[0]!;
  const maxItems = Math.min(...lists.map(({ length }) => length)) - 1;
  let [before, after] = [0, 0];
  while (before < maxItems && lists.every((list) => list[before] === first[before])) before++;
  while (before + after < maxItems && lists.every((list) => list.at(-1 - after) === first.at(-1 - after))) after++;
  return { before, after };
}
