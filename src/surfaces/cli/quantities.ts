/** Formats quantities for the command line. */
import { wholePercent } from '../../presentation/wording/likeness.ts';

/** Formats a share in [0, 1] as "94%". */
export function percent(share: number): string {
  return `${wholePercent(share)}%`;
}

/** Formats a quantity with its noun: "1 line", "12,034 lines". */
export function count(quantity: number, noun: string, nouns = `${noun}s`): string {
  return `${number(quantity)} ${quantity === 1 ? noun : nouns}`;
}

/** Formats a number as "12,034". Creating an `Intl.NumberFormat` would take 12 ms of CPU time. */
export function number(quantity: number): string {
  return String(quantity).replace(/\B(?=(?:\d{3})+$)/g, ',');
}
