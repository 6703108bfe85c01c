/**
 * Outline of a report for the tree and for text output: sections of rows. A row is a group, a pair of files, a set of
 * files that play the same part, or a set of near-duplicate folders. A group is shown in one row only.
 */
import { append } from '../../core/collections/lists.ts';
import type { FilePair, Findings, FolderGroup, Group } from '../../core/engine/report/report.ts';
import type { Category } from '../../core/engine/rows/category.ts';
import { findPeers, pathsOfRow, type Peers } from './peers.ts';

/** Groups of passages, or two files with several of them. The rows of a group are the groups whose parent it is. */
export type PassageRow =
  | { readonly type: 'files'; readonly files: FilePair; readonly rows: readonly PassageRow[] }
  | { readonly type: 'group'; readonly group: Group; readonly rows: readonly PassageRow[] };

interface PeersRow {
  readonly type: 'peers';
  readonly peers: Peers;
  readonly rows: readonly PassageRow[];
}

interface FoldersRow {
  readonly type: 'folders';
  readonly folders: FolderGroup;
  readonly rows: readonly PassageRow[];
}

export type OutlineRow = FoldersRow | PeersRow | PassageRow;

export type SectionName = 'folders' | Category;

export interface Section {
  readonly name: SectionName;
  /** Sorted by worth, descending; see `apart`. */
  readonly rows: readonly OutlineRow[];
}

/** In display order. */
export const sectionNames = [
  'folders',
  'source',
  'text',
  'tests',
  'examples',
  'data',
  'boilerplate',
] as const satisfies SectionName[];

/** Sections that users seldom need. They are collapsed, or one line of a text report, and are shown on request. */
export const collapsedSections: ReadonlySet<SectionName> = new Set(['tests', 'examples', 'data', 'boilerplate']);

/**
 * Returns the nonempty sections. Folders without source and text are in the section of their category, so that tests
 * beside tests do not come first.
 */
export function outlineOf({ groups, files, folders }: Pick<Findings, 'groups' | 'files' | 'folders'>): Section[] {
  const rowOf = rowsById(groups);
  const inFolders = new Set(folders.flatMap((folder) => folder.groups));
  const pairOf = new Map<string, FilePair>();
  for (const pair of files) for (const id of pair.groups) pairOf.set(id, pair);
  const rowsOfFolders = folders.map((it): FoldersRow => ({
    type: 'folders',
    folders: it,
    rows: gathered(it.groups, rowOf, pairOf),
  }));
  const sections = new Map<Category, PassageRow[]>();
  const own = groups.filter(({ id, parent }) => parent === undefined && !inFolders.has(id)).map(({ id }) => id);
  for (const row of gathered(own, rowOf, pairOf)) append(sections, categoryOf(row), row);
  return sectionNames
    .map((name): Section => {
      const ofFolders = rowsOfFolders.filter((row) => sectionOfFolders(row) === name);
      if (name === 'folders') return { name, rows: foldersInOrder(ofFolders) };
      return { name, rows: inOrder([...ofFolders, ...withPeers(sections.get(name) ?? [])]) };
    })
    .filter(hasRows);
}

/** Returns the rows of similar folders of all sections. */
export function foldersIn(sections: readonly Section[]): FoldersRow[] {
  return foldersInOrder(sections.flatMap(({ rows }) => rows.filter((row) => row.type === 'folders')));
}

function sectionOfFolders(row: FoldersRow): SectionName {
  const categories = [row.folders.category, ...row.rows.map(categoryOf)];
  return categories.every((category) => collapsedSections.has(category)) ? row.folders.category : 'folders';
}

export function worthOfRow(row: OutlineRow): number {
  switch (row.type) {
    case 'folders':
      return row.folders.worth;
    case 'peers':
      return row.peers.worth;
    case 'files':
      return row.files.worth;
    case 'group':
      return row.group.worth;
  }
}

/**
 * Returns the number of groups in rows, without those that are shown inside another group. Everything that counts
 * duplicates counts these: a pair of files or folders counts as the groups in it.
 */
export function countGroups(rows: readonly OutlineRow[]): number {
  return rows.reduce((sum, row) => sum + (row.type === 'group' ? 1 : countGroups(row.rows)), 0);
}

/**
 * Returns the number of duplicates of a section, as the totals of its category count them: also those that are shown in
 * rows of folders. Folders are counted themselves.
 */
export function countInSection(
  { name, rows }: Section,
  { categories: totals }: Pick<Findings['totals'], 'categories'>,
): number {
  return name === 'folders' ? rows.length : (totals[name]?.rows ?? countGroups(rows));
}

/** Returns the groups of a row, at any depth. */
export function* groupsIn(row: OutlineRow): Generator<Group> {
  if (row.type === 'group') yield row.group;
  for (const inner of row.rows) yield* groupsIn(inner);
}

/**
 * Returns the groups of a report, in the order of rows, section by section, as the outline shows them without folders
 * and pairs of files.
 */
