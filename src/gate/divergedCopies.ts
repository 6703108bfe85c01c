/**
 * Copies of which some were edited and others were not: a mistake that was mended in one place only looks like this. Told by
 * the report of the base and the diff alone, so that an edit after which two passages are no copies any more is told as well.
 * What is only laid out anew, or has other comments, says the same and is no edited copy.
 */
import type { Group, Passage } from '../engine/report/report.ts';
import { baseRange, type Hunk, hunksWithin, type LineRange, reversed } from './changes.ts';
import type { Changes } from './newCopies.ts';

/** A place as it is now. */
export interface Place extends LineRange {
  readonly path: string;
}

export interface EditedCopy extends Place {
  /** What the others lack: a heading for each place, then lines with a minus and lines with a plus. */
  readonly diff: readonly string[];
}

export interface DivergedGroup {
  /** Of the base. */
  readonly group: Group;
  readonly edited: readonly EditedCopy[];
  /** The copies that were not edited. */
  readonly others: readonly Place[];
}

/** Whether lines that stand in the place of lines of the base say the same as these, token by token. */
export type SaysTheSame = (base: Place, now: Place) => boolean;

/** In the order of the base's groups; of groups that are shown in each other only the outermost. */
export function divergedCopies(base: readonly Group[], changes: Changes, saysTheSame: SaysTheSame): DivergedGroup[] {
  const diverged: DivergedGroup[] = [];
  const told = new Set<string>();
  for (const group of base) {
    if (group.kind === 'file') continue;
    if (group.parent !== undefined && told.has(group.parent)) {
      told.add(group.id);
      continue;
    }
    const found = divergedGroup(group, changes, saysTheSame);
    if (found === undefined) continue;
    diverged.push(found);
    told.add(group.id);
  }
  return diverged;
}

function divergedGroup(group: Group, changes: Changes, saysTheSame: SaysTheSame): DivergedGroup | undefined {
  const edited: EditedCopy[] = [];
  const others: Place[] = [];
  for (const passage of group.passages) {
    const change = changes.ofBasePath(passage.path);
    if (change === undefined) {
      others.push(placeOf(passage.path, passage));
      continue;
    }
    const hunks = reversed(change.hunks);
    const now = baseRange(hunks, passage);
    const size = passage.endLine - passage.startLine + 1;
    // What is gone or was written anew is no edited copy.
    if (now === undefined || change.path === undefined || 2 * now.kept < size) continue;
    const edits = hunksWithin(hunks, passage).filter((hunk) => isEditOf(passage, hunk));
    const place = placeOf(change.path, now);
    const isEdited = edits.length > 0 && !saysTheSame(placeOf(passage.path, passage), place);
    if (!isEdited) others.push(place);
    else edited.push({ ...place, diff: edits.flatMap(linesOfEdit) });
  }
  return edited.length > 0 && others.length > 0 ? { group, edited, others } : undefined;
}

/**
 * Whether a hunk changes what a passage says: it lies in it with all its lines, and is no whole function that was put between
 * two others, or taken out.
 *
 * @param hunk  reversed: `start` and `count` are lines of the base
 */
function isEditOf({ startLine, endLine }: LineRange, { start, count, baseCount }: Hunk): boolean {
  if (start < startLine || start + count - 1 > endLine) return false;
  const isOneSided = count === 0 || baseCount === 0;
  return !isOneSided || 2 * Math.max(count, baseCount) <= endLine - startLine + 1;
}

function placeOf(path: string, { startLine, endLine }: Pick<Passage, 'startLine' | 'endLine'>): Place {
  return { path, startLine, endLine };
}

/** @param hunk  reversed: what it "adds" is what the base had */
function linesOfEdit({ baseStart, baseCount, start, count, added, removed }: Hunk): string[] {
  return [
    `@@ -${start},${count} +${baseStart},${baseCount} @@`,
    ...added.map((line) => `-${line}`),
    ...removed.map((line) => `+${line}`),
  ];
}
