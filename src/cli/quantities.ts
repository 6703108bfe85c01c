/** Quantities as the command line prints them. */
import type { CategoryTotals } from '../engine/report/report.ts';
import { wholePercent } from '../wording/likeness.ts';

/** "94 %" of a share of one, in text and explanations. */
export function percent(share: number): string {
  return `${wholePercent(share)} %`;
}

/** "41 %" of the lines of a category, "< 1 %" when it is little and not nothing. */
export function duplicatedPercent({ duplicatedLines, lines }: CategoryTotals): string {
  const share = lines === 0 ? 0 : duplicatedLines / lines;
  return share > 0 && share < 0.01 ? '< 1 %' : percent(share);
}

/** "1 line", "12,034 lines". */
export function count(quantity: number, noun: string, nouns = `${noun}s`): string {
  return `${number(quantity)} ${quantity === 1 ? noun : nouns}`;
}

/** "12,034" of a whole number, as `Intl.NumberFormat` has it, which takes 12 ms of the processor to be made. */
export function number(quantity: number): string {
  return String(quantity).replace(/\B(?=(?:\d{3})+$)/g, ',');
}
