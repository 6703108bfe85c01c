/** The groups that a pipeline hears of, in the order in which somebody should look at them. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Category } from '../../engine/rows/category.ts';
import { repositoryFoldersAround } from '../../io/ruleFiles.ts';
import { hasBase, type ScanReport } from '../scanReport.ts';
import { nameOf } from './groupTitle.ts';
import type { JudgedGroup } from '../../gate/judgeGroups.ts';

/** A group as a pipeline hears of it. */
export interface Listed {
  readonly group: JudgedGroup;
  /** `error` is what broke a limit; `note` is what people look at when they have asked for it. */
  readonly level: 'error' | 'warning' | 'note';
  /** The passage to look at first: one that is new, if one is; of two files, the one inside the other. */
  readonly primary: JudgedGroup['passages'][number];
  /** The others, in order. */
  readonly others: JudgedGroup['passages'];
}

/** A format in which a report is written: the text in pieces. */
export type Render = (report: ScanReport, surroundings: Surroundings) => Iterable<string>;

/** What formats know of the world. */
export interface Surroundings {
  /** What comes before the paths of the report, so that they are relative to the repository: empty, or it ends with a slash. */
  readonly prefix: string;
  readonly environment: NodeJS.ProcessEnv;
}

/**
 * Rows, and what is new or crosses boundaries inside a row that does not: these first, then source and text, and in each the most worth first.
 * What is ignored comes last.
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

/** The listed groups that are not ignored. */
export function openGroups(report: ScanReport): Listed[] {
  return listedGroups(report).filter(({ group }) => group.ignored === undefined);
}

/** Removes the groups that existed in the base of a check: they stay silent. Without a base, keeps all. */
export function withoutOld(listed: readonly Listed[], report: ScanReport): readonly Listed[] {
  return hasBase(report) ? listed.filter(({ group }) => isCharged(group)) : listed;
}

/** Whether a group may break a limit by itself. */
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

/** "src/b.ts:7-39 and 2 more", of a group's other passages. */
export function othersOf({ group, others }: Listed, { prefix }: Surroundings, most: number): string {
  const named = others.slice(0, most).map((passage) => prefix + nameOf(group, passage));
  const more = others.length - named.length;
  if (more > 0) return `${named.join(', ')} and ${more} more`;
  return named.join(', ').replace(/, ([^,]*)$/, ' and $1');
}

/**
 * What comes before paths that are relative to `root`, to make them relative to the folder that pipelines know: the
 * repository's, else the current one if it is around `root`, else `root` itself.
 */
export function prefixFor(root: string, current: string): string {
  const [repository] = existsSync(path.join(root, '.git')) ? [root] : repositoryFoldersAround(root);
  const inside = (folder: string): boolean => !path.relative(folder, root).split(path.sep).includes('..');
  const folder = repository ?? (inside(current) ? current : root);
  const relative = path.relative(folder, root).replaceAll('\\', '/');
  return relative === '' ? '' : `${relative}/`;
}
