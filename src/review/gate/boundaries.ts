/** Finds copies across boundaries: groups with passages in several named parts of the tree. */
import type { Group } from '../../core/engine/report/report.ts';

/** Function that returns the part to which a path belongs, or `undefined` if it belongs to none. */
export type PartOf = (path: string) => string | undefined;

/**
 * Returns the parts to which the passages of a group belong, in the order of the passages. Returns `undefined` if the
 * group crosses no boundary, because there are fewer than two parts.
 */
export function partsCrossed({ passages }: Group, partOf: PartOf): readonly string[] | undefined {
  const parts = new Set(passages.flatMap(({ path }) => partOf(path) ?? []));
  return parts.size < 2 ? undefined : [...parts];
}
