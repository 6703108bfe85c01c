/**
 * Peers are files with the same role, such as drivers, backends, or renderers. They share several rows in varying
 * combinations, and these rows are shown as one row.
 *
 * Two files are linked if a row contains both. Two clusters of files are merged if at least half of the pairs between
 * them are linked (average linkage: Sokal, Michener 1958), beginning with the clusters that share the most rows. So a
 * chain of links does not put a whole tree into one cluster. The clusters depend only on the rows, not on the order of
 * the rows.
 */
import { append } from '../../core/collections/lists.ts';
import type { Group } from '../../core/engine/report/report.ts';
import { differingParts, sharedEnds } from './differingParts.ts';
import { insideOf } from './likeness.ts';
import type { PassageRow } from './outline.ts';

/** A set of at least three peers, and the groups they share. */
export interface Peers {
  /** Name of the set: the shared part of the file names, such as "QueryRunner"; or the folder, or some names. */
  readonly name: string;
  /** Sorted. */
  readonly paths: readonly string[];
  /** Groups in the rows of the set, except those nested in another group. */
  readonly groups: readonly Group[];
  readonly worth: number;
}

/** Number of lines that the files of a set of peers share. The arrays have one item for each path. */
export interface SharedLines {
  /** For each file, the number of its lines in the set's groups. */
  readonly lines: readonly number[];
  /** `shared[file][other]` is the number of lines of `file` in groups with a passage in `other`; 0 for itself. */
  readonly shared: readonly (readonly number[])[];
}

/** Minimum number of files, and of rows, of peers. Two files are a file pair, and two rows a coincidence. */
const minFiles = 3;
const minRows = 3;
/** Minimum number of rows that two files must share to be linked; the same as for a pair of files. */
const minShared = 2;
/** Maximum number of files in a row that links files. A row with more is usually boilerplate. */
const maxFiles = 12;
/** Minimum share of linked pairs between two clusters for merging them. */
const minLinked = 0.5;

/** Paths of the files that have been merged so far. */
interface Cluster {
  readonly paths: string[];
  /** For each other cluster, the number of linked pairs of files between the two. */
  readonly links: Map<Cluster, number>;
}

/**
 * Returns the sets of peers with their rows, in the order of the rows. First assigns each row to the cluster that
 * contains most of its files, and adds the row's other files to that set. Then adds each remaining row to the set that
 * contains all of its files.
 *
 * @param rows  rows of one section
 */
export function findPeers(rows: readonly PassageRow[]): { readonly peers: Peers; readonly rows: PassageRow[] }[] {
  const clusterOf = clustersOf(rows);
  const inside = new Map<Cluster, PassageRow[]>();
  for (const row of rows) {
    const paths = pathsOfRow(row);
    const cluster = paths.length < 2 ? undefined : clusterOfMost(paths, clusterOf);
    if (cluster === undefined) continue;
    append(inside, cluster, row);
  }
  const sets = [...inside.values()].flatMap((own) => {
    const paths = new Set(own.flatMap(pathsOfRow).sort());
    return own.length < minRows || paths.size < minFiles ? [] : [{ paths, own: new Set(own) }];
  });
  addOwnRows(sets, rows);
  return sets.map(({ paths: all, own }) => {
    const paths = [...all];
    const inOrder = rows.filter((row) => own.has(row));
    const groups = inOrder.flatMap(groupsOfRow);
    const worth = groups.reduce((sum, group) => sum + group.worth, 0);
    return { peers: { name: nameOf(paths, groups), paths, groups, worth }, rows: inOrder };
  });
}

/** Adds each remaining row to the set that contains all of its files. If several sets do, uses the first by path. */
function addOwnRows(
  sets: readonly { readonly paths: ReadonlySet<string>; readonly own: Set<PassageRow> }[],
  rows: readonly PassageRow[],
): void {
  const placed = new Set(sets.flatMap(({ own }) => [...own]));
  const byPath = [...sets].sort((x, y) => ([...x.paths].join('\0') < [...y.paths].join('\0') ? -1 : 1));
  for (const row of rows.filter((one) => !placed.has(one))) {
    const paths = pathsOfRow(row);
    if (paths.length > 1) byPath.find((set) => paths.every((path) => set.paths.has(path)))?.own.add(row);
  }
}

