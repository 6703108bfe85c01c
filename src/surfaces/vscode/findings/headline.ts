/** Summary of a report in one line: the duplicated share of source and text, which people write. */
import type { Totals } from '../../../core/engine/report/report.ts';
import type { Category } from '../../../core/engine/rows/category.ts';

export interface Headline {
  /** Covered categories: source and text, as far as they exist, or else all others. */
  readonly categories: readonly Category[];
  /** Number of rows in these categories. */
  readonly rows: number;
  /** 100 × duplicated lines / lines of these categories. Each line is counted once. */
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
