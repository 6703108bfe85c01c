/** Finds copies across boundaries: groups with passages in several named parts of the tree. */
import type { Group } from '../../core/engine/report/report.ts';

/** Returns the name of the part that contains a path; `undefined` if no part does. */
export type PartOf = (path: string) => string | undefined;

/**
 * Returns the parts that contain passages of a group, in the order of the passages. Returns `undefined` if there are
 * fewer than two parts.
 */
export function partsCrossed({ passages }: Group, partOf: PartOf): readonly string[] | undefined {
  const parts = new Set(passages.flatMap(({ path }) => partOf(path) ?? []));
  return parts.size < 2 ? undefined : [...parts];
}
