/** Texts of a duplicate's copies for an agent: the full text of the first copy, and how the others differ from it. */
import { structuredPatch } from 'diff';
import { canAlign, foldNames } from '../../presentation/copies/renaming.ts';
import type { Group } from '../../core/engine/report/report.ts';
import { linesIn, placeIn } from './places.ts';

export interface ShownCopy {
  readonly place: string;
  /** Difference from the first copy. Missing for the first copy itself. */
  readonly difference?: Difference;
  readonly text: string;
  /** True if the text was truncated. */
  readonly isCut: boolean;
}

export interface Difference {
  /** Renamed names, as "name here → name in the first copy". Missing if there are none. */
  readonly names?: readonly string[];
  /** Hunks of a unified diff from the first copy, with its names, to this one; empty if only names differ. */
  readonly differs: string;
  /** Present if the copies are too different for a diff. `differs` is then empty. */
  readonly isUnlike?: true;
}

export interface CopySources {
  /** If true, includes the texts of the other copies as well, not only their differences. */
  readonly withTexts: boolean;
  readonly textOf: (path: string) => Promise<string | undefined>;
  readonly languageOf?: (path: string) => string | undefined;
  /** Returns the line that replaces the given number of omitted lines. */
  readonly leftOut: (lines: number) => string;
  /** Maximum number of characters. Default: `maxCharacters`. */
  readonly room?: number;
}

/** Maximum number of characters of an answer, about ten thousand tokens. With texts, half is for differences. */
export const maxCharacters = 40_000;
const maxLinesOfCopy = 300;
/**
 * Maximum number of added and removed lines in a diff. This always suffices for two texts of `maxLinesOfCopy` lines.
 * Longer texts without common lines would take over 20 ms each.
 */
const maxEditLength = 2 * maxLinesOfCopy;
const maxNames = 30;

/**
 * Returns the first copies with their texts and differences. If a text or difference does not fit, its middle is
 * omitted.
 *
 * @param textOf      returns the complete text of a file, given its report path
 * @param languageOf  returns the VS Code language id of a path; `undefined` if it is unknown
 * @param limit       maximum number of copies
 */
export async function copiesOf(
  group: Group,
  { textOf, languageOf, withTexts, leftOut, room: maxLength = maxCharacters }: CopySources,
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
  let room = maxLength / 2;
  const differences = others.map(({ lines, language }, at): Difference => {
    const folded = folding(group, first.lines, lines, language === first.language ? language : undefined);
    const hunks = diffOf(first.lines, folded.lines);
    const names = folded.names.length > 0 ? { names: folded.names } : {};
    if (hunks === undefined) return { ...names, differs: '', isUnlike: true };
    const { text: differs } = cutMiddle(hunks, { room: room / (others.length - at), leftOut });
    room -= differs.length;
    return { ...names, differs };
  });
  room += maxLength / 2;
  return all.map(({ place, lines }, at) => {
    const compared = at === 0 ? { place } : { place, difference: differences[at - 1]! };
    if (at > 0 && !withTexts) return { ...compared, text: '', isCut: true };
    // Readers need the first copy to understand the differences, so it may take up to half of the space.
    const shares = at > 0 ? all.length - at : withTexts && others.length > 0 ? 2 : 1;
    const shown = cutMiddle(lines, { room: room / shares, leftOut, maxLines: maxLinesOfCopy });
    room -= shown.text.length;
    return { ...compared, ...shown };
  });
}

/**
 * Replaces names in a copy with those of the first copy. Returns the text and the renamed names. Returns the unchanged
 * text if nothing is renamed.
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
  /** Maximum number of characters, not counting the line about omitted lines. */
  readonly room: number;
  readonly maxLines?: number;
  readonly leftOut: CopySources['leftOut'];
}

/**
 * Joins lines. If they exceed the limits, keeps the first and last lines, with a line about the omitted ones between
 * them. Never returns an empty text for a nonempty list, because an empty difference would mean equal texts.
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

/** Shortens a long line by omitting its middle. */
export function clip(line: string, room: number): string {
  if (line.length <= room) return line;
  const half = Math.floor(room / 2);
  // Remove half a surrogate pair at the cut.
  return `${line.slice(0, half)} … ${line.slice(-half)}`.replace(/\p{Surrogate}/gu, '');
}

/** Returns as many of the first lines as fit. */
function fitting(lines: readonly string[], room: number, maxLines: number): string[] {
  let [count, left] = [0, room];
  while (count < lines.length && count < maxLines && (left -= lines[count]!.length + 1) >= 0) count++;
  return lines.slice(0, count);
}

/** Returns a unified diff without its header: empty if the texts are equal, `undefined` if they differ too much. */
function diffOf(before: readonly string[], after: readonly string[]): string[] | undefined {
  const joined = (lines: readonly string[]): string => `${lines.join('\n')}\n`;
  const patch = structuredPatch('', '', joined(before), joined(after), '', '', { context: 1, maxEditLength });
  return patch?.hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
    `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`,
    ...lines,
  ]);
}
