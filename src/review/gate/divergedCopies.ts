/**
 * Finds diverged copies: some copies of a group were edited and others were not, so a fix may be incomplete. They are
 * derived from the base's report and the diff, so they are found even if the edited passages no longer match. Changes
 * of layout and comments do not count as edits.
 */
import type { Group, Passage } from '../../core/engine/report/report.ts';
import { baseRange, type Hunk, hunksWithin, type LineRange, reversed } from './changes.ts';
import type { Changes } from './newCopies.ts';

/** A range of lines in a current file. */
export interface Place extends LineRange {
  readonly path: string;
}

export interface EditedCopy extends Place {
  /** Lines of a diff of the edit that other copies lack: for each place, a heading, and removed and added lines. */
  readonly diff: readonly string[];
}

export interface DivergedGroup {
  /** The group as it was in the base. */
  readonly group: Group;
  readonly edited: readonly EditedCopy[];
  /** Copies that were not edited. */
  readonly others: readonly Place[];
}

/** Function that returns true if a range of current lines has the same tokens as a range of base lines. */
export type ContentCheck = (base: Place, now: Place) => boolean;

/** Returns the diverged groups in the order of the base's groups, and only the outermost of nested ones. */
export function divergedCopies(
  base: readonly Group[],
  changes: Changes,
  hasSameContent: ContentCheck,
): DivergedGroup[] {
  const diverged: DivergedGroup[] = [];
  const seen = new Set<string>();
  for (const group of base) {
    if (group.kind === 'file') continue;
    if (group.parent !== undefined && seen.has(group.parent)) {
      seen.add(group.id);
      continue;
    }
    const found = divergedGroup(group, changes, hasSameContent);
    if (found === undefined) continue;
    diverged.push(found);
    seen.add(group.id);
  }
  return diverged;
}

function divergedGroup(group: Group, changes: Changes, hasSameContent: ContentCheck): DivergedGroup | undefined {
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
    // If a passage was removed or mostly rewritten, it is not an edited copy.
    if (now === undefined || change.path === undefined || 2 * now.kept < size) continue;
    const edits = hunksWithin(hunks, passage).filter((hunk) => isEditOf(passage, hunk));
    const place = placeOf(change.path, now);
    const isEdited = edits.length > 0 && !hasSameContent(placeOf(passage.path, passage), place);
    if (!isEdited) others.push(place);
    else edited.push({ ...place, diff: edits.flatMap(linesOfEdit) });
  }
  return edited.length > 0 && others.length > 0 ? { group, edited, others } : undefined;
}

/**
 * Returns true if a hunk is an edit of a passage: it must be completely inside the passage, and must not insert or
 * remove a large part of it, such as a function.
 *
 * @param hunk  reversed, so that `start` and `count` refer to the base
 */
function isEditOf({ startLine, endLine }: LineRange, { start, count, baseCount }: Hunk): boolean {
  if (start < startLine || start + count - 1 > endLine) return false;
  const isOneSided = count === 0 || baseCount === 0;
  return !isOneSided || 2 * Math.max(count, baseCount) <= endLine - startLine + 1;
}

function placeOf(path: string, { startLine, endLine }: Pick<Passage, 'startLine' | 'endLine'>): Place {
  return { path, startLine, endLine };
}

/** @param hunk  reversed, so that its "added" lines are those of the base */
function linesOfEdit({ baseStart, baseCount, start, count, added, removed }: Hunk): string[] {
  return [
    `@@ -${start},${count} +${baseStart},${baseCount} @@`,
    ...added.map((line) => `-${line}`),
    ...removed.map((line) => `+${line}`),
  ];
}
