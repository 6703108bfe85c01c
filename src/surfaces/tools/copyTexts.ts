/**
 * Texts of the copies of a duplicate for an agent: the full text of the first copy, and the differences of the others.
 */
import { structuredPatch } from 'diff';
import { canAlign, foldNames } from '../../presentation/copies/renaming.ts';
import type { Group } from '../../core/engine/report/report.ts';
import { linesIn, placeIn } from './places.ts';

export interface ShownCopy {
  readonly place: string;
  /** Difference from the first copy; `undefined` for the first copy itself. */
  readonly difference?: Difference;
  readonly text: string;
  /** True if the text was shortened. */
  readonly isCut: boolean;
}

/** Difference between a copy and the first copy. */
export interface Difference {
  /** Names that are consistently renamed, as "its → first". `undefined` if there are none. */
  readonly names?: readonly string[];
  /**
   * Hunks of a unified diff between the first copy and this one, with the names of the first copy. Empty if only names
   * differ.
   */
  readonly differs: string;
  /** Present, and then true, if the copies differ too much for a diff. The diff is then empty. */
  readonly isUnlike?: true;
}

export interface CopySources {
  /** True to also include the texts of the other copies, in addition to the differences. */
  readonly withTexts: boolean;
  readonly textOf: (path: string) => Promise<string | undefined>;
  readonly languageOf?: (path: string) => string | undefined;
  /** Returns the line that stands for a number of lines that were left out. */
  readonly leftOut: (lines: number) => string;
  /** Maximum number of characters. Default: `mostCharacters`. */
  readonly room?: number;
}

/**
 * Maximum number of characters of an answer, which is about ten thousand tokens. Differences take at most half of it if
 * there are texts.
 */
export const mostCharacters = 40_000;
const maxLinesOfCopy = 300;
/**
 * Maximum number of added and removed lines of a difference. For two texts of at most `maxLinesOfCopy` lines, this is
 * always enough. With more, two texts without common lines would take over 20 ms each, for a diff that nobody reads.
 */
const maxEditLength = 2 * maxLinesOfCopy;
const maxNames = 30;

/**
 * Returns the first copies with their texts and differences. A text or difference that does not fit is cut in the
 * middle.
 *
 * @param textOf      returns the complete text of a file, given its report path
 * @param languageOf  returns the VS Code id of the language of a path; `undefined` if it is unknown
 * @param limit       maximum number of copies
 */
export async function copiesOf(
  group: Group,
  { textOf, languageOf, withTexts, leftOut, room: most = mostCharacters }: CopySources,
  limit: number,
): Promise<ShownCopy[]> {
  const all = await Promise.all(
    group.passages.slice(0, limit).map(async (passage) => ({
      place: placeIn(group, passage),
      lines: linesIn((await textOf(passage.path)) ?? '', passage),
      language: languageOf?.(passage.path),
    })),
  );
  const [first, ...others] = all;
  if (first === undefined) return [];
  let room = most / 2;
  const differences = others.map(({ lines, language }, at): Difference => {
    const folded = folding(group, first.lines, lines, language === first.language ? language : undefined);
    const hunks = diffOf(first.lines, folded.lines);
    const names = folded.names.length > 0 ? { names: folded.names } : {};
    if (hunks === undefined) return { ...names, differs: '', isUnlike: true };
    const { text: differs } = cutMiddle(hunks, { room: room / (others.length - at), leftOut });
    room -= differs.length;
    return { ...names, differs };
  });
  room += most / 2;
  return all.map(({ place, lines }, at) => {
    const compared = at === 0 ? { place } : { place, difference: differences[at - 1]! };
    if (at > 0 && !withTexts) return { ...compared, text: '', isCut: true };
    // The first copy is needed to understand the differences, so it may take up to half of the room.
    const shares = at > 0 ? all.length - at : withTexts && others.length > 0 ? 2 : 1;
    const shown = cutMiddle(lines, { room: room / shares, leftOut, maxLines: maxLinesOfCopy });
    room -= shown.text.length;
    return { ...compared, ...shown };
  });
}

/**
 * Returns a copy with the names of the first copy, and the renamed names. If nothing is renamed, the text stays the
 * same.
 */
function folding(
  { kind, type }: Group,
  first: readonly string[],
  lines: readonly string[],
  language: string | undefined,
): { readonly lines: readonly string[]; readonly names: readonly string[] } {
  const [left, right] = [first.join('\n'), lines.join('\n')];
  if (kind !== 'code' || type === 'exact' || !canAlign(left, right)) return { lines, names: [] };
  const { text, names } = foldNames(left, right, language);
  return { lines: text.split('\n'), names: names.slice(0, maxNames).map((name) => `${name.right} → ${name.left}`) };
}

interface Limits {
  /** Maximum number of characters, not counting the line that stands for omitted lines. */
  readonly room: number;
  readonly maxLines?: number;
  readonly leftOut: CopySources['leftOut'];
}

/**
 * Joins lines. If they exceed the limits, keeps the first and the last lines, with a line between them that stands for
 * the others. The result is empty only if there are no lines, because an empty difference would mean that the texts are
 * equal.
 */
export function cutMiddle(
  lines: readonly string[],
  { room, maxLines = Infinity, leftOut }: Limits,
): { readonly text: string; readonly isCut: boolean } {
  const text = lines.join('\n');
  if (text.length <= room && lines.length <= maxLines) return { text, isCut: false };
  const clipped = lines.map((line) => clip(line, room / 4));
  const head = fitting(clipped, room / 2, maxLines / 2);
  const tail = fitting(clipped.slice(head.length).reverse(), room / 2, maxLines / 2).reverse();
  const omitted = lines.length - head.length - tail.length;
  return { text: [...head, ...(omitted > 0 ? [leftOut(omitted)] : []), ...tail].join('\n'), isCut: true };
}

/** Shortens a long line in the middle. */
export function clip(line: string, room: number): string {
  if (line.length <= room) return line;
  const half = Math.floor(room / 2);
  // Remove half of a surrogate pair if the cut has separated it.
  return `${line.slice(0, half)} … ${line.slice(-half)}`.replace(/\p{Surrogate}/gu, '');
}

/** Returns the first lines, as far as they fit. */
function fitting(lines: readonly string[], room: number, maxLines: number): string[] {
  let [count, left] = [0, room];
  while (count < lines.length && count < maxLines && (left -= lines[count]!.length + 1) >= 0) count++;
  return lines.slice(0, count);
}

/**
 * Returns the lines of a unified diff without a header. Returns none if the texts are equal, and `undefined` if they
 * differ too much.
 */
function diffOf(before: readonly string[], after: readonly string[]): string[] | undefined {
  const joined = (lines: readonly string[]): string => `${lines.join('\n')}\n`;
  const patch = structuredPatch('', '', joined(before), joined(after), '', '', { context: 1, maxEditLength });
  return patch?.hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
    `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`,
    ...lines,
  ]);
}
