/**
 * Fields that list_duplicates and get_duplicate return for a duplicate. `similarity` is the lowest similarity of any
 * two copies.
 */
import type { Group } from '../../core/engine/report/report.ts';

export type DuplicateSummary = Pick<Group, 'id' | 'kind' | 'type' | 'similarity' | 'category' | 'worth'>;

export function summaryOf({ id, kind, type, similarity, category, worth }: Group): DuplicateSummary {
  return { id, kind, type, similarity, category, worth };
}
