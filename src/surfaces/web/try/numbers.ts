/** Numbers in the language of the page. */
import * as l10n from '@vscode/l10n';
import { wholePercent } from '../../../presentation/wording/likeness.ts';

/** "12,034"; at most two decimals. */
export function quantity(value: number): string {
  return value.toLocaleString(document.documentElement.lang, { maximumFractionDigits: 2 });
}

/** "94 %", for a share in [0, 1]. */
export function percent(share: number): string {
  return l10n.t('{0} %', wholePercent(share));
}

/** "+3.5", "−0.5", "0". */
export function signed(value: number): string {
  const digits = quantity(Math.abs(value));
  return digits === '0' ? digits : `${value > 0 ? '+' : '−'}${digits}`;
}
