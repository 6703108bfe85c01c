/** Formats the share of duplicated lines, in the same way on the command line, in the editor, and in pages. */

export interface LineCounts {
  readonly lines: number;
  readonly duplicatedLines: number;
}

/**
 * Formats the share of duplicated lines: "9.1%", or "9,1 %" in German. Shares below one percent have two decimals.
 * Rounds down, so that only a share of 1 is 100%. Only a share of 0 is 0%: the smallest is "< 0.01%".
 *
 * @param locale  language of the text. If omitted, English, without the 12 ms that an `Intl.NumberFormat` takes.
 */
export function lineShare({ lines, duplicatedLines }: LineCounts, locale?: string): string {
  const hundredths = lines === 0 ? 0 : Math.floor((10_000 * duplicatedLines) / lines);
  const isBelow = hundredths === 0 && duplicatedLines > 0;
  const rounded = hundredths < 100 ? hundredths : hundredths - (hundredths % 10);
  const percent = (isBelow ? 1 : rounded) / 100;
  const text =
    locale === undefined
      ? `${percent}%`
      : (percent / 100).toLocaleString(locale, { style: 'percent', maximumFractionDigits: 2 });
  return isBelow ? `< ${text}` : text;
}
