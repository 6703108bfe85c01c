/** Boundaries: named parts of a tree that must not have copies in common (the option `boundaries`). */
import { type GlobLists, problemsOfGlobLists } from './globLists.ts';
import { compileGlobs } from './globs.ts';

/** Globs of each part, in the same format as `include`. If several parts match a path, the first one applies. */
export type Boundaries = GlobLists;

/** Valid names of parts: single words, so that messages can quote them. */
export const partName = /^[A-Za-z0-9][\w-]*$/;

/** Returns an error message for each invalid boundary, beginning with its name: none if all are valid. */
export function problemsOfBoundaries(boundaries: Boundaries): string[] {
  return problemsOfGlobLists('boundaries', boundaries);
}

/** Returns a function that maps a path to its part, or to `undefined` if no part matches. */
export function partsOf(boundaries: Boundaries): (path: string) => string | undefined {
  const parts = Object.entries(boundaries).map(([name, globs]) => ({ name, matches: compileGlobs(globs) }));
  return (path) => parts.find(({ matches }) => matches(path))?.name;
}
