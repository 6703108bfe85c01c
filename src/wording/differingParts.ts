/** Paths named by what tells them apart. */

export interface DifferingParts {
  /** The folders that all begin with; empty when there are none. */
  readonly before: string;
  /** Of each path what lies between, in order; never empty. */
  readonly parts: readonly string[];
  /** What all end with; empty when there is nothing. */
  readonly after: string;
}

/** Of "lib/7.4/src" and "lib/7.5/src": "7.4" and "7.5", between "lib" and "src". @param paths  one or more, with slashes */
export function differingParts(paths: readonly string[]): DifferingParts {
  const split = paths.map((path) => path.split('/'));
  // Something of each stays.
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
