/** Named parts of a tree that are to have no copies in common: `boundaries` of the configuration. */
import { type GlobLists, problemsOfGlobLists } from './globLists.ts';
import { compileGlobs } from './globs.ts';

/** Globs, in the form of `include`, by the name of the part that they are. Of several parts that have a path the first counts. */
export type Boundaries = GlobLists;

/** What parts may be called: a word, so that messages can name them. */
export const partName = /^[A-Za-z0-9][\w-]*$/;

/** What is wrong with boundaries, in sentences that begin with their name; empty when they can be used. */
export function problemsOfBoundaries(boundaries: Boundaries): string[] {
  return problemsOfGlobLists('boundaries', boundaries);
}

/** Tells which part a path of the report is in; undefined of a path that is in none. */
export function partsOf(boundaries: Boundaries): (path: string) => string | undefined {
  const parts = Object.entries(boundaries).map(([name, globs]) => ({ name, matches: compileGlobs(globs) }));
  return (path) => parts.find(({ matches }) => matches(path))?.name;
}
