/** Texts of the copies of a duplicate, for an agent: the first one in full, and the differences of the others. */
import { structuredPatch } from 'diff';
import { canAlign, foldNames } from '../../presentation/copies/renaming.ts';
import type { Group } from '../../core/engine/report/report.ts';
import { linesIn, placeIn } from './places.ts';

export interface ShownCopy {
  readonly place: string;
  readonly text: string;
  /** True if the text is incomplete. */
  readonly isCut: boolean;
  /**
   * Hunks of a unified diff between the first copy and this one, with the names of the first; empty if only names
   * differ. `undefined` for the first copy.
   */
  readonly differs?: string;
  /** Only present, and then true, if too much differs for a diff, which is then empty. */
  readonly isUnlike?: true;
  /** Consistent renamings relative to the first copy: "its → first". `undefined` if there are none. */
  readonly names?: readonly string[];
}

export interface CopySources {
  /** True to include the texts of copies after the first, besides the differences. */
  readonly withTexts: boolean;
  readonly textOf: (path: string) => Promise<string | undefined>;
  readonly languageOf?: (path: string) => string | undefined;
}

/** Limit for texts and differences in total: about ten thousand tokens. */
const mostCharacters = 40_000;
const maxLinesOfCopy = 300;
const maxNames = 30;

/**
 * Returns the first copies with their texts, as far as they fit.
 *
 * @param textOf      returns the complete text of a file, by its path in the report
 * @param languageOf  returns the VS Code language of a path; `undefined` if unknown
 * @param limit       maximum number of copies
 */
export async function copiesOf(
  group: Group,
  { textOf, languageOf, withTexts }: CopySources,
  limit: number,
): Promise<ShownCopy[]> {
  const shown: ShownCopy[] = [];
  let room = mostCharacters;
  let first: { readonly lines: readonly string[]; readonly language: string | undefined } | undefined;
  for (const passage of group.passages.slice(0, limit)) {
    const all = linesIn((await textOf(passage.path)) ?? '', passage);
    const language = languageOf?.(passage.path);
    const [lines, isCut] = withTexts || !first ? fitting(all, room) : [[], true];
    const folded = first && folding(group, first.lines, all, language === first.language ? language : undefined);
    const differs = first && folded && diffOf(first.lines, folded.lines);
    const text = lines.join('\n');
    const cutDiff = differs === undefined ? undefined : cut(differs, room - text.length);
    shown.push({
      place: placeIn(group, passage),
      text,
      isCut,
      ...(folded && differs === undefined ? { differs: '', isUnlike: true } : {}),
      ...(cutDiff === undefined ? {} : { differs: cutDiff }),
      ...(folded && folded.names.length > 0 ? { names: folded.names } : {}),
    });
    first ??= { lines: all, language };
    room -= text.length + (cutDiff?.length ?? 0);
    if (room <= 0) break;
  }
  return shown;
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

/** Returns the lines that fit, and whether some are missing. */
function fitting(lines: readonly string[], room: number): [shown: readonly string[], isCut: boolean] {
  let [count, left] = [0, room];
  while (count < Math.min(lines.length, maxLinesOfCopy) && left > 0) left -= lines[count++]!.length + 1;
  return [lines.slice(0, count), count < lines.length];
}

/** Clips a diff. A clipped diff ends with an ellipsis, so it is never empty, which would mean equal texts. */
function cut(differs: string, room: number): string {
  return differs.length <= room ? differs : `${differs.slice(0, Math.max(0, room))}\n…`;
}

/** Returns the hunks of a unified diff, without a heading; empty if nothing differs, `undefined` if too much does. */
function diffOf(before: readonly string[], after: readonly string[]): string | undefined {
  const joined = (lines: readonly string[]): string => `${lines.join('\n')}\n`;
  // Two long texts without common lines would take seconds, with a useless result.
  const patch = structuredPatch('', '', joined(before), joined(after), '', '', { context: 1, timeout: 500 });
  return patch?.hunks
    .map(({ oldStart, oldLines, newStart, newLines, lines }) =>
      [`@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`, ...lines].join('\n'),
    )
    .join('\n');
}
