/** Arranges the copies of a report by files and folders. */
import { append, sum } from '../../../core/collections/lists.ts';
import type { Group } from '../../../core/engine/report/report.ts';
import { similarityOf } from '../../../presentation/wording/likeness.ts';
import type { Copy } from '../../../session/client/report.ts';
import type { Snapshot } from '../findings/snapshot.ts';
import type { Order } from './order.ts';

export interface FileEntry {
  readonly type: 'file';
  readonly path: string;
  /** Copies in the file. Those in groups with the most worth come first. */
  readonly copies: readonly Copy[];
  readonly worth: number;
}

/** A folder with files that have copies, at any depth. If its only entry is a subfolder, the two are merged. */
export interface FolderEntry {
  readonly type: 'folder';
  readonly path: string;
  readonly entries: readonly Entry[];
  /** Number of duplicates with a copy in the folder. Groups inside another group are part of its duplicate. */
  readonly duplicates: number;
  readonly worth: number;
}

export type Entry = FileEntry | FolderEntry;

/** @param copiesOf  returns the visible copies of a file, given its path */
export function fileEntries(
  { copies, fileCopies }: Pick<Snapshot, 'copies' | 'fileCopies'>,
  copiesOf: (path: string) => readonly Copy[],
): FileEntry[] {
  const paths = new Set([...copies.keys(), ...fileCopies.keys()]);
  return Array.from(paths, (path): FileEntry => {
    const seen = [...copiesOf(path)].sort(byWorth);
    return { type: 'file', path, copies: seen, worth: sum(groupsOf(seen).map(({ worth }) => worth)) };
  }).filter((entry) => entry.copies.length > 0);
}

/** @param rowOf  returns the outermost group around a group */
export function folderEntries(files: readonly FileEntry[], rowOf: RowSource): readonly Entry[] {
  return folderOf('', files, 0, rowOf).entries;
}

type RowSource = (group: Group) => Group;

/** @param depth  number of segments in the folder's path */
function folderOf(path: string, files: readonly FileEntry[], depth: number, rowOf: RowSource): FolderEntry {
  const inFolder = new Map<string, FileEntry[]>();
  const own: FileEntry[] = [];
  for (const file of files) {
    const name = file.path.split('/', depth + 2);
    if (name.length < depth + 2) own.push(file);
    else append(inFolder, name[depth]!, file);
  }
  const folders = Array.from(inFolder, ([name, inner]) =>
    folderOf(path === '' ? name : `${path}/${name}`, inner, depth + 1, rowOf),
  );
  // Merge folders like the Explorer's "compact folders". Never merge the workspace folder itself.
  if (own.length === 0 && folders.length === 1 && depth > 0) return folders[0]!;
  const groups = new Set(files.flatMap(({ copies }) => copies.map(({ group }) => group)));
  return {
    type: 'folder',
    path,
    entries: [...folders, ...own],
    duplicates: new Set(Array.from(groups, rowOf)).size,
    worth: sum(Array.from(groups, ({ worth }) => worth)),
  };
}

/** Sorts entries in the selected order. When sorting by path, folders come before files. */
export function sortedEntries<Any extends Entry>(entries: readonly Any[], order: Order): Any[] {
  const byPath = (x: Any, y: Any): number => (x.path < y.path ? -1 : x.path > y.path ? 1 : 0);
  if (order === 'path') {
    return [...entries].sort((x, y) => Number(x.type === 'file') - Number(y.type === 'file') || byPath(x, y));
  }
  const keys = new Map(entries.map((entry) => [entry, keyOf(entry, order)]));
  return [...entries].sort((x, y) => keys.get(y)! - keys.get(x)! || byPath(x, y));
}

export function sortedCopies(copies: readonly Copy[], order: Order): readonly Copy[] {
  switch (order) {
    case 'worth':
      return copies;
    case 'size':
      return [...copies].sort((x, y) => linesOf(y) - linesOf(x));
    case 'similarity':
      return [...copies].sort((x, y) => similarityOf(y.group) - similarityOf(x.group));
    case 'copies':
      return [...copies].sort((x, y) => y.group.passages.length - x.group.passages.length);
    case 'path':
      return [...copies].sort(byPlace);
  }
}

function keyOf(entry: Entry, order: Exclude<Order, 'path'>): number {
  if (order === 'worth') return entry.worth;
  const copies = [...copiesBelow(entry)];
  switch (order) {
    case 'size':
      return sum(copies.map(linesOf));
    case 'similarity':
      return copies.reduce((maxSimilarity, { group }) => Math.max(maxSimilarity, similarityOf(group)), 0);
    case 'copies':
      return copies.length;
  }
}

function* copiesBelow(entry: Entry): Generator<Copy> {
  if (entry.type === 'file') yield* entry.copies;
  else for (const inner of entry.entries) yield* copiesBelow(inner);
}

function byWorth(x: Copy, y: Copy): number {
  return y.group.worth - x.group.worth || byPlace(x, y);
}

function byPlace({ passage: x }: Copy, { passage: y }: Copy): number {
  return x.startLine - y.startLine || x.startColumn - y.startColumn;
}

function linesOf({ passage: { startLine, endLine } }: Copy): number {
  return endLine - startLine + 1;
}

function groupsOf(copies: readonly Copy[]): Copy['group'][] {
  return [...new Set(copies.map(({ group }) => group))];
}
