/** One-line summary of a report: the share of duplicated lines in source and text, which people write by hand. */
import type { Totals } from '../../../core/engine/report/report.ts';
import type { Category } from '../../../core/engine/rows/category.ts';

export interface Headline {
  /** Categories that count: source and text, if the report has them. If it has neither, all other categories. */
  readonly categories: readonly Category[];
  /** Number of top-level rows in these categories. */
  readonly rows: number;
  /** Percentage of duplicated lines in these categories. A line in several groups counts once. */
  readonly percent: number;
}

export function headlineOf({ categories }: Totals): Headline {
  const present = Object.keys(categories) as Category[];
  const written = present.filter((category) => category === 'source' || category === 'text');
  const about = written.length > 0 ? written : present;
  const totals = about.map((category) => categories[category]!);
  const [rows, lines, duplicated] = (['rows', 'lines', 'duplicatedLines'] as const).map((key) =>
    totals.reduce((sum, of) => sum + of[key], 0),
  ) as [number, number, number];
  return { categories: about, rows, percent: lines === 0 ? 0 : (100 * duplicated) / lines };
}
