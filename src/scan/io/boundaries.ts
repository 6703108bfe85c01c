/** Boundaries: named parts of a tree that should have no copies in common (`boundaries` of the configuration). */
import { type GlobLists, problemsOfGlobLists } from './globLists.ts';
import { compileGlobs } from './globs.ts';

/**
 * For each part, its globs, which have the same form as in `include`. If several parts match a path, the first one
 * applies.
 */
export type Boundaries = GlobLists;

/** Valid names of parts: single words, so that messages can quote them. */
export const partName = /^[A-Za-z0-9][\w-]*$/;

/**
 * Returns an error message for each invalid boundary, which begins with its name. Returns an empty list if all are
 * valid.
 */
export function problemsOfBoundaries(boundaries: Boundaries): string[] {
  return problemsOfGlobLists('boundaries', boundaries);
}

/** Returns a function that returns the part of a path in the report; `undefined` if the path is in no part. */
export function partsOf(boundaries: Boundaries): (path: string) => string | undefined {
  const parts = Object.entries(boundaries).map(([name, globs]) => ({ name, matches: compileGlobs(globs) }));
  return (path) => parts.find(({ matches }) => matches(path))?.name;
}
