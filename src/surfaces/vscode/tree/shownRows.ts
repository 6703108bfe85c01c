/**
 * The last report as the tree displays it: grouped, sorted, and filtered. Computed on demand, once per report, so that
 * a hidden tree costs nothing.
 */
import { append } from '../../../core/collections/lists.ts';
import type { Group } from '../../../core/engine/report/report.ts';
import {
  countGroups,
  groupsIn,
  type OutlineRow,
  outlineOf,
  type Section,
  worthOfRow,
} from '../../../presentation/wording/outline.ts';
import type { FindingsModel } from '../findings/findings.ts';
import type { Copy } from '../../../session/client/report.ts';
import type { Snapshot } from '../findings/snapshot.ts';
import { languageTable } from '../workspace/languages.ts';
import {
  type Entry,
  fileEntries,
  type FileEntry,
  folderEntries,
  type FolderEntry,
  sortedCopies,
  sortedEntries,
} from './fileRows.ts';
import { compareRows, leastAlikeFirst, type Order } from './order.ts';
import {
  copyRowsOf,
  idOf,
  isCopyRow,
  type LabelledRow,
  occurrenceAround,
  type Row,
  rowOf,
  siblingRowsOf,
} from './rows.ts';

/** Ways to group the rows: by section (`duplicate`), file, folder, or language. */
export const groupings = ['duplicate', 'file', 'folder', 'language'] as const;
export type Grouping = (typeof groupings)[number];

export function isGrouping(value: unknown): value is Grouping {
  return groupings.some((grouping) => grouping === value);
}

/** Returns true for groups to show. `undefined` shows all. */
export type GroupFilter = ((group: Group) => boolean) | undefined;

/** Rows below a heading, such as a category. */
interface HeadedRows {
  readonly heading: Row;
  readonly rows: readonly OutlineRow[];
}

interface Place {
  readonly row: OutlineRow;
  readonly parent: Row;
}

/** A file or folder, and its parent in the tree; the parent is `undefined` at the top level. */
interface EntryPlace {
  readonly entry: Entry;
  readonly parent: FolderEntry | undefined;
}

export class ShownRows {
  readonly #findings: FindingsModel;
  #order: Order = 'worth';
  #grouping: Grouping = 'duplicate';
  #filter: GroupFilter;
  #made: Snapshot | undefined;
  #sections: readonly Section[] = [];
  #headed: readonly HeadedRows[] = [];
  #all = 0;
  /** Parent row and position of each row, by row id; `undefined` until needed. */
  #places: ReadonlyMap<string, Place> | undefined;
  /** Cache of sorted rows. The key is the same list in the order of the report. */
  #sorted = new WeakMap<readonly OutlineRow[], readonly OutlineRow[]>();
  /** For each list, the indices of its rows by row id. */
  readonly #indices = new WeakMap<readonly OutlineRow[], ReadonlyMap<string, number>>();
  /** Files or folders with copies: the top-level ones, and all of them by id. `undefined` until needed. */
  #entries: { readonly top: readonly Entry[]; readonly places: ReadonlyMap<string, EntryPlace> } | undefined;

  constructor(findings: FindingsModel) {
    this.#findings = findings;
  }

  get order(): Order {
    return this.#order;
  }

  get grouping(): Grouping {
    return this.#grouping;
  }

  sortBy(order: Order): void {
    this.#order = order;
    this.#sorted = new WeakMap();
    this.#entries = undefined;
  }

  groupBy(grouping: Grouping): void {
    this.#grouping = grouping;
    this.#made = undefined;
  }

  /** Sets the filter. Must be called again when the filter matches different groups. */
  filterBy(filter: GroupFilter): void {
    this.#filter = filter;
    this.#made = undefined;
  }