function clusterOfMost(paths: readonly string[], clusterOf: ReadonlyMap<string, Cluster>): Cluster | undefined {
  const counts = new Map<Cluster, number>();
  for (const path of paths) {
    const cluster = clusterOf.get(path);
    if (cluster === undefined) continue;
    const count = (counts.get(cluster) ?? 0) + 1;
    if (2 * count > paths.length) return cluster;
    counts.set(cluster, count);
  }
  return undefined;
}

export function pathsOfRow(row: PassageRow): readonly string[] {
  return row.type === 'files' ? row.files.paths : [...new Set(row.group.passages.map(({ path }) => path))];
}

/** Returns short names for peers: file names without the shared parts, or else the differing parts of the paths. */
export function memberNames(paths: readonly string[]): readonly string[] {
  const { words, before, after } = wordsOf(paths);
  const names = words.map((own) => trimmed(own.slice(before, own.length - after).join('')));
  const areDistinct = new Set(names).size === names.length && names.every((name) => name !== '');
  return areDistinct ? names : differingParts(paths).parts;
}

/**
 * Counts the lines that the files of a set of peers share. If a file contains another one, it shares at least as many
 * lines as the other one has, but nothing says which.
 */
export function sharedLines({ paths, groups }: Peers): SharedLines {
  const lines = paths.map(() => new Set<number>());
  const shared = paths.map(() => paths.map(() => new Set<number>()));
  const placeOf = new Map(paths.map((path, place) => [path, place]));
  for (const { passages, inside } of groups) {
    const places = new Set(passages.map(({ path }) => placeOf.get(path)!));
    for (const { path, startLine, endLine } of inside === undefined ? passages : [passages[inside]!]) {
      const place = placeOf.get(path)!;
      const sets = [lines[place]!, ...[...places].filter((it) => it !== place).map((it) => shared[place]![it]!)];
      for (const set of sets) for (let line = startLine; line <= endLine; line++) set.add(line);
    }
  }
  const counts = { lines: lines.map(({ size }) => size), shared: shared.map((sets) => sets.map(({ size }) => size)) };
  for (const { inner, outer } of groups.flatMap((group) => insideOf(group) ?? [])) {
    const [place, other] = [placeOf.get(outer.path)!, placeOf.get(inner.path)!];
    const ofOther = counts.shared[place]!;
    ofOther[other] = Math.max(ofOther[other]!, inner.endLine);
    counts.lines[place] = Math.max(counts.lines[place]!, inner.endLine);
  }
  return counts;
}

/**
 * Returns the indices of the files with which a file shares lines, most lines first.
 *
 * @param shared  number of lines shared with each other file
 */
export function mostShared(shared: readonly number[]): number[] {
  const others = [...shared.keys()].filter((other) => shared[other]! > 0);
  return others.sort((x, y) => shared[y]! - shared[x]!);
}

/** Returns the groups of a row that are not inside another group. */
function groupsOfRow(row: PassageRow): readonly Group[] {
  return row.type === 'group' ? [row.group] : row.rows.flatMap(groupsOfRow);
}

/** Returns the cluster of each file. Files that are alone in their cluster are omitted. */
function clustersOf(rows: readonly PassageRow[]): ReadonlyMap<string, Cluster> {
  const sharedRows = new Map<string, number>();
  for (const row of rows) {
    const paths = [...pathsOfRow(row)].sort();
    if (paths.length > maxFiles) continue;
    const count = row.type === 'files' ? row.rows.length : 1;
    for (const key of paths.flatMap((path, i) => paths.slice(i + 1).map((other) => `${path}\0${other}`)))
      sharedRows.set(key, (sharedRows.get(key) ?? 0) + count);
  }
  const clusters = new Map<string, Cluster>();
  const clusterOf = (path: string): Cluster => {
    let cluster = clusters.get(path);
    if (cluster === undefined) clusters.set(path, (cluster = { paths: [path], links: new Map() }));
    return cluster;
  };
  for (const key of sharedRows.keys()) {
    const [x, y] = key.split('\0').map(clusterOf) as [Cluster, Cluster];
    x.links.set(y, 1);
    y.links.set(x, 1);
  }
  const strong = [...sharedRows].filter(([, count]) => count >= minShared);
  strong.sort(([x, ofX], [y, ofY]) => ofY - ofX || (x < y ? -1 : 1));
  for (const [key] of strong) {
    const [x, y] = key.split('\0').map(clusterOf) as [Cluster, Cluster];
    if (x === y || x.links.get(y)! < minLinked * x.paths.length * y.paths.length) continue;
    const [to, from] = x.links.size < y.links.size ? [y, x] : [x, y];
    merge(to, from);
    for (const path of from.paths) clusters.set(path, to);
  }
  return clusters;
}

