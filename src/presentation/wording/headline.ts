/** One-line summary of a report: the share of duplicated lines in source and text, which people write by hand. */
import type { Totals } from '../../core/engine/report/report.ts';
import type { Category } from '../../core/engine/rows/category.ts';
import type { LineCounts } from './lineShare.ts';

/** Numbers of rows and lines in the categories that count. A line in several groups counts once. */
export interface Headline extends LineCounts {
  /** Categories that count: source and text, if the report has them. If it has neither, all other categories. */
  readonly categories: readonly Category[];
  /** Number of top-level rows in these categories. */
  readonly rows: number;
}

export function headlineOf({ categories }: Totals): Headline {
  const present = Object.keys(categories) as Category[];
  const written = present.filter((category) => category === 'source' || category === 'text');
  const about = written.length > 0 ? written : present;
  const sum = (key: 'rows' | 'lines' | 'duplicatedLines'): number =>
    about.reduce((total, name) => total + categories[name]![key], 0);
  return { categories: about, rows: sum('rows'), lines: sum('lines'), duplicatedLines: sum('duplicatedLines') };
}
