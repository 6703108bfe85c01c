/**
 * Computes the data of a folder's duplication map: the lines and duplicated lines of each file and folder, as nested
 * treemap cells and as table rows, and a matrix of the lines that each pair shares. All counts agree with the report.
 */
import type { CountedFile } from '../../core/engine/report/makeReport.ts';
import type { Group, Passage } from '../../core/engine/report/report.ts';
import type { FolderView, MapCell, MapPlace, Scope, SharedLines } from './mapMessages.ts';

/** The part of the findings that the map needs. */
export interface MapSource {
  /** All compared files, in any order. */
  readonly files: readonly CountedFile[];
  /** Returns all passages in a file. */
  readonly passagesIn: (path: string) => readonly MappedPassage[];
  /** Returns the rows that a file is part of, as their outermost groups. A group may occur more than once. */
  readonly groupsIn: (path: string) => readonly Group[];
}

export interface MappedPassage {
  readonly group: Group;
  readonly passage: Passage;
}

/** Maximum number of cells: more would be too small to see. A folder is divided only if `minCells` fit into it. */
const maxCells = 400;
const minCells = 4;
/** Maximum nesting depth of cells. With more levels, folder names would leave no room for content. */
const maxLevels = 3;
/** Maximum number of table rows. More would not be read. */
const maxRows = 200;
/** Maximum number of folders in the matrix, so that its columns fit. */
const maxShared = 16;

interface Folder {
  readonly type: 'folder';
  readonly path: string;
  readonly folders: Map<string, Folder>;
  readonly own: File[];
  files: number;
  lines: number;
  duplicatedLines: number;
}

interface File {
  readonly type: 'file';
  readonly path: string;
  readonly files: 1;
  readonly lines: number;
  readonly duplicatedLines: number;
}

type Entry = Folder | File;

/** A file's passages, sorted by line, and the numbers of the groups it is part of. */
interface Content {
  readonly passages: readonly { readonly group: number; readonly startLine: number; readonly endLine: number }[];
  readonly groups: readonly number[];
}

/** Files in scope, arranged in folders. Created once, and used for every folder that is viewed. */
export class FolderMap {
  readonly #source: MapSource;
  readonly #scope: Scope;
  readonly #hasSource: boolean;
  readonly #root: Folder;
  readonly #numbers = new Map<Group, number>();
  readonly #contents = new Map<File, Content>();

