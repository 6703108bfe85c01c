/** Copies across boundaries: groups with passages in several named parts of the tree. */
import type { Group } from '../engine/report/report.ts';

/** The name of the part of the tree that a path is in; undefined when it is in none. */
export type PartOf = (path: string) => string | undefined;

/** The parts that the passages of a group are in, in the order of its passages; undefined when there are less than two. */
export function partsCrossed({ passages }: Group, partOf: PartOf): readonly string[] | undefined {
  const parts = new Set(passages.flatMap(({ path }) => partOf(path) ?? []));
  return parts.size < 2 ? undefined : [...parts];
}
