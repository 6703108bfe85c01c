/** Formats numbers and counts for the user's locale. */
import { type LineCounts, lineShare } from '../../../presentation/wording/lineShare.ts';
import type { TunerTexts } from '../../../presentation/pages/tunerMessages.ts';

export interface Formats {
  /** Formats a number: "2,834". */
  readonly number: (value: number) => string;
  /** Formats a count with its noun: "2,834 duplicates". @param texts singular and plural */
  readonly count: (value: number, texts: readonly [one: string, more: string]) => string;
  /** Marks a text as approximate if it is an estimate: "About 2,834 duplicates". */
  readonly approximate: (text: string, isEstimate: boolean) => string;
  /** Formats the share of duplicated lines: "34.5%", or "34,5 %" in German. */
  readonly share: (counts: LineCounts) => string;
  /** Formats a difference with its sign: "+52", "−7", "±0". */
  readonly difference: (value: number) => string;
}

export function formatsOf({ locale, estimate }: TunerTexts): Formats {
  const plain = new Intl.NumberFormat(locale);
  return {
    number: (value) => plain.format(value),
    count: (value, [one, more]) => (value === 1 ? one : fill(more, plain.format(value))),
    approximate: (text, isEstimate) => (isEstimate ? fill(estimate, text) : text),
    share: (counts) => lineShare(counts, locale),
    difference: (value) => (value === 0 ? '±0' : `${value > 0 ? '+' : '−'}${plain.format(Math.abs(value))}`),
  };
}

/** Replaces the placeholders `{0}` and `{1}` in a text with values. */
export function fill(text: string, ...values: readonly string[]): string {
  return text.replaceAll(/\{(\d)\}/g, (whole, place: string) => values[Number(place)] ?? whole);
}