  /** @param scope  `source` is ignored if no file has it. `undefined` is `source`, unless there is more text */
  constructor(source: MapSource, scope: Scope | undefined) {
    this.#source = source;
    const linesOf = (counted: CountedFile['category']): number =>
      source.files.reduce((sum, { category, lines }) => sum + (category === counted ? lines : 0), 0);
    this.#hasSource = source.files.some(({ category }) => category === 'source');
    const chosenScope = scope ?? (linesOf('text') > linesOf('source') ? 'all' : 'source');
    this.#scope = this.#hasSource ? chosenScope : 'all';
    this.#root = newFolder('');
    for (const file of source.files) if (this.#isIn(file.category)) add(this.#root, file);
  }

  /**
   * Returns the data for one folder.
   *
   * @param path  path of the folder; if it does not exist, its nearest existing parent is used
   */
  view(path: string): FolderView {
    const nearestFolder = nearest(this.#root, path);
    const folder = withoutChain(nearestFolder);
    const entries = entriesOf(folder);
    const { ofEach, ofAll } = this.#countGroups(entries);
    const rows = entries
      .map((entry, place) => ({ entry, row: { ...placeOf(entry, folder), duplicates: ofEach[place]! } }))
      .sort(({ row: x }, { row: y }) => {
        return y.duplicatedLines - x.duplicatedLines || y.lines - x.lines || compareText(x.path, y.path);
      });
    const shared = rows.filter(({ row }) => row.duplicatedLines > 0).slice(0, maxShared);
    return {
      folder: nearestFolder.path,
      shownFolder: folder.path,
      scope: this.#scope,
      hasSource: this.#hasSource,
      total: { ...placeOf(folder, this.#root), duplicates: ofAll },
      cells: cellsIn(folder, maxCells, maxLevels),
      rows: rows.slice(0, maxRows).map(({ row }) => row),
      rowsLeftOut: Math.max(0, rows.length - maxRows),
      shared: this.#sharedBy(shared.map(({ entry }) => entry)),
    };
  }

  #isIn(category: CountedFile['category']): boolean {
    return this.#scope === 'all' || category === 'source';
  }

  #contentOf(file: File): Content {
    let content = this.#contents.get(file);
    if (content === undefined) {
      const { passagesIn, groupsIn } = this.#source;
      const passages = passagesIn(file.path).map(({ group, passage: { startLine, endLine } }) => {
        return { group: this.#numberOf(group), startLine, endLine };
      });
      const groups = groupsIn(file.path).filter(({ category }) => this.#isIn(category));
      content = {
        passages: passages.sort((x, y) => x.startLine - y.startLine),
        groups: groups.map((group) => this.#numberOf(group)),
      };
      this.#contents.set(file, content);
    }
    return content;
  }

  #numberOf(group: Group): number {
    let number = this.#numbers.get(group);
    if (number === undefined) this.#numbers.set(group, (number = this.#numbers.size));
    return number;
  }

  /** Returns the number of groups with a copy in each entry, and the number of groups with a copy in any entry. */
  #countGroups(entries: readonly Entry[]): { readonly ofEach: readonly number[]; readonly ofAll: number } {
    const all = new Set<number>();
    const ofEach = entries.map((entry) => {
      const groups = new Set<number>();
      for (const file of filesOf(entry)) for (const group of this.#contentOf(file).groups) groups.add(group);
      for (const group of groups) all.add(group);
      return groups.size;
    });
    return { ofEach, ofAll: all.size };
  }

  #sharedBy(entries: readonly Entry[]): SharedLines {
    const width = entries.length;
    const contents = entries.map((entry) => Array.from(filesOf(entry), (file) => this.#contentOf(file).passages));
    /** Number of passages for each group and entry. */
    const counts = new Uint32Array(this.#numbers.size * width);
    for (const [place, files] of contents.entries()) {
      for (const passages of files) for (const { group } of passages) counts[group * width + place]!++;
    }
    const lines = contents.map((files, place) => {
      const row = new Array<number>(width).fill(0);
      const covered = new Uint32Array(width);
      for (const passages of files) {
        covered.fill(0);
        for (const { group, startLine, endLine } of passages) {
          for (let other = 0; other < width; other++) {
            if (counts[group * width + other]! <= (other === place ? 1 : 0)) continue;
            row[other]! += Math.max(0, endLine - Math.max(covered[other]!, startLine - 1));
            covered[other] = Math.max(covered[other]!, endLine);
          }
        }
      }
      return row;
    });
    return { paths: entries.map(({ path }) => path), lines };
  }
}

function newFolder(path: string): Folder {
  return { type: 'folder', path, folders: new Map(), own: [], files: 0, lines: 0, duplicatedLines: 0 };
}

function add(root: Folder, { path, lines, duplicatedLines }: CountedFile): void {
  let folder = root;
  count(folder, lines, duplicatedLines);
  for (let end = path.indexOf('/'); end >= 0; end = path.indexOf('/', end + 1)) {
    const inner = path.slice(0, end);
    let next = folder.folders.get(inner);
    if (next === undefined) folder.folders.set(inner, (next = newFolder(inner)));
    folder = next;
    count(folder, lines, duplicatedLines);
  }
  folder.own.push({ type: 'file', path, files: 1, lines, duplicatedLines });
}

function count(folder: Folder, lines: number, duplicatedLines: number): void {
  folder.files++;
  folder.lines += lines;
  folder.duplicatedLines += duplicatedLines;
}

function nearest(root: Folder, path: string): Folder {
  let folder = root;
  for (let end = path.indexOf('/'); folder.path !== path; end = path.indexOf('/', end + 1)) {
    const inner = folder.folders.get(end < 0 ? path : path.slice(0, end));
    if (inner === undefined) return folder;
    folder = inner;
  }
  return folder;
}

/** Skips folders whose only entry is a folder, so that users need not open them one by one. */
function withoutChain(folder: Folder): Folder {
  let inner = folder;
  while (inner.own.length === 0 && inner.folders.size === 1) inner = [...inner.folders.values()][0]!;
  return inner;
}

function entriesOf({ folders, own }: Folder): Entry[] {
  return [...Array.from(folders.values(), withoutChain), ...own];
}

function* filesOf(entry: Entry): Generator<File> {
  if (entry.type === 'file') {
    yield entry;
    return;
  }
  for (const folder of entry.folders.values()) yield* filesOf(folder);
  yield* entry.own;
}

/** Returns the largest entries as cells, and one cell for all other entries. Entries without lines have no cell. */
function cellsIn(folder: Folder, room: number, levels: number): MapCell[] {
  const entries = entriesOf(folder)
    .filter(({ lines }) => lines > 0)
    .sort((x, y) => y.lines - x.lines || compareText(x.path, y.path));
  const maxCells = Math.ceil(room / (levels === 1 ? 1 : 4));
  const shown = entries.length <= maxCells ? entries : entries.slice(0, maxCells - 1);
  const left = room - shown.length;
  const cells = shown.map((entry): MapCell => {
    const inner = Math.floor((left * entry.lines) / folder.lines);
    const isOpened = entry.type === 'folder' && levels > 1 && inner >= minCells;
    return { ...placeOf(entry, folder), cells: isOpened ? cellsIn(entry, inner, levels - 1) : [] };
  });
  const others = entries.slice(shown.length);
  return others.length === 0 ? cells : [...cells, allOf(others, folder)];
}

function allOf(others: readonly Entry[], { path }: Folder): MapCell {
  const sum = (key: 'files' | 'lines' | 'duplicatedLines'): number =>
    others.reduce((total, other) => total + other[key], 0);
  return {
    type: 'others',
    path,
    name: '',
    cells: [],
    files: sum('files'),
    lines: sum('lines'),
    duplicatedLines: sum('duplicatedLines'),
  };
}

function placeOf({ type, path, files, lines, duplicatedLines }: Entry, above: Folder): MapPlace {
  const name = above.path === '' ? path : path.slice(above.path.length + 1);
  return { type, path, name, files, lines, duplicatedLines };
}

function compareText(x: string, y: string): number {
  return x < y ? -1 : x > y ? 1 : 0;
}
