/** Formats quantities for the command line. */
import type { CategoryTotals } from '../../core/engine/report/report.ts';
import { wholePercent } from '../../presentation/wording/likeness.ts';

/** "94 %", for a share in [0, 1]. */
export function percent(share: number): string {
  return `${wholePercent(share)} %`;
}

/** "41 %" of the lines of a category; "< 1 %" if it rounds to zero but is not zero. */
export function duplicatedPercent({ duplicatedLines, lines }: CategoryTotals): string {
  const share = lines === 0 ? 0 : duplicatedLines / lines;
  return share > 0 && share < 0.01 ? '< 1 %' : percent(share);
}

/** "1 line", "12,034 lines". */
export function count(quantity: number, noun: string, nouns = `${noun}s`): string {
  return `${number(quantity)} ${quantity === 1 ? noun : nouns}`;
}

/** "12,034". Creating an `Intl.NumberFormat` would take 12 ms of CPU time. */
export function number(quantity: number): string {
  return String(quantity).replace(/\B(?=(?:\d{3})+$)/g, ',');
}