  top(): readonly Row[] {
    this.#make();
    if (this.#isByFile()) return this.#byFile().top.map(rowOfEntry);
    return this.#headed.map(({ heading }) => heading);
  }

  /** Returns the number of duplicates with the filter and without it. */
  counts(): { readonly shown: number; readonly all: number } {
    this.#make();
    return { shown: countGroups(this.#sections.flatMap(({ rows }) => rows)), all: this.#all };
  }

  /**
   * Returns the number of duplicates in a row. For the section of similar folders, returns its number of rows; for a
   * folder, the number of duplicates with a copy there.
   */
  countIn(row: Row): number {
    if (row.type === 'section' && row.name === 'folders') return this.#outlineIn(row).length;
    if (row.type === 'section' || row.type === 'language' || row.type === 'peers')
      return countGroups(this.#outlineIn(row));
    const entry = this.#entryOf(row)?.entry;
    if (entry === undefined) return this.rowsIn(row).length;
    return entry.type === 'folder' ? entry.duplicates : new Set(entry.copies.map(({ group }) => group)).size;
  }

  /** Returns the rows directly below a row, in order, except for the nested groups of a group. */
  rowsIn(row: Row): readonly Row[] {
    switch (row.type) {
      case 'folder':
      case 'file': {
        const entry = this.#entryOf(row)?.entry;
        if (entry === undefined) return [];
        if (entry.type === 'folder') return sortedEntries(entry.entries, this.#order).map(rowOfEntry);
        return sortedCopies(entry.copies, this.#order).map((copy): Row => ({ ...copy, type: 'occurrence' }));
      }
      case 'occurrence':
        return siblingRowsOf(row);
      case 'group':
        return copyRowsOf(row.group);
      case 'section':
      case 'language':
      case 'folders':
      case 'peers':
      case 'files':
      case 'inner':
        return this.#outlineIn(row).map(rowOf);
      case 'members':
        return row.peers.paths.map((path) => ({ type: 'member', peers: row.peers, path }));
      case 'member':
      case 'copy':
      case 'remedy':
      case 'more':
        return [];
    }
  }

  /** Returns the neighbors of a row in its list, up to `limit` on each side. */
  around(row: LabelledRow, limit: number): LabelledRow[] {
    const parent = this.parentOf(row);
    if (parent === undefined) return [];
    const rows = this.#outlineIn(parent);
    const index = this.#indicesOf(rows).get(idOf(row))!;
    return [...rows.slice(Math.max(0, index - limit), index), ...rows.slice(index + 1, index + 1 + limit)].map(rowOf);
  }

  innerCountOf(group: Group): number {
    return this.#outlineIn({ type: 'group', group }).length;
  }

  /** Returns all groups inside a row, at any depth, that match the filter. */
  groupsIn(row: Row): Group[] {
    if (isCopyRow(row)) return [row.group];
    if (row.type !== 'folder' && row.type !== 'file')
      return this.#outlineIn(row).flatMap((inner) => [...groupsIn(inner)]);
    return [...new Set(this.rowsIn(row).flatMap((inner) => this.groupsIn(inner)))];
  }

  /** Returns the parent of a row; `undefined` at the top level, or if the row is not in the tree. */
  parentOf(row: Row): Row | undefined {
    switch (row.type) {
      case 'copy':
        if (row.from !== undefined) return occurrenceAround({ group: row.group, from: row.from });
        return { type: 'group', group: row.group };
      case 'inner':
        return { type: 'group', group: row.group };
      case 'occurrence':
        return { type: 'file', path: row.passage.path };
      case 'file':
      case 'folder': {
        const parent = this.#entryOf(row)?.parent;
        return parent && rowOfEntry(parent);
      }
      case 'members':
        return { type: 'peers', peers: row.peers };
      case 'member':
        return { type: 'members', peers: row.peers };
      case 'group':
      case 'files':
      case 'peers':
      case 'folders':
        return this.#placeOf(row)?.parent;
      case 'remedy':
      case 'section':
      case 'language':
      case 'more':
        return undefined;
    }
  }

  /** Returns the row of a copy in the current grouping; `undefined` if it is not in the tree. */
  rowOfCopy(copy: Copy): Row | undefined {
    if (this.#isByFile()) {
      const file = this.#entryOf({ type: 'file', path: copy.passage.path })?.entry;
      const isShown =
        file?.type === 'file' && file.copies.some((it) => it.group === copy.group && it.place === copy.place);
      return isShown ? { ...copy, type: 'occurrence' } : undefined;
    }
    const isShown = this.#placeOf({ type: 'group', group: copy.group }) !== undefined;
    return isShown ? { type: 'copy', group: copy.group, place: copy.place, passage: copy.passage } : undefined;
  }

  #isByFile(): boolean {
    return this.#grouping === 'file' || this.#grouping === 'folder';
  }

  #outlineIn(row: Row): readonly OutlineRow[] {
    if (row.type === 'section' || row.type === 'language') {
      this.#make();
      const id = idOf(row);
      return this.#inOrder(this.#headed.find(({ heading }) => idOf(heading) === id)?.rows ?? []);
    }
    const place = this.#placeOf(row.type === 'inner' ? { type: 'group', group: row.group } : row);
    if (place === undefined) return [];
    return this.#inOrder(place.row.rows, place.row.type === 'folders' ? leastAlikeFirst : undefined);
  }

  #indicesOf(rows: readonly OutlineRow[]): ReadonlyMap<string, number> {
    const cachedIndices = this.#indices.get(rows);
    if (cachedIndices) return cachedIndices;
    const indices = new Map(rows.map((row, index) => [idOf(rowOf(row)), index]));
    this.#indices.set(rows, indices);
    return indices;
  }

  #placeOf(row: Row): Place | undefined {
    this.#make();
    if (this.#places === undefined) {
      const places = new Map<string, Place>();
      for (const { heading, rows } of this.#headed) addPlaces(places, rows, heading);
      this.#places = places;
    }
    return this.#places.get(idOf(row));
  }

  #entryOf(row: Row): EntryPlace | undefined {
    return this.#isByFile() ? this.#byFile().places.get(idOf(row)) : undefined;
  }

  #byFile() {
    this.#make();
    if (this.#entries === undefined) {
      const { snapshot } = this.#findings;
      const filter = this.#filter;
      const copiesOf = (path: string): readonly Copy[] => {
        const copies = this.#findings.occurrencesIn(path);
        return filter === undefined ? copies : copies.filter(({ group }) => filter(group));
      };
      const files = snapshot ? fileEntries(snapshot, copiesOf) : [];
      const top = this.#grouping === 'folder' ? folderEntries(files, (group) => this.#findings.rowOf(group)) : files;
      const places = new Map<string, EntryPlace>();
      addEntryPlaces(places, top, undefined);
      this.#entries = { top: sortedEntries(top, this.#order), places };
    }
    return this.#entries;
  }

  #make(): void {
    const { snapshot } = this.#findings;
    if (snapshot === this.#made) return;
    this.#made = snapshot;
    this.#places = undefined;
    this.#entries = undefined;
    const sections = snapshot ? outlineOf({ ...snapshot.findings, groups: snapshot.all }) : [];
    this.#all = countGroups(sections.flatMap(({ rows }) => rows));
    this.#sections = this.#filtered(sections);
    this.#headed =
      this.#grouping === 'language' && snapshot
        ? this.#byLanguage(snapshot)
        : this.#sections.map(({ name, rows }) => ({ heading: { type: 'section', name }, rows }));
  }

  #filtered(sections: readonly Section[]): readonly Section[] {
    const filter = this.#filter;
    if (filter === undefined) return sections;
    return sections
      .map(({ name, rows }) => ({ name, rows: filtered(rows, filter) }))
      .filter(({ rows }) => rows.length > 0);
  }

