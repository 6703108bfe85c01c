/** The page's texts, which the extension has put into the language of VS Code, and how numbers are said in it. */
import type { MapPlace, MapWords } from '../map/messages.ts';

let words: MapWords | undefined;
let locale: string | undefined;

export function setWords(of: MapWords, language: string): void {
  [words, locale] = [of, language];
}

export function word(key: keyof MapWords): string {
  return words![key];
}

/** A text with what belongs in its {0}, {1} … */
export function fill(key: keyof MapWords, ...values: readonly string[]): string {
  return word(key).replaceAll(/\{(\d)\}/g, (_, place: string) => values[Number(place)] ?? '');
}

/** "12,034". */
export function quantity(value: number): string {
  return value.toLocaleString(locale);
}

/** "12.3 %", and "< 0.1 %" of what is more than nothing. */
export function shareText({ lines, duplicatedLines }: Pick<MapPlace, 'lines' | 'duplicatedLines'>): string {
  const percent = 100 * shareOf({ lines, duplicatedLines });
  if (percent > 0 && percent < 0.1) return `< ${(0.1).toLocaleString(locale)} %`;
  return `${percent.toLocaleString(locale, { maximumFractionDigits: 1 })} %`;
}

/** In [0, 1]. */
export function shareOf({ lines, duplicatedLines }: Pick<MapPlace, 'lines' | 'duplicatedLines'>): number {
  return lines === 0 ? 0 : duplicatedLines / lines;
}

/** Duplicated lines, lines, their share: as several texts have them. */
export function linesOf(place: Pick<MapPlace, 'lines' | 'duplicatedLines'>): readonly [string, string, string] {
  return [quantity(place.duplicatedLines), quantity(place.lines), shareText(place)];
}

/** What a place is called where it is shown. */
export function nameOf({ type, name, files }: MapPlace): string {
  return type === 'others' ? fill('others', quantity(files)) : name;
}

/** The first folder of a path in another folder. */
export function lastName(path: string, above: string): string {
  return path.slice(above === '' ? 0 : above.length + 1).split('/', 1)[0]!;
}
