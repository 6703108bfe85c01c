/** Selects and sorts the groups that a format lists. Used by all formats except text, JSON, and HTML. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Category } from '../../../core/engine/rows/category.ts';
import { repositoryFoldersAround } from '../../../scan/io/ruleFiles.ts';
import { hasBase, type ScanReport } from '../scanReport.ts';
import { nameOf } from './groupTitle.ts';
import type { JudgedGroup } from '../../../review/gate/judgeGroups.ts';

export interface ListedGroup {
  readonly group: JudgedGroup;
  /** `error`: the group exceeds a limit of a check. `note`: its category is one that the text report collapses. */
  readonly level: 'error' | 'warning' | 'note';
  /** Passage to show first: a new one if there is any. If one file contains another, the contained file. */
  readonly primary: JudgedGroup['passages'][number];
  /** The other passages, in order. */
  readonly others: JudgedGroup['passages'];
}

/** Context that a report depends on. */
export interface Surroundings {
  /** Prefix that makes paths of the report relative to the repository. Either empty, or ends with a slash. */
  readonly prefix: string;
  readonly environment: NodeJS.ProcessEnv;
}

/**
 * Returns the groups to list: top-level groups, and nested groups that are new or cross boundaries. New and crossing
 * groups come first, then source and text, then other categories, then ignored groups. Each part is sorted by worth.
 */
export function listedGroups({ findings, check }: ScanReport): ListedGroup[] {
  const { groups } = findings;
  const fresh = new Set(groups.filter(isCharged).map(({ id }) => id));
  return groups
    .filter(({ id, parent }) => parent === undefined || (fresh.has(id) && !fresh.has(parent)))
    .map((group) => listedGroup(group, check?.holds === false))
    .map((item, place) => ({ item, place, rank: rankOf(item) }))
    .sort((a, b) => a.rank - b.rank || a.place - b.place)
    .map(({ item }) => item);
}

/** Same as `listedGroups`, but without ignored groups. */
export function openGroups(report: ScanReport): ListedGroup[] {
  return listedGroups(report).filter(({ group }) => group.ignored === undefined);
}

/** Removes groups that the base of a check contains. Without a base, keeps all groups. */
export function withoutOld(listed: readonly ListedGroup[], report: ScanReport): readonly ListedGroup[] {
  return hasBase(report) ? listed.filter(({ group }) => isCharged(group)) : listed;
}

/** Returns true if the group is new or crosses a boundary. Only such groups can exceed a limit. */
export function isCharged({ isNew, crosses }: JudgedGroup): boolean {
  return isNew === true || crosses !== undefined;
}

const read: ReadonlySet<Category> = new Set(['source', 'text']);

function rankOf({ group }: ListedGroup): number {
  if (group.ignored) return 4;
  if (isCharged(group)) return group.crosses ? 0 : 1;
  return read.has(group.category) ? 2 : 3;
}

function listedGroup(group: JudgedGroup, isBroken: boolean): ListedGroup {
  const firstNew = group.passages.findIndex(({ isNew }) => isNew);
  const at = firstNew >= 0 ? firstNew : (group.inside ?? 0);
  return {
    group,
    level: isBroken && isCharged(group) && !group.ignored ? 'error' : read.has(group.category) ? 'warning' : 'note',
    primary: group.passages[at] ?? group.passages[0]!,
    others: group.passages.filter((_, place) => place !== at),
  };
}

/** Returns the other places of a group as text, such as "src/b.ts:7-39 and 2 more". */
export function othersOf({ group, others }: ListedGroup, { prefix }: Surroundings, limit: number): string {
  const named = others.slice(0, limit).map((passage) => prefix + nameOf(group, passage));
  const more = others.length - named.length;
  if (more > 0) return `${named.join(', ')} and ${more} more`;
  return named.join(', ').replace(/, ([^,]*)$/, ' and $1');
}

/**
 * Returns the prefix that makes the report's paths relative to the folder that CI uses: the root of the repository; or
 * else the current folder, if it contains `root`; or else `root`.
 */
export function prefixFor(root: string, current: string): string {
  const [repository] = existsSync(path.join(root, '.git')) ? [root] : repositoryFoldersAround(root);
  const inside = (folder: string): boolean => !path.relative(folder, root).split(path.sep).includes('..');
  const folder = repository ?? (inside(current) ? current : root);
  const relative = path.relative(folder, root).replaceAll('\\', '/');
  return relative === '' ? '' : `${relative}/`;
}
