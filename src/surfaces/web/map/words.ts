/** Translated texts of the map page, which the extension sends, and number formats of the user's locale. */
import { type LineCounts, lineShare } from '../../../presentation/wording/lineShare.ts';
import type { MapPlace } from '../../../presentation/pages/mapMessages.ts';
import type { MapWords } from '../../../presentation/pages/mapWords.ts';

let words: MapWords | undefined;
let locale: string | undefined;

export function setWords(of: MapWords, language: string): void {
  [words, locale] = [of, language];
}

export function word(key: keyof MapWords): string {
  return words![key];
}

/** Replaces the placeholders {0}, {1}, … in a text with values. */
export function fill(key: keyof MapWords, ...values: readonly string[]): string {
  return word(key).replaceAll(/\{(\d)\}/g, (_, place: string) => values[Number(place)] ?? '');
}

/** Formats a number: "12,034". */
export function quantity(value: number): string {
  return value.toLocaleString(locale);
}

/** Formats the share of duplicated lines: "12.3%", or "12,3 %" in German. */
export function shareText(counts: LineCounts): string {
  return lineShare(counts, locale);
}

/** Returns the share of duplicated lines, in [0, 1]. */
export function shareOf({ lines, duplicatedLines }: LineCounts): number {
  return lines === 0 ? 0 : duplicatedLines / lines;
}

/** Formats the number of duplicated lines, the number of lines, and the share of duplicated lines. */
export function linesOf(place: LineCounts): readonly [string, string, string] {
  return [quantity(place.duplicatedLines), quantity(place.lines), shareText(place)];
}

export function nameOf({ type, name, files }: MapPlace): string {
  return type === 'others' ? fill('others', quantity(files)) : name;
}

/** Returns the first segment of a path below the folder `above`. */
export function lastName(path: string, above: string): string {
  return path.slice(above === '' ? 0 : above.length + 1).split('/', 1)[0]!;
}
