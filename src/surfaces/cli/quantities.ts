/** Formats quantities for the command line. */
import type { CategoryTotals } from '../../core/engine/report/report.ts';
import { wholePercent } from '../../presentation/wording/likeness.ts';

/** Returns a share in [0, 1] as text, such as "94 %". */
export function percent(share: number): string {
  return `${wholePercent(share)} %`;
}

/**
 * Returns the share of duplicated lines in a category as text, such as "41 %". Returns "< 1 %" if the share would be
 * rounded to zero.
 */
export function duplicatedPercent({ duplicatedLines, lines }: CategoryTotals): string {
  const share = lines === 0 ? 0 : duplicatedLines / lines;
  return share > 0 && share < 0.01 ? '< 1 %' : percent(share);
}

/** Returns a quantity with its noun, such as "1 line" or "12,034 lines". */
export function count(quantity: number, noun: string, nouns = `${noun}s`): string {
  return `${number(quantity)} ${quantity === 1 ? noun : nouns}`;
}

/** Returns a number such as "12,034". Creating an `Intl.NumberFormat` would take 12 ms of CPU time. */
export function number(quantity: number): string {
  return String(quantity).replace(/\B(?=(?:\d{3})+$)/g, ',');
}
