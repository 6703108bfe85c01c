/**
 * A report as people read it, in the tree and as text: sections of rows. A row is a group, a pair of files, or folders that
 * repeat each other; what is shown in a row is nowhere else.
 */
import type { FilePair, Findings, FolderGroup, Group } from '../engine/report/report.ts';
import type { Category } from '../engine/rows/category.ts';

export type OutlineRow =
  | { readonly type: 'folders'; readonly folders: FolderGroup; readonly rows: readonly OutlineRow[] }
  | { readonly type: 'files'; readonly files: FilePair; readonly rows: readonly OutlineRow[] }
  /** Its rows are the groups that it is the parent of. */
  | { readonly type: 'group'; readonly group: Group; readonly rows: readonly OutlineRow[] };

export type SectionName = 'folders' | Category;

export interface Section {
  readonly name: SectionName;
  /** Most worth first. */
  readonly rows: readonly OutlineRow[];
}

/** In the order in which they are shown. */
export const sectionNames = [
  'folders',
  'source',
  'text',
  'tests',
  'data',
  'boilerplate',
] as const satisfies SectionName[];

/** The sections that have rows. */
export function outlineOf({ groups, files, folders }: Pick<Findings, 'groups' | 'files' | 'folders'>): Section[] {
  const rowOf = rowsById(groups);
  const inFolders = new Set(folders.flatMap((folder) => folder.groups));
  const pairOf = new Map<string, FilePair>();
  for (const pair of files) for (const id of pair.groups) pairOf.set(id, pair);
  const sections = new Map<SectionName, OutlineRow[]>();
  for (const folder of folders) {
    append(sections, 'folders', { type: 'folders', folders: folder, rows: gathered(folder.groups, rowOf, pairOf) });
  }
  const own = groups.filter(({ id, parent }) => parent === undefined && !inFolders.has(id)).map(({ id }) => id);
  for (const row of gathered(own, rowOf, pairOf)) append(sections, categoryOf(row), row);
  return sectionNames.flatMap((name) => ({ name, rows: inOrder(sections.get(name) ?? []) })).filter(hasRows);
}

export function worthOfRow(row: OutlineRow): number {
  return row.type === 'group' ? row.group.worth : row.type === 'files' ? row.files.worth : row.folders.worth;
}

/** The groups of a row, at any depth. */
export function* groupsIn(row: OutlineRow): Generator<Group> {
  if (row.type === 'group') yield row.group;
  for (const inner of row.rows) yield* groupsIn(inner);
}

/** Each group as a row, with those that are shown in it. */
function rowsById(groups: readonly Group[]): ReadonlyMap<string, OutlineRow> {
  const rows = new Map<string, OutlineRow & { readonly rows: OutlineRow[] }>();
  // A parent comes before what is shown in it.
  for (const group of groups) {
    const row = { type: 'group' as const, group, rows: [] };
    rows.set(group.id, row);
    if (group.parent !== undefined) rows.get(group.parent)!.rows.push(row);
  }
  return rows;
}

/** Rows by their ids, in order; several of one pair of files are one row, in the place of the first. */
function gathered(
  ids: readonly string[],
  rowOf: ReadonlyMap<string, OutlineRow>,
  pairOf: ReadonlyMap<string, FilePair>,
): OutlineRow[] {
  const here = new Set(ids);
  const told = new Set<FilePair>();
  return ids.flatMap((id): OutlineRow[] => {
    const pair = pairOf.get(id);
    // Two files of a folder group are in it with all their rows.
    if (pair === undefined || !pair.groups.every((other) => here.has(other))) return [rowOf.get(id)!];
    if (told.has(pair)) return [];
    told.add(pair);
    return [{ type: 'files', files: pair, rows: pair.groups.map((other) => rowOf.get(other)!) }];
  });
}

function categoryOf(row: OutlineRow): SectionName {
  return row.type === 'group' ? row.group.category : row.type === 'files' ? row.files.category : 'folders';
}

/** By worth; folders whose copies nobody maintains come behind all others. */
function inOrder(rows: readonly OutlineRow[]): OutlineRow[] {
  return [...rows].sort((x, y) => Number(isMinor(x)) - Number(isMinor(y)) || worthOfRow(y) - worthOfRow(x));
}

function isMinor(row: OutlineRow): boolean {
  return row.type === 'folders' && (row.folders.category === 'data' || row.folders.category === 'boilerplate');
}

function hasRows({ rows }: Section): boolean {
  return rows.length > 0;
}

function append(sections: Map<SectionName, OutlineRow[]>, name: SectionName, row: OutlineRow): void {
  const rows = sections.get(name);
  if (rows) rows.push(row);
  else sections.set(name, [row]);
}
