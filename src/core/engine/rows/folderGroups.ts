/**
 * Finds near-duplicate folders, such as two versions of a manual, a library and its copy, or two similar back ends. If
 * two folders are similar, so are their parents. Of these nested pairs, only the best is reported: the pair with the
 * greatest product of the number of common lines and their share of all lines.
 *
 * Rows are stored for each pair of folders that contain their files, and for the pairs of these folders' ancestors. For
 * a report, only pairs that may have enough lines in common are examined.
 */
import { add, drop } from '../../collections/lists.ts';
import { isSameList } from '../../collections/sortedList.ts';
import type { FolderGroup, Group, Passage } from '../report/report.ts';
import { categories, type Category, countByCategory } from './category.ts';
import { type FolderSize, type FolderSizes, folderOf, isIn, parentOf } from './folderSizes.ts';
import { compareText } from './rowOrder.ts';
import type { Entry, MovedGroup, OrderedRows, Placement } from './rows.ts';
import { shareOf } from './shares.ts';

/** Maximum number of folders of a group. A group with passages in more folders is boilerplate, and is ignored. */
const maxFolders = 8;
/** Minimum share of lines in common, among the lines of both folders. */
const minShare = 0.25;
const minLines = 60;
/**
 * Minimum number of files with common passages, in both folders together. For example, two files in each folder, or one
 * file in one folder that contains parts of three files in the other.
 */
const minFiles = 4;
/** Minimum share of duplicated lines in a file that counts as similar. */
const minOfFile = 0.5;

/** Two folders that directly contain files with common passages, and the outermost groups of both folders. */
interface Leaf {
  readonly x: string;
  readonly y: string;
  readonly entries: Set<Entry>;
  readonly candidates: readonly Candidate[];
}

/** Two folders, neither of which contains the other, and the leaves inside them. */
interface Candidate {
  readonly x: string;
  readonly y: string;
  readonly leaves: Set<Leaf>;
  /** Upper limit of the number of common lines: the sum over all leaves, whose groups may overlap. */
  maxLines: number;
  /** Content that the two folders have in common. `undefined` if it has not been computed since the last change. */
  content: CommonContent | undefined;
}

interface CommonContent {
  readonly entries: ReadonlySet<Entry>;
  readonly lines: number;
  readonly files: number;
}

/** Two folders that have enough content in common. */
interface FolderPair {
  readonly x: string;
  readonly y: string;
  readonly content: CommonContent;
  readonly lines: number;
  /** Share of common lines among the lines of both folders. */
  readonly share: number;
}

/** Content of a folder group, and the data from which it was derived. */
interface FolderContent {
  readonly commons: readonly CommonContent[];
  readonly sizes: readonly FolderSize[];
  /** Rows of the group, in order, including those that a previous folder group contains. */
  readonly allRows: readonly Entry[];
  readonly alike: readonly number[];
  readonly lines: readonly number[];
  readonly passages: number;
  readonly category: Category;
}

/** A folder group that the last call of `list` returned. */
interface ListedGroup {
  readonly content: FolderContent;
  readonly rows: readonly Entry[];
  readonly group: FolderGroup;
}

export class FolderGroups {
  readonly #sizes: FolderSizes;
  readonly #leaves = new Map<string, Leaf>();
  readonly #candidates = new Map<string, Candidate>();
  /** For each folder, the candidates whose upper limit of common lines is high enough. */
  readonly #large = new Map<string, Set<Candidate>>();
  /** Candidates that must be examined before the next list. */
  readonly #changed = new Set<Candidate>();
  /** Candidates whose folders have enough content in common. */
  readonly #commons = new Map<Candidate, FolderPair>();
  /** Current groups of whole files, and those that were added or removed since the last list. */
  readonly #files = new Set<Entry>();
  readonly #changedFiles = new Set<Entry>();
  /** Folder groups in the order of their creation. The object of an unchanged group is reused. */
  #listed: readonly ListedGroup[] = [];
  #list: readonly FolderGroup[] = [];

  constructor(sizes: FolderSizes) {
    this.#sizes = sizes;
  }