export function bySection<Item extends Pick<Group, 'category' | 'parent' | 'passages' | 'worth'>>(
  groups: readonly Item[],
): Item[] {
  const sections = new Map<SectionName, Item[][]>(sectionNames.map((name) => [name, []]));
  let row: Item[] = [];
  for (const group of groups) {
    // A group is in the section of its row, whatever its own category is.
    if (group.parent === undefined) sections.get(group.category)!.push((row = []));
    row.push(group);
  }
  return [...sections.values()].flatMap((rows) =>
    apart(
      rows,
      ([group]) => group!.worth,
      ([group]) => pathsOf(group!),
    ).flat(),
  );
}

/** Returns each group as a row, with the groups that are shown in it. */
function rowsById(groups: readonly Group[]): ReadonlyMap<string, PassageRow> {
  const rows = new Map<string, PassageRow & { readonly rows: PassageRow[] }>();
  // A parent comes before the groups in its row.
  for (const group of groups) {
    const row = { type: 'group' as const, group, rows: [] };
    rows.set(group.id, row);
    if (group.parent !== undefined) rows.get(group.parent)!.rows.push(row);
  }
  return rows;
}

/** Returns rows by their ids, in order. Several rows of one pair of files become one, in the place of the first. */
function gathered(
  ids: readonly string[],
  rowOf: ReadonlyMap<string, PassageRow>,
  pairOf: ReadonlyMap<string, FilePair>,
): PassageRow[] {
  const here = new Set(ids);
  const told = new Set<FilePair>();
  return ids.flatMap((id): PassageRow[] => {
    const pair = pairOf.get(id);
    // All rows of two files of a folder group are in that group.
    if (pair === undefined || !pair.groups.every((other) => here.has(other))) return [rowOf.get(id)!];
    if (told.has(pair)) return [];
    told.add(pair);
    return [{ type: 'files', files: pair, rows: pair.groups.map((other) => rowOf.get(other)!) }];
  });
}

function categoryOf(row: PassageRow): Category {
  return row.type === 'group' ? row.group.category : row.files.category;
}

/** Replaces the rows of peers by one row. */
function withPeers(rows: readonly PassageRow[]): (PassageRow | PeersRow)[] {
  const sets = findPeers(rows);
  const gone = new Set(sets.flatMap((set) => set.rows));
  return [
    ...sets.map((set): PeersRow => ({ type: 'peers', peers: set.peers, rows: inOrder(set.rows) })),
    ...rows.filter((row) => !gone.has(row)),
  ];
}

/** Sorts by worth; see `apart`. */
function inOrder<Row extends OutlineRow>(rows: readonly Row[]): Row[] {
  return apart(byWorth(rows), worthOfRow, (row) => {
    switch (row.type) {
      case 'folders':
        return row.folders.paths;
      case 'peers':
        return row.peers.paths;
      case 'files':
      case 'group':
        return pathsOfRow(row);
    }
  });
}

/** Sorts by category first, so that source comes before tests and unmaintained copies. */
function foldersInOrder(rows: readonly FoldersRow[]): FoldersRow[] {
  const placeOf = ({ folders: { category } }: FoldersRow): number => sectionNames.indexOf(category);
  return byWorth(rows).sort((x, y) => placeOf(x) - placeOf(y));
}

function byWorth<Row extends OutlineRow>(rows: readonly Row[]): Row[] {
  return [...rows].sort((x, y) => worthOfRow(y) - worthOfRow(x));
}

/** Number of rows that are ranked by their files: more than a reader looks through. */
const rankedRows = 200;
/** Number of a row's files that are compared. Rows of more files seldom have the same ones. */
const rankedFiles = 8;

/**
 * Returns the rows with those of the same files apart: if two files of a row are together in better rows, the second
 * such row counts half of its worth, the third a third. So the first page has different subjects.
 *
 * @param rows  sorted by worth, descending
 */
function apart<Row>(
  rows: readonly Row[],
  worthOf: (row: Row) => number,
  pathsOf: (row: Row) => readonly string[],
): Row[] {
  const rowsOfPair = new Map<string, number>();
  const ranked = rows.slice(0, rankedRows).map((row) => {
    const paths = [...new Set(pathsOf(row))].slice(0, rankedFiles).sort();
    const pairs = paths.flatMap((path, i) => paths.slice(i + 1).map((other) => `${path}\0${other}`));
    const before = pairs.reduce((most, pair) => Math.max(most, rowsOfPair.get(pair) ?? 0), 0);
    for (const pair of pairs) rowsOfPair.set(pair, (rowsOfPair.get(pair) ?? 0) + 1);
    return { row, rank: worthOf(row) / (1 + before) };
  });
  return [...ranked.sort((x, y) => y.rank - x.rank).map(({ row }) => row), ...rows.slice(rankedRows)];
}

function pathsOf({ passages }: Pick<Group, 'passages'>): readonly string[] {
  return passages.map(({ path }) => path);
}

function hasRows({ rows }: Section): boolean {
  return rows.length > 0;
}
