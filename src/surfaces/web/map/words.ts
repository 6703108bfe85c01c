/** Texts of the page, translated by the extension, and locale-dependent formatting of numbers. */
import type { MapPlace, MapWords } from '../../../presentation/map/messages.ts';

let words: MapWords | undefined;
let locale: string | undefined;

export function setWords(of: MapWords, language: string): void {
  [words, locale] = [of, language];
}

export function word(key: keyof MapWords): string {
  return words![key];
}

/** Inserts values into the placeholders {0}, {1} … of a text. */
export function fill(key: keyof MapWords, ...values: readonly string[]): string {
  return word(key).replaceAll(/\{(\d)\}/g, (_, place: string) => values[Number(place)] ?? '');
}

/** "12,034". */
export function quantity(value: number): string {
  return value.toLocaleString(locale);
}

/** "12.3 %"; "< 0.1 %" for small nonzero values. */
export function shareText({ lines, duplicatedLines }: Pick<MapPlace, 'lines' | 'duplicatedLines'>): string {
  const percent = 100 * shareOf({ lines, duplicatedLines });
  if (percent > 0 && percent < 0.1) return `< ${(0.1).toLocaleString(locale)} %`;
  return `${percent.toLocaleString(locale, { maximumFractionDigits: 1 })} %`;
}

/** In [0, 1]. */
export function shareOf({ lines, duplicatedLines }: Pick<MapPlace, 'lines' | 'duplicatedLines'>): number {
  return lines === 0 ? 0 : duplicatedLines / lines;
}

/** Duplicated lines, lines, and their share, as several texts need them. */
export function linesOf(place: Pick<MapPlace, 'lines' | 'duplicatedLines'>): readonly [string, string, string] {
  return [quantity(place.duplicatedLines), quantity(place.lines), shareText(place)];
}

/** Returns the display name of a place. */
export function nameOf({ type, name, files }: MapPlace): string {
  return type === 'others' ? fill('others', quantity(files)) : name;
}

/** Returns the first folder of a path relative to another folder. */
export function lastName(path: string, above: string): string {
  return path.slice(above === '' ? 0 : above.length + 1).split('/', 1)[0]!;
}
