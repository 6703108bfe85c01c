/** The texts of the copies of one duplicate, as an agent reads them: the first one whole, of the others also what differs. */
import { structuredPatch } from 'diff';
import { canAlign, foldNames } from '../copies/renaming.ts';
import type { Group } from '../engine/report/report.ts';
import { linesIn, placeIn } from './places.ts';

export interface ShownCopy {
  readonly place: string;
  readonly text: string;
  /** Whether the text is not all of the copy. */
  readonly isCut: boolean;
  /**
   * The hunks of a unified diff between the first copy and this one, in the names of the first; empty when nothing differs but
   * names. Undefined of the first.
   */
  readonly differs?: string;
  /** There, and true, when they differ in too much for a diff, which is empty then. */
  readonly isUnlike?: true;
  /** Names that it has for those of the first copy throughout: "its → first". Undefined when there are none. */
  readonly names?: readonly string[];
}

/** Where texts come from, and which are wanted. */
export interface CopySources {
  /** Whether the texts of the copies behind the first are of use besides what differs in them. */
  readonly withTexts: boolean;
  readonly textOf: (path: string) => Promise<string | undefined>;
  readonly languageOf?: (path: string) => string | undefined;
}

/** What an agent reads of texts and differences in all: some ten thousand tokens. */
const mostCharacters = 40_000;
const mostLinesOfCopy = 300;
const mostNames = 30;

/**
 * The first copies with their texts, as far as there is room.
 *
 * @param textOf      the whole text of a file, by its path in the report
 * @param languageOf  the language of a file by its path, as VS Code calls it; undefined where that is not known
 * @param limit       copies at most
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

/** A copy of code in the names of the first one, and these; as it is where nothing is renamed. */
function folding(
  { kind, type }: Group,
  first: readonly string[],
  lines: readonly string[],
  language: string | undefined,
): { readonly lines: readonly string[]; readonly names: readonly string[] } {
  const [left, right] = [first.join('\n'), lines.join('\n')];
  if (kind !== 'code' || type === 'exact' || !canAlign(left, right)) return { lines, names: [] };
  const { text, names } = foldNames(left, right, language);
  return { lines: text.split('\n'), names: names.slice(0, mostNames).map((name) => `${name.right} → ${name.left}`) };
}

/** As many lines as there is room for, and whether some are missing. */
function fitting(lines: readonly string[], room: number): [shown: readonly string[], isCut: boolean] {
  let [count, left] = [0, room];
  while (count < Math.min(lines.length, mostLinesOfCopy) && left > 0) left -= lines[count++]!.length + 1;
  return [lines.slice(0, count), count < lines.length];
}

/** A diff as far as there is room. One that is cut ends with an ellipsis, so that it is never empty: that would say the same text. */
function cut(differs: string, room: number): string {
  return differs.length <= room ? differs : `${differs.slice(0, Math.max(0, room))}\n…`;
}

/** The hunks of a unified diff, without its heading; empty when nothing differs, undefined when too much does. */
function diffOf(before: readonly string[], after: readonly string[]): string | undefined {
  const joined = (lines: readonly string[]): string => `${lines.join('\n')}\n`;
  // Two long texts with nothing in common take seconds, and tell nothing.
  const patch = structuredPatch('', '', joined(before), joined(after), '', '', { context: 1, timeout: 500 });
  return patch?.hunks
    .map(({ oldStart, oldLines, newStart, newLines, lines }) =>
      [`@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`, ...lines].join('\n'),
    )
    .join('\n');
}
