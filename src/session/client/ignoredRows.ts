/**
 * Counts the rows and groups that one judgement of a report ignores, but that an earlier judgement of the same report
 * shows.
 */
import type { Group } from '../../core/engine/report/report.ts';
import type { Category } from '../../core/engine/rows/category.ts';
import type { Report } from './report.ts';

export interface IgnoredRows {
  /** Number of newly ignored rows of the counted categories. */
  readonly counted: number;
  /** Number of other newly ignored groups: rows of other categories, and groups in rows that are still shown. */
  readonly others: number;
  /** Number of groups of the counted categories whose row is newly ignored, so that they are rows of their own now. */
  readonly risen: number;
}

type Judged = Pick<Report, 'all' | 'ignored'>;

/** Compares two judgements. The number of shown rows of the counted categories decreases by `counted` − `risen`. */
export function ignoredRows(before: Judged, after: Judged, categories: readonly Category[]): IgnoredRows {
  const isRow = ({ parent }: Group): boolean => parent === undefined;
  const isCounted = ({ category }: Group): boolean => categories.includes(category);
  const rows = before.all.filter(isRow);
  const [rowsBefore, shown, known] = [rows, after.all, before.ignored].map((list) => new Set(list.map(({ id }) => id)));
  const gone = rows.filter(({ id }) => !shown!.has(id));
  const counted = gone.filter(isCounted).length;
  const inRows = after.ignored.filter(({ id }) => !known!.has(id) && !rowsBefore!.has(id));
  const risen = after.all.filter((group) => isRow(group) && isCounted(group) && !rowsBefore!.has(group.id));
  return { counted, others: gone.length - counted + inRows.length, risen: risen.length };
}
