/**
 * Finds ignored groups and the reasons: a comment in the source, an entry of the baseline with a reason, or an entry of
 * the user. A group that is shown inside an ignored group is ignored, too. A group of whole files is ignored if all
 * passages that these files share are ignored.
 */
import { append } from '../../core/collections/lists.ts';
import type { Group, Passage } from '../../core/engine/report/report.ts';
import { type BaselineEntry, type BaselineMatch, isUnchanged } from './baseline.ts';
import { type Contents, contentsOf } from './contents.ts';
import { type IgnoredRegion, regionAround } from './ignoreComments.ts';
import type { HiddenIds } from './withoutIgnored.ts';

/** Cause for ignoring a group: a comment, or an entry of a baseline or of the user. */
export type IgnoreCause =
  | { readonly by: 'comment'; readonly path: string; readonly region: IgnoredRegion }
  | { readonly by: 'baseline' | 'own'; readonly entry: BaselineEntry };

export interface IgnoreEvidence {
  readonly regionsOf: (path: string) => readonly IgnoredRegion[];
  readonly baseline: BaselineMatch | undefined;
  /** The user's own entries, assigned to groups. They ignore groups even without a reason. */
  readonly own?: BaselineMatch;
}

/**
 * Returns the ignored groups, each with the comment or entry that ignores it. For a group inside an ignored group, this
 * is the comment or entry of the outer group.
 *
 * @param groups  groups of a report. A parent must come before the groups inside it
 */
export function ignoredGroups(groups: readonly Group[], evidence: IgnoreEvidence): Map<Group, IgnoreCause> {
  const ignored = new Map<Group, IgnoreCause>();
  const rows = new Map<string, Group>();
  for (const group of groups) {
    const row = group.parent === undefined ? undefined : rows.get(group.parent);
    const cause = causeOf(group, evidence) ?? (row && standsIn(group, row) ? ignored.get(row) : undefined);
    if (cause === undefined) continue;
    ignored.set(group, cause);
    rows.set(group.id, group);
  }
  for (const [files, inner] of innerOfFiles(groups)) {
    if (!ignored.has(files) && inner.every((group) => ignored.has(group))) ignored.set(files, ignored.get(inner[0]!)!);
  }
  return ignored;
}

/** For each group of whole files, returns the groups shown inside it. Groups of files without any are missing. */
function innerOfFiles(groups: readonly Group[]): Map<Group, Group[]> {
  const fileOf = new Map(groups.filter(({ kind }) => kind === 'file').map((group) => [group.id, group]));
  const inner = new Map<Group, Group[]>();
  for (const group of groups) {
    const files = group.parent === undefined ? undefined : fileOf.get(group.parent);
    if (files === undefined) continue;
    append(inner, files, group);
  }
  return inner;
}

function causeOf(group: Group, { regionsOf, baseline, own }: IgnoreEvidence): IgnoreCause | undefined {
  const entry = entryIgnoring(group, baseline);
  if (entry?.reason !== undefined) return { by: 'baseline', entry };
  const ownEntry = entryIgnoring(group, own);
  if (ownEntry !== undefined) return { by: 'own', entry: ownEntry };
  return commentIgnoring(group, regionsOf);
}

/**
 * Returns the entry that ignores a group. This is the group's own entry if the group is unchanged, or an entry for a
 * pair if entries for pairs ignore all of its pairs.
 */
function entryIgnoring(group: Group, match: BaselineMatch | undefined): BaselineEntry | undefined {
  const entry = match?.entryOf.get(group);
  if (entry !== undefined && isUnchanged(group, entry)) return entry;
  const pairs = match?.pairsOf.get(group);
  if (pairs === undefined) return undefined;
  const areIgnored = group.pairs.every(({ a, b }) => {
    const both = contentsOf({ passages: [group.passages[a]!, group.passages[b]!] });
    return pairs.some(({ contents }) => isSame(contents, both));
  });
  return areIgnored ? pairs[0] : undefined;
}

function isSame(x: Contents, y: Contents): boolean {
  return x.size === y.size && [...x].every(([content, count]) => y.get(content) === count);
}

/** If comments ignore all passages of a group, or all but one, returns one of them, if possible with a reason. */
function commentIgnoring(
  { passages }: Group,
  regionsOf: (path: string) => readonly IgnoredRegion[],
): IgnoreCause | undefined {
  const found = passages.flatMap((passage) => {
    const region = regionAround(passage, regionsOf(passage.path));
    return region ? [{ by: 'comment' as const, path: passage.path, region }] : [];
  });
  if (passages.length - found.length >= 2) return undefined;
  return found.find(({ region }) => region.reason !== undefined) ?? found[0];
}

/** Returns true if each passage of a group has most of its lines in a passage of the other group. */
function standsIn({ passages }: Group, row: Group): boolean {
  return passages.every((passage) => row.passages.some((outer) => hasMostOf(passage, outer)));
}

function hasMostOf({ path, startLine, endLine }: Passage, outer: Passage): boolean {
  const common = Math.min(endLine, outer.endLine) - Math.max(startLine, outer.startLine) + 1;
  return outer.path === path && 2 * common > endLine - startLine + 1;
}

/** The ignored groups of a report, and what is hidden: these groups, and passages of others that comments ignore. */
export interface Ignored {
  readonly ignored: ReadonlyMap<Group, IgnoreCause>;
  /** See `passagesAside`. */
  readonly aside: ReadonlyMap<Group, readonly number[]>;
  readonly hidden: HiddenIds;
}

export function ignoredAmong(groups: readonly Group[], evidence: IgnoreEvidence): Ignored {
  const ignored = ignoredGroups(groups, evidence);
  const aside = passagesAside(groups, ignored, evidence.regionsOf);
  const hidden = {
    groups: new Set(Array.from(ignored.keys(), ({ id }) => id)),
    passages: new Map(Array.from(aside, ([{ id }, places]) => [id, places])),
  };
  return { ignored, aside, hidden };
}

/** Returns, for groups that are not ignored, the indices of passages that comments ignore, if there are any. */
export function passagesAside(
  groups: readonly Group[],
  ignored: ReadonlyMap<Group, IgnoreCause>,
  regionsOf: (path: string) => readonly IgnoredRegion[],
): Map<Group, readonly number[]> {
  const aside = new Map<Group, readonly number[]>();
  for (const group of groups) {
    if (ignored.has(group)) continue;
    const places = group.passages.flatMap((passage, place) => {
      const regions = regionsOf(passage.path);
      return regions.length > 0 && regionAround(passage, regions) ? [place] : [];
    });
    if (places.length > 0) aside.set(group, places);
  }
  return aside;
}
