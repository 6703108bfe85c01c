/** Texts of the copies of a duplicate, for an agent: the first one in full, and the differences of the others. */
import { structuredPatch } from 'diff';
import { canAlign, foldNames } from '../../presentation/copies/renaming.ts';
import type { Group } from '../../core/engine/report/report.ts';
import { linesIn, placeIn } from './places.ts';

export interface ShownCopy {
  readonly place: string;
  /** `undefined` for the first copy. */
  readonly difference?: Difference;
  readonly text: string;
  /** True if the text is incomplete. */
  readonly isCut: boolean;
}

/** Difference of a copy from the first one. */
export interface Difference {
  /** Consistent renamings relative to the first copy: "its → first". `undefined` if there are none. */
  readonly names?: readonly string[];
  /** Hunks of a unified diff between the first copy and this one, with the names of the first; empty if only names differ. */
  readonly differs: string;
  /** Only present, and then true, if too much differs for a diff, which is then empty. */
  readonly isUnlike?: true;
}

export interface CopySources {
  /** True to include the texts of copies after the first, besides the differences. */
  readonly withTexts: boolean;
  readonly textOf: (path: string) => Promise<string | undefined>;
  readonly languageOf?: (path: string) => string | undefined;
  /** Returns the line that replaces a number of lines. */
  readonly leftOut: (lines: number) => string;
  /** Maximum number of characters; `mostCharacters` by default. */
  readonly room?: number;
}

/** Limit for an answer in total: about ten thousand tokens. Differences take at most half of the texts. */
export const mostCharacters = 40_000;
const maxLinesOfCopy = 300;
/**
 * Maximum number of added and removed lines of a difference. Two texts of `maxLinesOfCopy` lines always have one. With
 * more, two texts without common lines take over 20 ms each, for a result that nobody reads.
 */
const maxEditLength = 2 * maxLinesOfCopy;
const maxNames = 30;

/**
 * Returns the first copies with their texts. A text or a difference that does not fit is cut in the middle.
 *
 * @param textOf      returns the complete text of a file, by its path in the report
 * @param languageOf  returns the VS Code language of a path; `undefined` if unknown
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
    // Differences are read against the first copy, so it takes up to half of the room.
    const shares = at > 0 ? all.length - at : withTexts && others.length > 0 ? 2 : 1;
    const shown = cutMiddle(lines, { room: room / shares, leftOut, maxLines: maxLinesOfCopy });
    room -= shown.text.length;
    return { ...compared, ...shown };
  });
}

/** Returns a copy of code with the names of the first one, and the renamings; unchanged if nothing is renamed. */
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
  /** Maximum number of characters, without the line for the omitted lines. */
  readonly room: number;
  readonly maxLines?: number;
  readonly leftOut: CopySources['leftOut'];
}

/**
 * Joins lines. If they exceed the limits, keeps the first and the last ones, with a line between them for the rest.
 * The result is never empty for text that is not, because an empty difference would mean equal texts.
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

/** Cuts a long line in the middle. */
export function clip(line: string, room: number): string {
  if (line.length <= room) return line;
  const half = Math.floor(room / 2);
  // Removes half of a surrogate pair that the cut separated.
  return `${line.slice(0, half)} … ${line.slice(-half)}`.replace(/\p{Surrogate}/gu, '');
}

/** Returns the first lines that fit. */
function fitting(lines: readonly string[], room: number, maxLines: number): string[] {
  let [count, left] = [0, room];
  while (count < lines.length && count < maxLines && (left -= lines[count]!.length + 1) >= 0) count++;
  return lines.slice(0, count);
}

/** Returns the lines of a unified diff, without a heading; empty if nothing differs, `undefined` if too much does. */
function diffOf(before: readonly string[], after: readonly string[]): string[] | undefined {
  const joined = (lines: readonly string[]): string => `${lines.join('\n')}\n`;
  const patch = structuredPatch('', '', joined(before), joined(after), '', '', { context: 1, maxEditLength });
  return patch?.hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
    `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`,
    ...lines,
  ]);
}
