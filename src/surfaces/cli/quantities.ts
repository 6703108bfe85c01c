/** Formats quantities for the command line. */
import type { CategoryTotals } from '../../core/engine/report/report.ts';
import { wholePercent } from '../../presentation/wording/likeness.ts';

/** Formats a share in [0, 1] as "94%". */
export function percent(share: number): string {
  return `${wholePercent(share)}%`;
}

/** Formats the share of duplicated lines as "41%", or "< 1%" if it would be rounded to zero. */
export function duplicatedPercent({ duplicatedLines, lines }: CategoryTotals): string {
  const share = lines === 0 ? 0 : duplicatedLines / lines;
  return share > 0 && share < 0.01 ? '< 1%' : percent(share);
}

/** Formats a quantity with its noun: "1 line", "12,034 lines". */
export function count(quantity: number, noun: string, nouns = `${noun}s`): string {
  return `${number(quantity)} ${quantity === 1 ? noun : nouns}`;
}

/** Formats a number as "12,034". Creating an `Intl.NumberFormat` would take 12 ms of CPU time. */
export function number(quantity: number): string {
  return String(quantity).replace(/\B(?=(?:\d{3})+$)/g, ',');
}