  /** Groups rows by language. Lists the groups in similar folders, which may have several languages, individually. */
  #byLanguage({ findings, all }: Snapshot): HeadedRows[] {
    const languageOf = languageTable();
    const byLanguage = new Map<string, OutlineRow[]>();
    const sections = this.#filtered(outlineOf({ files: findings.files, folders: [], groups: all }));
    for (const row of sections.flatMap(({ rows }) => rows)) {
      const [group] = groupsIn(row);
      append(byLanguage, languageOf(group!.passages[0]!.path), row);
    }
    return Array.from(byLanguage, ([id, rows]): HeadedRows & { readonly worth: number } => ({
      heading: { type: 'language', id },
      rows: rows.sort((x, y) => worthOfRow(y) - worthOfRow(x)),
      worth: rows.reduce((sum, row) => sum + worthOfRow(row), 0),
    })).sort((x, y) => y.worth - x.worth);
  }

  /** @param byItself  comparison function to use instead of sorting by worth */
  #inOrder(
    rows: readonly OutlineRow[],
    byItself?: (rows: readonly OutlineRow[]) => OutlineRow[],
  ): readonly OutlineRow[] {
    const sortedRows = this.#sorted.get(rows);
    if (sortedRows) return sortedRows;
    const sorted =
      this.#order !== 'worth' ? [...rows].sort(compareRows[this.#order]) : byItself ? byItself(rows) : rows;
    this.#sorted.set(rows, sorted);
    return sorted;
  }
}

/** Returns rows that match a filter: groups with all nested groups, and other rows if a row inside matches. */
function filtered<Shown extends OutlineRow>(rows: readonly Shown[], filter: (group: Group) => boolean): Shown[] {
  return rows.flatMap((row) => {
    if (row.type === 'group' && filter(row.group)) return [row];
    const inner = filtered(row.rows, filter);
    return inner.length > 0 ? [{ ...row, rows: inner }] : [];
  });
}

function addPlaces(places: Map<string, Place>, rows: readonly OutlineRow[], parent: Row): void {
  for (const row of rows) {
    const own = rowOf(row);
    places.set(idOf(own), { row, parent });
    addPlaces(places, row.rows, row.type === 'group' ? { type: 'inner', group: row.group } : own);
  }
}

function addEntryPlaces(
  places: Map<string, EntryPlace>,
  entries: readonly Entry[],
  parent: FolderEntry | undefined,
): void {
  for (const entry of entries) {
    places.set(idOf(rowOfEntry(entry)), { entry, parent });
    if (entry.type === 'folder') addEntryPlaces(places, entry.entries, entry);
  }
}

function rowOfEntry({ type, path }: FileEntry | FolderEntry): Row {
  return { type, path };
}
