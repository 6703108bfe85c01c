/**
 * Fields that list_duplicates and get_duplicate return for a duplicate. `similarity` is the lowest similarity of any
 * two copies.
 */
import type { Group } from '../../core/engine/report/report.ts';
import type { CopiedPart } from './copiedPart.ts';

export type DuplicateSummary = Pick<Group, 'id' | 'kind' | 'type' | 'similarity' | 'category' | 'worth'>;

/**
 * Returns the summary of a group. If it is a file that another one contains, `type` and `similarity` are those of the
 * longest passage that both share: the resemblance of two files of different lengths says little.
 */
export function summaryOf(group: Group, copied: CopiedPart | undefined): DuplicateSummary {
  const { id, kind, category, worth } = group;
  const { type, similarity } = copied?.part ?? group;
  return { id, kind, type, similarity, category, worth };
}
