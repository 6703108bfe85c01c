/**
 * Summary of a report in one line: the duplicated share of source and text, the two categories that people write by
 * hand.
 */
import type { Totals } from '../../../core/engine/report/report.ts';
import type { Category } from '../../../core/engine/rows/category.ts';

export interface Headline {
  /** Counted categories: those of source and text that occur; if neither does, all others. */
  readonly categories: readonly Category[];
  /** Number of rows in the counted categories. */
  readonly rows: number;
  /**
   * Duplicated lines of the counted categories, in percent of their lines. Each line counts once, even if it is in
   * several groups.
   */
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
