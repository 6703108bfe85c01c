/**
 * Outline of a report for the tree and for text output: sections of rows. A row is a group, a pair of files, a set of
 * peers (peers.ts), or a set of near-duplicate folders. A group is shown in only one row.
 */
import { append } from '../../core/collections/lists.ts';
import type { FilePair, Findings, FolderGroup, Group } from '../../core/engine/report/report.ts';
import type { Category } from '../../core/engine/rows/category.ts';
import { findPeers, pathsOfRow, type Peers } from './peers.ts';

/**
 * A row of a group of passages, or of two files that have several groups in common. The rows inside the row of a group
 * are those whose parent it is.
 */
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
  /** Sorted by worth, descending, with some adjustments (see `apart`). */
  readonly rows: readonly OutlineRow[];
}

/** Names of the sections in display order. */
export const sectionNames = [
  'folders',
  'source',
  'text',
  'tests',
  'examples',
  'data',
  'boilerplate',
] as const satisfies SectionName[];

/** Sections that users seldom need. They are collapsed in the tree, and a single line in a text report. */
export const collapsedSections: ReadonlySet<SectionName> = new Set(['tests', 'examples', 'data', 'boilerplate']);

/**
 * Returns the sections that are not empty. Folders without source and text are in the section of their category, so
 * that similar folders of tests do not come first.
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

/** Returns the rows of similar folders in all sections. */
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
 * Returns the number of duplicates in rows: groups that are not shown inside another group. A pair of files or a set of
 * folders counts as the groups in it.
 */
export function countGroups(rows: readonly OutlineRow[]): number {
  return rows.reduce((sum, row) => sum + (row.type === 'group' ? 1 : countGroups(row.rows)), 0);
}

/**
 * Returns the number of duplicates of a section, in the same way as the totals of its category. Groups in rows of
 * folders are included.
 */
export function countInSection(
  { name, rows }: Section,
  { categories: totals }: Pick<Findings['totals'], 'categories'>,
): number {
  return name === 'folders' ? rows.length : (totals[name]?.rows ?? countGroups(rows));
}

/** Yields the groups of a row, at any depth. */
export function* groupsIn(row: OutlineRow): Generator<Group> {
  if (row.type === 'group') yield row.group;
  for (const inner of row.rows) yield* groupsIn(inner);
}

/** Returns the groups of a report in the order of the outline, without regard to folders and pairs of files. */
export function bySection<Item extends Pick<Group, 'category' | 'parent' | 'passages' | 'worth'>>(
  groups: readonly Item[],
): Item[] {
  const sections = new Map<SectionName, Item[][]>(sectionNames.map((name) => [name, []]));
  let row: Item[] = [];
  for (const group of groups) {
    // A group is in the section of its row, even if it has another category.
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

/** Returns each group as a row, which contains the groups shown inside it. */
function rowsById(groups: readonly Group[]): ReadonlyMap<string, PassageRow> {
  const rows = new Map<string, PassageRow & { readonly rows: PassageRow[] }>();
  // Groups are sorted so that a parent comes before the groups in its row.
  for (const group of groups) {
    const row = { type: 'group' as const, group, rows: [] };
    rows.set(group.id, row);
    if (group.parent !== undefined) rows.get(group.parent)!.rows.push(row);
  }
  return rows;
}

/**
 * Returns the rows with the given ids, in order. Rows of the same pair of files become a single row in the place of the
 * first one.
 */
function gathered(
  ids: readonly string[],
  rowOf: ReadonlyMap<string, PassageRow>,
  pairOf: ReadonlyMap<string, FilePair>,
): PassageRow[] {
  const here = new Set(ids);
  const told = new Set<FilePair>();
  return ids.flatMap((id): PassageRow[] => {
    const pair = pairOf.get(id);
    // If all rows of a pair of files are in the folder group, show the pair.
    if (pair === undefined || !pair.groups.every((other) => here.has(other))) return [rowOf.get(id)!];
    if (told.has(pair)) return [];
    told.add(pair);
    return [{ type: 'files', files: pair, rows: pair.groups.map((other) => rowOf.get(other)!) }];
  });
}

function categoryOf(row: PassageRow): Category {
  return row.type === 'group' ? row.group.category : row.files.category;
}

/** Replaces the rows of each set of peers with one row. */
function withPeers(rows: readonly PassageRow[]): (PassageRow | PeersRow)[] {
  const sets = findPeers(rows);
  const gone = new Set(sets.flatMap((set) => set.rows));
  return [
    ...sets.map((set): PeersRow => ({ type: 'peers', peers: set.peers, rows: inOrder(set.rows) })),
    ...rows.filter((row) => !gone.has(row)),
  ];
}

/** Sorts by worth, with the adjustments of `apart`. */
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

/** Sorts by category first, so that source comes before tests and code that nobody maintains. */
function foldersInOrder(rows: readonly FoldersRow[]): FoldersRow[] {
  const placeOf = ({ folders: { category } }: FoldersRow): number => sectionNames.indexOf(category);
  return byWorth(rows).sort((x, y) => placeOf(x) - placeOf(y));
}

function byWorth<Row extends OutlineRow>(rows: readonly Row[]): Row[] {
  return [...rows].sort((x, y) => worthOfRow(y) - worthOfRow(x));
}

/** Number of rows to which `apart` applies. Readers do not look at more. */
const rankedRows = 200;
/** Number of files of a row to compare. Rows with more files rarely have the same ones. */
const rankedFiles = 8;

/**
 * Moves rows apart that contain the same files, so that the first page has different subjects. If two files of a row
 * are also together in better rows, its worth is reduced: to half in the second such row, to a third in the third one.
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
