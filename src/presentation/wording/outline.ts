/**
 * Arranges a report for the tree view and for text output: sections that contain rows. A row is a group, a pair of
 * files, a set of files with the same role (peers.ts), or a set of similar folders. Every group is in exactly one row.
 */
import { append } from '../../core/collections/lists.ts';
import type { FilePair, Findings, FolderGroup, Group } from '../../core/engine/report/report.ts';
import type { Category } from '../../core/engine/rows/category.ts';
import { findPeers, pathsOfRow, type Peers } from './peers.ts';

/** A row for one group of passages, or for two files that share several groups. `rows` are nested in it. */
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
  /** Sorted by worth, descending, except that similar rows are moved apart (see `apart`). */
  readonly rows: readonly OutlineRow[];
}

/** Names of the sections, in display order. */
export const sectionNames = [
  'folders',
  'source',
  'text',
  'tests',
  'examples',
  'data',
  'boilerplate',
] as const satisfies SectionName[];

/** Sections that users rarely need. The tree collapses them, and text reports print one line for each. */
export const collapsedSections: ReadonlySet<SectionName> = new Set(['tests', 'examples', 'data', 'boilerplate']);

/**
 * Returns the sections that have rows. A folder row with little or no source code and text goes to the section of its
 * category, so that similar test folders do not come first.
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

/** Returns the rows for similar folders, from all sections. */
export function foldersIn(sections: readonly Section[]): FoldersRow[] {
  return foldersInOrder(sections.flatMap(({ rows }) => rows.filter((row) => row.type === 'folders')));
}

function sectionOfFolders({ folders, rows }: FoldersRow): SectionName {
  if (!collapsedSections.has(folders.category)) return 'folders';
  const others = rows.filter((row) => !collapsedSections.has(categoryOf(row)));
  const worth = others.reduce((sum, row) => sum + worthOfRow(row), 0);
  return others.length > 0 && worth >= folders.worth * minOfSource ? 'folders' : folders.category;
}

/** Minimum share of source and text in the worth of folders that have more lines in other categories. */
const minOfSource = 0.5;

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

/** Counts the top-level groups in rows. A pair of files or a set of folders counts as the groups inside it. */
export function countGroups(rows: readonly OutlineRow[]): number {
  return rows.reduce((sum, row) => sum + (row.type === 'group' ? 1 : countGroups(row.rows)), 0);
}

/** Counts the duplicates of a section as the totals per category do: groups in folder rows are included. */
export function countInSection(
  { name, rows }: Section,
  { categories: totals }: Pick<Findings['totals'], 'categories'>,
): number {
  return name === 'folders' ? rows.length : (totals[name]?.rows ?? countGroups(rows));
}

/** Yields the groups of a row and of all rows nested in it. */
export function* groupsIn(row: OutlineRow): Generator<Group> {
  if (row.type === 'group') yield row.group;
  for (const inner of row.rows) yield* groupsIn(inner);
}

/** Sorts the groups of a report in the order of the outline, as if there were no rows for folders or pairs of files. */
export function bySection<Item extends Pick<Group, 'category' | 'parent' | 'passages' | 'worth'>>(
  groups: readonly Item[],
): Item[] {
  const sections = new Map<SectionName, Item[][]>(sectionNames.map((name) => [name, []]));
  let row: Item[] = [];
  for (const group of groups) {
    // A nested group goes to the section of its parent, even if its own category is different.
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

/** Returns a row for each group id, with the rows nested in it. */
function rowsById(groups: readonly Group[]): ReadonlyMap<string, PassageRow> {
  const rows = new Map<string, PassageRow & { readonly rows: PassageRow[] }>();
  // A parent always precedes its nested groups in `groups`.
  for (const group of groups) {
    const row = { type: 'group' as const, group, rows: [] };
    rows.set(group.id, row);
    if (group.parent !== undefined) rows.get(group.parent)!.rows.push(row);
  }
  return rows;
}

/**
 * Returns the rows with the given ids, in order. If several rows belong to the same pair of files, one row for the pair
 * takes the place of the first.
 */
function gathered(
  ids: readonly string[],
  rowOf: ReadonlyMap<string, PassageRow>,
  pairOf: ReadonlyMap<string, FilePair>,
): PassageRow[] {
  const here = new Set(ids);
  const placed = new Set<FilePair>();
  return ids.flatMap((id): PassageRow[] => {
    const pair = pairOf.get(id);
    // Show the pair only if the folder row contains all of its groups.
    if (pair === undefined || !pair.groups.every((other) => here.has(other))) return [rowOf.get(id)!];
    if (placed.has(pair)) return [];
    placed.add(pair);
    return [{ type: 'files', files: pair, rows: pair.groups.map((other) => rowOf.get(other)!) }];
  });
}

function categoryOf(row: PassageRow): Category {
  return row.type === 'group' ? row.group.category : row.files.category;
}

/** Replaces the rows of each set of peers with a single row. */
function withPeers(rows: readonly PassageRow[]): (PassageRow | PeersRow)[] {
  const sets = findPeers(rows);
  const rowsOfPeers = new Set(sets.flatMap((set) => set.rows));
  return [
    ...sets.map((set): PeersRow => ({ type: 'peers', peers: set.peers, rows: inOrder(set.rows) })),
    ...rows.filter((row) => !rowsOfPeers.has(row)),
  ];
}

/** Sorts rows by worth, then moves similar rows apart. */
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

/** Sorts by category first, so that source code comes before tests and code that nobody maintains. */
function foldersInOrder(rows: readonly FoldersRow[]): FoldersRow[] {
  const placeOf = ({ folders: { category } }: FoldersRow): number => sectionNames.indexOf(category);
  return byWorth(rows).sort((x, y) => placeOf(x) - placeOf(y));
}

function byWorth<Row extends OutlineRow>(rows: readonly Row[]): Row[] {
  return [...rows].sort((x, y) => worthOfRow(y) - worthOfRow(x));
}

/** Number of first rows in which `apart` separates similar rows. Readers rarely scroll further. */
const rankedRows = 200;
/** Maximum number of files per row that `apart` compares. Rows with more files rarely have the same ones. */
const rankedFiles = 8;

/**
 * Moves rows with the same files apart, so that the first page shows different kinds of duplicates. If two files of a
 * row also occur together in better rows, the row's worth is divided: by 2 in the second such row, by 3 in the third.
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
    const before = pairs.reduce((maxRows, pair) => Math.max(maxRows, rowsOfPair.get(pair) ?? 0), 0);
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
