/** The texts of the copies of one duplicate, as an agent reads them: the first one whole, of the others also what differs. */
import { structuredPatch } from 'diff';
import type { Group } from '../engine/report/report.ts';
import { linesIn, placeIn } from './places.ts';

export interface ShownCopy {
  readonly place: string;
  readonly text: string;
  /** Whether the text is not all of the copy. */
  readonly isCut: boolean;
  /** The hunks of a unified diff against the first copy; empty when nothing differs. Undefined of the first. */
  readonly differs?: string;
}

/** What an agent reads of texts and differences in all: some ten thousand tokens. */
const mostCharacters = 40_000;
const mostLinesOfCopy = 300;

/**
 * The first copies with their texts, as far as there is room.
 *
 * @param textOf  the whole text of a file, by its path in the report
 * @param limit   copies at most
 */
export async function copiesOf(
  group: Group,
  textOf: (path: string) => Promise<string | undefined>,
  limit: number,
): Promise<ShownCopy[]> {
  const shown: ShownCopy[] = [];
  let room = mostCharacters;
  let first: readonly string[] | undefined;
  for (const passage of group.passages.slice(0, limit)) {
    const all = linesIn((await textOf(passage.path)) ?? '', passage);
    const [lines, isCut] = fitting(all, room);
    const differs = first && diffOf(first, all);
    const cutDiff = differs?.slice(0, Math.max(0, room - lines.join('\n').length));
    shown.push({
      place: placeIn(group, passage),
      text: lines.join('\n'),
      isCut,
      ...(cutDiff === undefined ? {} : { differs: cutDiff }),
    });
    first ??= all;
    room -= lines.join('\n').length + (cutDiff?.length ?? 0);
    if (room <= 0) break;
  }
  return shown;
}

/** As many lines as there is room for, and whether some are missing. */
function fitting(lines: readonly string[], room: number): [shown: readonly string[], isCut: boolean] {
  let [count, left] = [0, room];
  while (count < Math.min(lines.length, mostLinesOfCopy) && left > 0) left -= lines[count++]!.length + 1;
  return [lines.slice(0, count), count < lines.length];
}

/** The hunks of a unified diff, without its heading; empty when nothing differs. */
function diffOf(before: readonly string[], after: readonly string[]): string {
  const joined = (lines: readonly string[]): string => `${lines.join('\n')}\n`;
  // Two long texts with nothing in common take seconds, and tell nothing.
  const patch = structuredPatch('', '', joined(before), joined(after), '', '', { context: 1, timeout: 500 });
  if (patch === undefined) return 'too much to be told line by line';
  return patch.hunks
    .map(({ oldStart, oldLines, newStart, newLines, lines }) =>
      [`@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`, ...lines].join('\n'),
    )
    .join('\n');
}
