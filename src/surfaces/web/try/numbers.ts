/** Formats numbers in the language of the page. */
import * as l10n from '@vscode/l10n';
import { wholePercent } from '../../../presentation/wording/likeness.ts';

/** Formats a number with at most two decimals: "12,034". */
export function quantity(value: number): string {
  return value.toLocaleString(document.documentElement.lang, { maximumFractionDigits: 2 });
}

/** Formats a share in [0, 1] as a percentage: "94 %". */
export function percent(share: number): string {
  return l10n.t('{0} %', wholePercent(share));
}

/** Formats a number with its sign: "+3.5", "−0.5", "0". */
export function signed(value: number): string {
  const digits = quantity(Math.abs(value));
  return digits === '0' ? digits : `${value > 0 ? '+' : '−'}${digits}`;
}
