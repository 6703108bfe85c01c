/** Tool `check_changes`: checks the changes since a commit for new copies. */
import { countedByDefault } from '../../review/check/gate.ts';
import type { JudgedGroup, JudgedPassage } from '../../review/gate/judgeGroups.ts';
import type { WorktreeCopy } from '../../review/check/worktreeCopies.ts';
import type { Passage } from '../../core/engine/report/report.ts';
import type { Report } from '../../session/client/report.ts';
import { type Access, type IndexNote, reportFor, type ToolAnswer } from './access.ts';
import { homeFirst } from './homeFirst.ts';
import { isThere, outside, placeIn, unknownFolder, writePlace } from './places.ts';
import type { InputSchema } from './schemas.ts';
import { type FileLikeness, fileLikeness, type SharedPart, sharedPart } from './sharedPart.ts';

export interface CheckChangesInput {
  readonly since?: string;
  readonly folder?: string;
  readonly baseline?: string;
  readonly scope?: 'worktree' | 'all worktrees';
}

/** Maximum number of entries of each kind to list. The rest is only counted. */
const maxGroups = 30;
const maxPlaces = 10;
const maxDiffLines = 60;

export const checkChangesInput: InputSchema = {
  type: 'object',
  properties: {
    since: {
      type: 'string',
      description: 'Git ref whose merge base is compared, such as origin/main; HEAD by default.',
    },
    folder: {
      type: 'string',
      description: 'Folder whose repository to check, if several are followed.',
    },
    baseline: { type: 'string', description: 'Baseline file of known copies, read from the ref.' },
  },
  additionalProperties: false,
};

export interface CheckChangesData {
  /** True if the changes added no copies. */
  readonly holds: boolean;
  readonly message: string;
  readonly since?: { readonly ref: string; readonly commit: string } | undefined;
  /** Number of duplicates with new copies. Files are not counted beside the passage that they share. */
  readonly total: number;
  /** If a duplicate consists of files that share a passage, the fields describe the longest of the shared passages. */
  readonly newDuplicates: readonly (FileLikeness & {
    readonly id: string;
    readonly type: JudgedGroup['type'];
    readonly similarity: number;
    readonly lines: number;
    /** Place of the copy to keep, which get_duplicate shows first. It may be a new copy. */
    readonly keep: string;
    readonly newCopies: readonly string[];
    /** Empty if all copies are new. */
    readonly otherCopies: readonly string[];
    /** Ids of further passages that the files share. */
    readonly others?: readonly string[] | undefined;
  })[];
  /** Groups of which only some copies were edited. They do not make the check fail. */
  readonly diverged: readonly {
    readonly edited: readonly { readonly place: string; readonly edit: string }[];
    readonly others: readonly string[];
  }[];
  /** Present if `scope` was given: added lines that another worktree also adds. They do not make the check fail. */
  readonly otherWorktrees?:
    | {
        readonly total: number;
        readonly copies: readonly {
          readonly place: string;
          /** Place in the other worktree; its path is absolute. */
          readonly other: string;
          readonly type: WorktreeCopy['type'];
          readonly similarity: number;
        }[];
      }
    | undefined;
  readonly leftOut: { readonly newDuplicates: number; readonly diverged: number; readonly unread: number };
  /** Number of groups that are marked as intended, by a comment or in the baseline. */
  readonly ignored: number;
  /** Paths of changed files that Kindred does not compare. */
  readonly unread: readonly string[];
  readonly index: IndexNote;
  readonly next: string;
}

export async function checkChanges(
  access: Access,
  { since = 'HEAD', folder, baseline, scope }: CheckChangesInput,
): Promise<ToolAnswer<CheckChangesData>> {
  const prefix = prefixOf(access, folder);
  if (typeof prefix !== 'string') return prefix;
  const baselineFile = baseline === undefined ? undefined : fileIn(access, baseline);
  if (baseline !== undefined && baselineFile === undefined) return outside(baseline);
  const state = await reportFor(access, 'thorough');
  if ('problem' in state) return state;
  if (folder !== undefined && !(await isThere(access, access.pathOf(folder) ?? ''))) {
    return unknownFolder(access, folder, state.report.all);
  }
  const answer = await access.check(prefix, {
    since: { ref: since },
    staged: false,
    baseline: baselineFile,
    limits: { 'max-new': 0 },
    boundaries: false,
    worktrees: scope === 'all worktrees',
    counted: new Set(countedByDefault),
    allowsIncomplete: false,
  });
  if (answer.check === undefined) return { problem: `Cannot check: ${answer.problem}` };
  const { holds, newGroups, diverged, worktrees, unread, uncompared, since: base } = answer.check;
  const added = addedDuplicates(newGroups, state.report);
  // Requested at most once, and only if there is a duplicate to describe: a promise that nobody awaits would end the
  // process if it is rejected.
  let changed: ReturnType<Access['changedSince']> | undefined;
  const sources: Access = { ...access, changedSince: () => (changed ??= access.changedSince('HEAD')) };
  return {
    data: {
      holds,
      message: verdict(holds, added.length),
      since: base,
      total: added.length,
      newDuplicates: await Promise.all(added.slice(0, maxGroups).map((one) => describe(one, newGroups, sources))),
      diverged: diverged.slice(0, maxGroups).map(({ edited, others }) => ({
        edited: edited
          .slice(0, maxPlaces)
          .map(({ diff, ...place }) => ({ place: writePlace(place), edit: diff.slice(0, maxDiffLines).join('\n') })),
        others: others.slice(0, maxPlaces).map(writePlace),
      })),
      otherWorktrees: worktrees && {
        total: worktrees.copies.length,
        copies: worktrees.copies.slice(0, maxGroups).map((copy) => ({
          place: writePlace({ ...copy.own, path: prefix + copy.own.path }),
          other: writePlace(copy.other),
          type: copy.type,
          similarity: copy.similarity,
        })),
      },
      leftOut: {
        newDuplicates: Math.max(0, added.length - maxGroups),
        diverged: Math.max(0, diverged.length - maxGroups),
        unread: Math.max(0, unread.length - maxGroups),
      },
      ignored: answer.ignoredGroups,
      unread: unread.slice(0, maxGroups),
      index: state.index,
      next: nextOf(added.length, diverged.length, worktrees?.copies.length ?? 0, uncompared),
    },
  };
}

