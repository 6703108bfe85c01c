/** Copies across boundaries: groups with passages in several named parts of the tree. */
import type { Group } from '../../core/engine/report/report.ts';

/** Returns the name of a path's part; `undefined` if it is in none. */
export type PartOf = (path: string) => string | undefined;

/** Returns the parts of a group's passages, in their order; `undefined` if there are fewer than two. */
export function partsCrossed({ passages }: Group, partOf: PartOf): readonly string[] | undefined {
  const parts = new Set(passages.flatMap(({ path }) => partOf(path) ?? []));
  return parts.size < 2 ? undefined : [...parts];
}
