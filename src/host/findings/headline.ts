/** What is said of a whole report in one line: how much of what people write, which is source and text, is repeated. */
import type { Totals } from '../../engine/report/report.ts';
import type { Category } from '../../engine/rows/category.ts';

export interface Headline {
  /** What it is about: source and text, or the one of them that there is; all that there is when there is neither. */
  readonly categories: readonly Category[];
  /** How many groups of these categories are rows. */
  readonly rows: number;
  /** 100 × duplicated lines / lines of these categories, each line counted once. */
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