  update(moved: readonly MovedGroup[]): void {
    for (const { entry, before, after } of moved) {
      if (entry.group.kind === 'file') {
        this.#changedFiles.add(entry);
        if (after) this.#files.add(entry);
        else this.#files.delete(entry);
        continue;
      }
      const [was, is] = [isOutermost(before), isOutermost(after)];
      if (!was && !is) continue;
      const linesIn = linesByFolder(entry.group);
      for (const [x, y] of pairsOf([...linesIn.keys()].sort(compareText))) {
        const lines = linesIn.get(x)! + linesIn.get(y)!;
        // Remove and add the group even if it is unchanged, because it may have moved to another row.
        if (was) this.#removeFromLeaf(entry, x, y, lines);
        if (is) this.#addToLeaf(entry, x, y, lines);
      }
    }
  }

  #addToLeaf(entry: Entry, x: string, y: string, lines: number): void {
    const key = keyOf({ x, y });
    let leaf = this.#leaves.get(key);
    if (leaf === undefined) {
      leaf = { x, y, entries: new Set(), candidates: this.#candidatesAbove(x, y) };
      this.#leaves.set(key, leaf);
      for (const candidate of leaf.candidates) candidate.leaves.add(leaf);
    }
    leaf.entries.add(entry);
    for (const candidate of leaf.candidates) {
      candidate.maxLines += lines;
      candidate.content = undefined;
      this.#changed.add(candidate);
      if (candidate.maxLines < minLines) continue;
      for (const folder of [candidate.x, candidate.y]) add(this.#large, folder, candidate);
    }
  }

  #removeFromLeaf(entry: Entry, x: string, y: string, lines: number): void {
    const key = keyOf({ x, y });
    const leaf = this.#leaves.get(key)!;
    leaf.entries.delete(entry);
    const isEmpty = leaf.entries.size === 0;
    if (isEmpty) this.#leaves.delete(key);
    for (const candidate of leaf.candidates) {
      candidate.maxLines -= lines;
      candidate.content = undefined;
      this.#changed.add(candidate);
      if (candidate.maxLines < minLines)
        for (const folder of [candidate.x, candidate.y]) drop(this.#large, folder, candidate);
      if (isEmpty) candidate.leaves.delete(leaf);
      if (candidate.leaves.size === 0) this.#candidates.delete(keyOf(candidate));
    }
  }

  /** Returns the candidates that include a pair of folders: the pair itself, and the pairs of their ancestors. */
  #candidatesAbove(folder: string, other: string): Candidate[] {
    const above = foldersApart(other, folder);
    return foldersApart(folder, other).flatMap((left) =>
      above.map((right) => {
        const [x, y] = left < right ? [left, right] : [right, left];
        const key = keyOf({ x, y });
        let candidate = this.#candidates.get(key);
        if (candidate === undefined) {
          candidate = { x, y, leaves: new Set(), maxLines: 0, content: undefined };
          this.#candidates.set(key, candidate);
        }
        return candidate;
      }),
    );
  }

