/** Compares two judgements of the same report. */
import type { Group } from '../../core/engine/report/report.ts';
import type { Category } from '../../core/engine/rows/category.ts';
import type { Report } from './report.ts';

/** Newly ignored rows and groups. The number of rows in the counted categories has decreased by `counted` − `risen`. */
export interface IgnoredRows {
  /** Number of newly ignored rows in the counted categories. */
  readonly counted: number;
  /** Number of other newly ignored groups: rows in other categories, and groups inside rows that are still shown. */
  readonly others: number;
  /** Number of groups in the counted categories that got their own row because the row around them is ignored. */
  readonly risen: number;
}

type JudgedRows = Pick<Report, 'all' | 'ignored'>;

/** Counts the rows and groups that only the later judgement ignores. */
export function ignoredRows(before: JudgedRows, after: JudgedRows, categories: readonly Category[]): IgnoredRows {
  const isRow = ({ parent }: Group): boolean => parent === undefined;
  const isCounted = ({ category }: Group): boolean => categories.includes(category);
  const rows = before.all.filter(isRow);
  const [rowsBefore, shown, ignoredBefore] = [rows, after.all, before.ignored].map(
    (list) => new Set(list.map(({ id }) => id)),
  );
  const hiddenRows = rows.filter(({ id }) => !shown!.has(id));
  const counted = hiddenRows.filter(isCounted).length;
  const inRows = after.ignored.filter(({ id }) => !ignoredBefore!.has(id) && !rowsBefore!.has(id));
  const risen = after.all.filter((group) => isRow(group) && isCounted(group) && !rowsBefore!.has(group.id));
  return { counted, others: hiddenRows.length - counted + inRows.length, risen: risen.length };
}
