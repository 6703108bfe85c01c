/**
 * Finds the passages that a file shares with a larger file which contains it. The group of the two files says nothing
 * about lines, and its texts cannot be merged; the passages can.
 */
import type { Group } from '../../core/engine/report/report.ts';
import { insideOf } from '../../presentation/wording/likeness.ts';

/** The passages in a group of two files of which one contains the other. */
export interface CopiedPart {
  /** Group of the longest passages that both files share. */
  readonly part: Group;
  /** Ids of the groups of their other shared passages. */
  readonly others: readonly string[];
  /** Share of the contained file that was found in the other file. */
  readonly inside: number;
}

/**
 * Returns the passages that two files share. Returns `undefined` if the group does not consist of a file and another
 * file that contains it, or if no passages were found.
 *
 * @param all  all groups of the report
 */
export function copiedPart(group: Group, all: readonly Group[]): CopiedPart | undefined {
  const within = insideOf(group);
  if (within === undefined) return undefined;
  const isShared = ({ kind, passages }: Group): boolean =>
    kind !== 'file' && [within.inner, within.outer].every(({ path }) => passages.some((one) => one.path === path));
  const parts = all.filter((one) => one.parent === group.id && isShared(one)).sort((a, b) => b.tokens - a.tokens);
  const [part, ...others] = parts;
  return part && { part, others: others.map(({ id }) => id), inside: within.share };
}