  /**
   * Returns the folder groups. If nothing has changed, returns the previous list.
   *
   * @param renamed  rows whose id has changed although their position has not
   */
  list(rows: OrderedRows, renamed: readonly Entry[]): readonly FolderGroup[] {
    const hasOtherIds = new Set(renamed);
    const areOthers = this.#examineChanged();
    const changedFiles = [...this.#changedFiles];
    this.#changedFiles.clear();
    const isSame = ({ rows, group: { paths } }: ListedGroup): boolean =>
      !changedFiles.some((file) => isSpread(file, paths)) &&
      (renamed.length === 0 || !rows.some((row) => hasOtherIds.has(row)));
    if (!areOthers && this.#listed.every(isSame)) return this.#list;
    const commons = [...this.#commons.values()].sort(
      (a, b) => b.lines * b.share - a.lines * a.share || compareText(keyOf(a), keyOf(b)),
    );
    const largest: FolderPair[] = [];
    for (const common of commons) if (!largest.some((other) => isNested(common, other))) largest.push(common);
    const listed: ListedGroup[] = [];
    const knownGroups = new Map(this.#listed.filter(isSame).map((one) => [keyOfPaths(one.group), one]));
    // A row belongs to the first folder group that contains it.
    const used = new Set<Entry>();
    for (const versions of versionsOf(largest)) {
      const sizes = versions.paths.map((path) => ({ ...this.#sizes.of(path) }));
      const before = knownGroups.get(keyOfPaths(versions));
      const isKnown = before !== undefined && isMadeOf(before.content, versions, sizes);
      const content = isKnown ? before.content : this.#describe(versions, sizes, rows);
      const ownRows = content.allRows.filter((row) => !used.has(row));
      listed.push(
        isKnown && isSameList(before.rows, ownRows)
          ? before
          : { content, rows: ownRows, group: groupOf(versions.paths, content, ownRows) },
      );
      for (const row of ownRows) used.add(row);
    }
    this.#listed = listed;
    this.#list = listed
      .map(({ group }) => group)
      .filter(({ groups }) => groups.length > 0)
      .sort((a, b) => b.worth - a.worth || compareText(keyOfPaths(a), keyOfPaths(b)));
    return this.#list;
  }

  /** Examines changed candidates. Returns true if at least one of them has enough in common now, or had before. */
  #examineChanged(): boolean {
    for (const folder of this.#sizes.takeChanged()) {
      const candidates = this.#large.get(folder);
      if (candidates === undefined) continue;
      // Nearly all candidates have too few lines in common even for one of their folders.
      const minCommon = minShare * this.#sizes.of(folder).lines;
      for (const candidate of candidates) {
        if (candidate.maxLines >= minCommon || this.#commons.has(candidate)) this.#changed.add(candidate);
      }
    }
    let areOthers = false;
    for (const candidate of this.#changed) {
      const common = this.#commonOf(candidate);
      if (common) this.#commons.set(candidate, common);
      areOthers ||= common !== undefined || this.#commons.has(candidate);
      if (common === undefined) this.#commons.delete(candidate);
    }
    this.#changed.clear();
    return areOthers;
  }

  /** Returns the content that two folders have in common, or `undefined` if it is not enough. */
  #commonOf(candidate: Candidate): FolderPair | undefined {
    const { x, y, maxLines } = candidate;
    if (maxLines < minLines) return undefined;
    const all = this.#sizes.of(x).lines + this.#sizes.of(y).lines;
    if (maxLines < minShare * all) return undefined;
    const content = (candidate.content ??= this.#find(candidate));
    const { lines, files } = content;
    const share = lines / all;
    return files < minFiles || lines < minLines || share < minShare ? undefined : { x, y, content, lines, share };
  }

  #find({ x, y, leaves }: Candidate): CommonContent {
    const entries = new Set<Entry>();
    for (const leaf of leaves) for (const entry of leaf.entries) entries.add(entry);
    const counts = this.#linesByFile(entries, [x, y]).flatMap((files) => [...files.values()]);
    return { entries, lines: counts.reduce((sum, count) => sum + count, 0), files: counts.length };
  }

  /** For each folder, returns a map from the path of each file to the number of its duplicated lines. */
  #linesByFile(entries: Iterable<Entry>, folders: readonly string[]): Map<string, number>[] {
    const byFile = folders.map(() => new Map<string, number>());
    for (const { group } of entries) {
      for (const { path, startLine, endLine } of group.passages) {
        const place = folders.findIndex((folder) => isIn(path, folder));
        if (place < 0) continue;
        const lines = (byFile[place].get(path) ?? 0) + endLine - startLine + 1;
        // Groups may overlap, so the sum of their lines may exceed the lines of the file.
        byFile[place].set(path, Math.min(lines, this.#sizes.linesOf(path)));
      }
    }
    return byFile;
  }

  #describe(
    { paths, commons }: Versions,
    sizes: readonly FolderSize[],
    { parentOf, compare }: OrderedRows,
  ): FolderContent {
    const entries = new Set(commons.flatMap((common) => [...common.entries]));
    const isInside = ({ path }: Passage): boolean => paths.some((folder) => isIn(path, folder));
    const byFile = this.#linesByFile(entries, paths);
    const ofCategory = countByCategory();
    const rows = new Set<Entry>();
    let passages = 0;
    for (const entry of entries) {
      const inside = entry.group.passages.filter(isInside).length;
      passages += inside;
      ofCategory[entry.group.category] += inside * entry.group.lines;
      const row = parentOf(entry) ?? entry;
      if (row.group.passages.every(isInside)) rows.add(row);
    }
    // Add groups of whole files in these folders, even if the files share other rows with files elsewhere.
    for (const file of this.#files) if (isSpread(file, paths)) rows.add(file);
    return {
      commons,
      sizes,
      allRows: [...rows].sort(compare),
      alike: byFile.map((files) => {
        return [...files].filter(([path, count]) => count >= minOfFile * this.#sizes.linesOf(path)).length;
      }),
      lines: byFile.map((files) => [...files.values()].reduce((sum, count) => sum + count, 0)),
      passages,
      category: mostOf(ofCategory),
    };
  }
}

function groupOf(
  paths: readonly string[],
  { sizes, alike, lines, passages, category }: FolderContent,
  rows: readonly Entry[],
): FolderGroup {
  return {
    paths,
    files: sizes.map(({ files }) => files),
    alike,
    lines,
    shares: lines.map((count, i) => shareOf(count, sizes[i].lines)),
    passages,
    groups: rows.map(({ shown }) => shown.id),
    category,
    worth: rows.reduce((sum, { group: { worth } }) => sum + worth, 0),
  };
}

/** Returns a folder and its ancestors, except those around the other folder: none if that contains this one. */
function foldersApart(folder: string, other: string): string[] {
  const apart: string[] = [];
  if (isIn(folder, other)) return apart;
  for (let above: string | undefined = folder; above !== undefined && !isIn(other, above); above = parentOf(above)) {
    apart.push(above);
  }
  return apart;
}

/** The folders of one folder group, and the pairs of them that have content in common. */
interface Versions {
  readonly paths: readonly string[];
  readonly commons: readonly CommonContent[];
}

/** Merges pairs that have a folder in common. So three similar folders become one group. */
function versionsOf(largestPairs: readonly FolderPair[]): Versions[] {
  let groups: { readonly paths: ReadonlySet<string>; readonly commons: readonly CommonContent[] }[] = [];
  for (const { x, y, content } of largestPairs) {
    const joined = groups.filter(({ paths }) => paths.has(x) || paths.has(y));
    const paths = new Set([x, y, ...joined.flatMap((group) => [...group.paths])]);
    const whole = { paths, commons: [...joined.flatMap(({ commons }) => commons), content] };
    if (joined.length > 0 && areApart([...paths])) {
      groups = groups.filter((group) => !joined.includes(group));
      groups.push(whole);
    } else groups.push({ paths: new Set([x, y]), commons: [content] });
  }
  return groups.map(({ paths, commons }) => ({ paths: [...paths].sort(compareText), commons }));
}

function areApart(paths: readonly string[]): boolean {
  return paths.every((path) => paths.every((other) => path === other || !isIn(path, other)));
}

/** Returns true if all passages of a group are in the given folders, and at least two of the folders have some. */
function isSpread({ group: { passages } }: Entry, folders: readonly string[]): boolean {
  const found = new Set<string>();
  for (const { path } of passages) {
    const folder = folders.find((one) => isIn(path, one));
    if (folder === undefined) return false;
    found.add(folder);
  }
  return found.size > 1;
}

function isMadeOf(content: FolderContent, { commons }: Versions, sizes: readonly FolderSize[]): boolean {
  return (
    isSameList(content.commons, commons) &&
    content.sizes.every(({ files, lines }, i) => files === sizes[i].files && lines === sizes[i].lines)
  );
}

/** Returns true if the folders of one pair are nested in those of the other. */
function isNested(a: FolderPair, b: FolderPair): boolean {
  const related = (p: string, q: string): boolean => isIn(p, q) || isIn(q, p);
  return (related(a.x, b.x) && related(a.y, b.y)) || (related(a.x, b.y) && related(a.y, b.x));
}

/** Returns true if a group of passages is not shown inside another group of passages. */
function isOutermost(placement: Placement | undefined): boolean {
  return (
    placement !== undefined &&
    (placement.length === 1 || (placement.length === 2 && placement[0].group.kind === 'file'))
  );
}

/** Returns the number of lines of a group in each folder. Returns an empty map if the group is in too many folders. */
function linesByFolder({ passages }: Group): ReadonlyMap<string, number> {
  const lines = new Map<string, number>();
  let [path, folder] = ['', ''];
  for (const passage of passages) {
    if (passage.path !== path) [path, folder] = [passage.path, folderOf(passage.path)];
    lines.set(folder, (lines.get(folder) ?? 0) + passage.endLine - passage.startLine + 1);
    if (lines.size > maxFolders) return new Map();
  }
  return lines;
}

function* pairsOf(folders: readonly string[]): Generator<readonly [string, string]> {
  for (const [i, x] of folders.entries()) for (const y of folders.slice(i + 1)) yield [x, y];
}

function mostOf(counts: Readonly<Record<Category, number>>): Category {
  return categories.reduce((best, category) => (counts[category] > counts[best] ? category : best));
}

function keyOfPaths({ paths }: Pick<FolderGroup, 'paths'>): string {
  return paths.join('\0');
}

function keyOf({ x, y }: Pick<FolderPair, 'x' | 'y'>): string {
  return `${x}\0${y}`;
}
