/** Groups listed by every format except text, JSON, and HTML, in the order of review. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Category } from '../../../core/engine/rows/category.ts';
import { repositoryFoldersAround } from '../../../scan/io/ruleFiles.ts';
import { hasBase, type ScanReport } from '../scanReport.ts';
import { nameOf } from './groupTitle.ts';
import type { JudgedGroup } from '../../../review/gate/judgeGroups.ts';

/** A group in such a format. */
export interface Listed {
  readonly group: JudgedGroup;
  /** `error` for groups that break a limit; `note` for categories that are shown on request. */
  readonly level: 'error' | 'warning' | 'note';
  /** The passage to be shown first: a new one, if there is any; of two files, the inner one. */
  readonly primary: JudgedGroup['passages'][number];
  /** The other passages, in order. */
  readonly others: JudgedGroup['passages'];
}

/** Renders a report as pieces of text. */
export type Render = (report: ScanReport, surroundings: Surroundings) => Iterable<string>;

/** Environment of a report. */
export interface Surroundings {
  /** Prefix that makes paths of the report relative to the repository: empty, or ending with a slash. */
  readonly prefix: string;
  readonly environment: NodeJS.ProcessEnv;
}

/**
 * Returns rows, and nested groups that are new or cross boundaries. These come first, then source and text, and each
 * sorted by worth. Ignored groups are last.
 */
export function listedGroups({ findings, check }: ScanReport): Listed[] {
  const { groups } = findings;
  const fresh = new Set(groups.filter(isCharged).map(({ id }) => id));
  return groups
    .filter(({ id, parent }) => parent === undefined || (fresh.has(id) && !fresh.has(parent)))
    .map((group) => listedGroup(group, check?.holds === false))
    .map((item, place) => ({ item, place, rank: rankOf(item) }))
    .sort((a, b) => a.rank - b.rank || a.place - b.place)
    .map(({ item }) => item);
}

/** Returns the listed groups that are not ignored. */
export function openGroups(report: ScanReport): Listed[] {
  return listedGroups(report).filter(({ group }) => group.ignored === undefined);
}

/** Removes groups that existed in the base of a check. Without a base, keeps all. */
export function withoutOld(listed: readonly Listed[], report: ScanReport): readonly Listed[] {
  return hasBase(report) ? listed.filter(({ group }) => isCharged(group)) : listed;
}

/** True if a group may break a limit by itself. */
export function isCharged({ isNew, crosses }: JudgedGroup): boolean {
  return isNew === true || crosses !== undefined;
}

const read: ReadonlySet<Category> = new Set(['source', 'text']);

function rankOf({ group }: Listed): number {
  if (group.ignored) return 4;
  if (isCharged(group)) return group.crosses ? 0 : 1;
  return read.has(group.category) ? 2 : 3;
}

function listedGroup(group: JudgedGroup, isBroken: boolean): Listed {
  const firstNew = group.passages.findIndex(({ isNew }) => isNew);
  const at = firstNew >= 0 ? firstNew : (group.inside ?? 0);
  return {
    group,
    level: isBroken && isCharged(group) && !group.ignored ? 'error' : read.has(group.category) ? 'warning' : 'note',
    primary: group.passages[at] ?? group.passages[0]!,
    others: group.passages.filter((_, place) => place !== at),
  };
}

/** Formats a group's other passages: "src/b.ts:7-39 and 2 more". */
export function othersOf({ group, others }: Listed, { prefix }: Surroundings, most: number): string {
  const named = others.slice(0, most).map((passage) => prefix + nameOf(group, passage));
  const more = others.length - named.length;
  if (more > 0) return `${named.join(', ')} and ${more} more`;
  return named.join(', ').replace(/, ([^,]*)$/, ' and $1');
}

/**
 * Returns the prefix that makes paths relative to the folder of the CI pipeline: that of the repository, or else the
 * current one if it contains `root`, or else `root` itself.
 */
export function prefixFor(root: string, current: string): string {
  const [repository] = existsSync(path.join(root, '.git')) ? [root] : repositoryFoldersAround(root);
  const inside = (folder: string): boolean => !path.relative(folder, root).split(path.sep).includes('..');
  const folder = repository ?? (inside(current) ? current : root);
  const relative = path.relative(folder, root).replaceAll('\\', '/');
  return relative === '' ? '' : `${relative}/`;
}