/** Returns the path prefix of the folder to check, or a problem if there are several and none is specified. */
function prefixOf({ prefixes, pathOf }: Access, folder: string | undefined): string | { readonly problem: string } {
  const all = prefixes();
  const [only, ...others] = all;
  if (only === undefined) return { problem: 'No folder is followed.' };
  if (folder !== undefined && pathOf(folder) === undefined) return outside(folder);
  if (others.length === 0) return only;
  const names = all.map((prefix) => prefix.replace(/\/$/, ''));
  const path = folder === undefined ? undefined : pathOf(folder);
  const found = all.find((prefix) => path !== undefined && `${path}/`.startsWith(prefix));
  return found ?? { problem: `Several folders are followed; specify which folder to check: ${names.join(', ')}.` };
}

function fileIn({ pathOf, fileOf }: Access, written: string): string | undefined {
  const path = pathOf(written);
  return path === undefined ? undefined : fileOf(path);
}

/** A duplicate with new copies. `shared` is the passage to describe in place of a group of files. */
interface AddedCopies {
  readonly group: JudgedGroup;
  readonly shared: SharedPart | undefined;
}

/** Returns the duplicates to list. Several groups of files that share the same passage are one. */
function addedDuplicates(groups: readonly JudgedGroup[], report: Report): AddedCopies[] {
  const listed = new Set(groups.map(({ id }) => id));
  return groups.flatMap((group): AddedCopies[] => {
    const shared = sharedPart(group, report);
    if (shared === undefined) return [{ group, shared }];
    if (listed.has(shared.part.id)) return [];
    listed.add(shared.part.id);
    return [{ group, shared }];
  });
}

async function describe(
  { group, shared }: AddedCopies,
  groups: readonly JudgedGroup[],
  sources: Pick<Access, 'textOf' | 'languageOf' | 'changedSince'>,
): Promise<CheckChangesData['newDuplicates'][number]> {
  const shown = shared?.part ?? group;
  const { id, type, similarity, lines } = shown;
  const isNew = (passage: JudgedPassage): boolean =>
    shared === undefined ? passage.isNew === true : isNewIn(groups, passage);
  const added = shown.passages.filter(isNew);
  const before = shown.passages.filter((passage) => !added.includes(passage));
  const [home] = (await homeFirst(shown, sources)).passages;
  const placesOf = (passages: readonly Passage[]): string[] =>
    passages.slice(0, maxPlaces).map((passage) => placeIn(shown, passage));
  return {
    id,
    type,
    similarity,
    lines,
    keep: placeIn(shown, home!),
    newCopies: placesOf(added),
    otherCopies: placesOf(before),
    ...(shared && fileLikeness(group)),
    others: shared && shared.others.length > 0 ? shared.others : undefined,
  };
}

/** Returns true if a passage lies in a new copy of one of the groups. */
function isNewIn(groups: readonly JudgedGroup[], { path, startLine, endLine }: Passage): boolean {
  return groups.some(({ passages }) =>
    passages.some((one) => one.isNew && one.path === path && one.startLine <= startLine && one.endLine >= endLine),
  );
}

function verdict(holds: boolean, groups: number): string {
  if (holds) return 'Passed: no group has new copies.';
  if (groups === 0) return 'Failed: not all files could be compared.';
  return `Failed: ${groups === 1 ? '1 group has' : `${groups} groups have`} new copies.`;
}

function nextOf(added: number, diverged: number, elsewhere: number, uncompared: string | undefined): string {
  const edits =
    (diverged > 0 ? ' Check whether the copies in diverged need the same edit.' : '') +
    (elsewhere > 0
      ? ' Another worktree is adding the same (otherWorktrees): tell the user, and agree on one place.'
      : '');
  const lack = uncompared === undefined ? '' : ` Files that could not be compared may have copies: ${uncompared}.`;
  return added === 0
    ? `No copy was ${lack === '' ? 'added' : 'found'}. Functions that are only alike are not counted; find_similar names them for a draft.${lack}${edits}`
    : `Use the copy in keep in place of the other copies of its duplicate, then check again; get_duplicate shows what differs. If a copy is intended, put a comment above it: kindred-ignore-next and the reason; if it is more than one function or statement, put kindred-ignore-start and the reason above it, and kindred-ignore-end below.${lack}${edits}`;
}