function merge(to: Cluster, from: Cluster): void {
  to.paths.push(...from.paths);
  to.links.delete(from);
  for (const [other, count] of from.links) {
    if (other === to) continue;
    const links = (to.links.get(other) ?? 0) + count;
    to.links.set(other, links);
    other.links.delete(from);
    other.links.set(to, links);
  }
}

/** Minimum number of letters in the shared part of file names. */
const minLetters = 4;

/**
 * Returns the words that file names share, as in "QueryRunner" or "ngx_http…_module". If there are none, returns the
 * folder that contains all files, or else the names of the files in the most groups.
 */
function nameOf(paths: readonly string[], groups: readonly Group[]): string {
  const names = paths.map((path) => path.slice(path.lastIndexOf('/') + 1));
  if (names.every((name) => name === names[0])) return names[0]!;
  const { words, before, after } = wordsOf(paths);
  // The name of one file may be the beginning of all names: "IPAddress" and "IPAddressV4".
  const shortest = words.reduce((x, y) => (y.length < x.length ? y : x));
  const isBeginning = words.every((own) => shortest.every((word, i) => own[i] === word));
  const beginning = shortest.join('');
  if (isBeginning && !generalFiles.test(beginning) && beginning.length >= minLetters) return beginning;
  const [first] = words as [string[]];
  const parts = [first.slice(0, before), first.slice(first.length - after)].map((part) => part.join(''));
  const name = parts.filter((part) => part !== '').join('…');
  if (name.replaceAll(/[^\p{L}\p{N}]/gu, '').length >= minLetters) return trimmed(name);
  const [folder, other] = new Set(paths.map(tellingFolder));
  if (folder !== undefined && other === undefined) return folder;
  const countOf = (path: string): number =>
    groups.filter(({ passages }) => passages.some((passage) => passage.path === path)).length;
  const stems = paths.map((path, i) => {
    const stem = words[i]!.join('');
    return { count: countOf(path), stem: generalFiles.test(stem) ? (tellingFolder(path) ?? stem) : stem };
  });
  const named = [...new Set(stems.sort((x, y) => y.count - x.count).map(({ stem }) => stem))];
  return named.length <= 3 ? named.join(', ') : `${named.slice(0, 2).join(', ')}, …`;
}

/** Returns the innermost folder with a name that few projects use; `undefined` if there is none. */
function tellingFolder(path: string): string | undefined {
  const folders = path.split('/').slice(0, -1).reverse();
  return folders.find((folder) => !generalFolders.test(folder));
}

const generalFolders = /^(?:src|source|lib|libs|app|pkg|internal|include|main|tests?)$/i;
/** File names that are less specific than the name of their folder. */
const generalFiles = /^(?:mod|index|main|lib|init|__init__)$/;

/** Splits file names without extensions into words. Counts those that all share at the beginning and the end. */
function wordsOf(paths: readonly string[]): {
  readonly words: string[][];
  readonly before: number;
  readonly after: number;
} {
  const words = paths.map((path) =>
    path
      .replace(/^.*\//, '')
      .replace(/(?<=.)\.[^.]*$/, '')
      .split(wordBoundary),
  );
  return { words, ...sharedEnds(words) };
}

function trimmed(name: string): string {
  return name.replaceAll(/^[-_.]+|[-_.]+$/g, '');
}

/** Boundaries between the words of a name, as in "Mysql|Query|Runner" or "ngx|_http|_module". */
const wordBoundary = /(?=[-_.])|(?<=[\p{Ll}\p{N}])(?=\p{Lu})/u;
