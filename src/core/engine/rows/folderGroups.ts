/**
 * Finds near-duplicate folders, such as two versions of a manual, a library and its copy, or two similar back ends. If
 * two folders are similar, so are their parents. Of these nested pairs, only the best is reported: the pair with the
 * greatest product of the number of common lines and their share of all lines.
 *
 * Rows are stored for each pair of folders that contain their files, and for the pairs of these folders' ancestors. For
 * a report, only pairs that may have enough lines in common are examined.
 */
import { SetMultimap } from '../../collections/setMultimap.ts';
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

/** Upper limit of the number of folders, so that a key is an exact number. */
const maxFolderCount = 2 ** 26;

/** Two folders that directly contain files with common passages, and the outermost groups of both folders. */
interface Leaf {
  readonly x: string;
  readonly y: string;
  readonly entries: Set<Entry>;
  readonly candidates: readonly Candidate[];
}

/** Two folders, neither of which contains the other. */
interface Candidate {
  readonly x: string;
  readonly y: string;
  /** Upper limit of the number of common lines: the sum over all leaves, whose groups may overlap. */
  maxLines: number;
  /** Content that the two folders have in common. `undefined` if it has never been needed. */
  content: CommonContent | undefined;
}

/** Groups in both folders of a candidate. Once computed, it is updated with each change. */
interface CommonContent {
  /** The groups. For each, the number of leaves that contain it. */
  readonly entries: Map<Entry, number>;
  /** For each file, the sum of the lines of its passages. If groups overlap, it may exceed the lines of the file. */
  readonly lines: Map<string, number>;
  /** Increases with each change, and differs between all contents. */
  revision: number;
}

/** Content of a folder group, and the data from which it was derived. */
interface FolderContent {
  /** Revisions of the contents of its pairs of folders. */
  readonly revisions: readonly number[];
  readonly sizes: readonly FolderSize[];
  /** Rows of the group, in order, including those that a previous folder group contains. */
  readonly allRows: readonly Entry[];
  /** For each folder, the number of duplicated lines of each of its files. */
  readonly byFile: readonly ReadonlyMap<string, number>[];
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
  /** Leaves and candidates, by their folders (`#keyOf`). */
  readonly #leaves = new Map<number, Leaf>();
  readonly #candidates = new Map<number, Candidate>();
  /** For each candidate, the leaves inside it. */
  readonly #leavesOf = new SetMultimap<Candidate, Leaf>();
  readonly #numbers = new Map<string, number>();
  /** For each folder, the candidates whose upper limit of common lines is high enough. */
  readonly #large = new SetMultimap<string, Candidate>();
  /** Candidates that must be examined before the next list. */
  readonly #changed = new Set<Candidate>();
  /**
   * Candidates whose folders have enough content in common, with the product of the number of common lines and their
   * share of the lines of both folders.
   */
  readonly #commons = new Map<Candidate, number>();
  #lastRevision = 0;
  /** The same candidates in descending order of rank, and the folder groups that follow from this order. */
  #ranked: readonly Candidate[] = [];
  #versions: readonly Versions[] = [];
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
    const key = this.#keyOf(x, y);
    let leaf = this.#leaves.get(key);
    if (leaf === undefined) {
      leaf = { x, y, entries: new Set(), candidates: this.#candidatesAbove(x, y) };
      this.#leaves.set(key, leaf);
      for (const candidate of leaf.candidates) this.#leavesOf.add(candidate, leaf);
    }
    leaf.entries.add(entry);
    for (const candidate of leaf.candidates) {
      candidate.maxLines += lines;
      if (candidate.content) this.#addTo(candidate.content, candidate, entry);
      this.#changed.add(candidate);
      if (candidate.maxLines < minLines) continue;
      for (const folder of [candidate.x, candidate.y]) this.#large.add(folder, candidate);
    }
  }

  #removeFromLeaf(entry: Entry, x: string, y: string, lines: number): void {
    const key = this.#keyOf(x, y);
    const leaf = this.#leaves.get(key)!;
    leaf.entries.delete(entry);
    const isEmpty = leaf.entries.size === 0;
    if (isEmpty) this.#leaves.delete(key);
    for (const candidate of leaf.candidates) {
      candidate.maxLines -= lines;
      if (candidate.content) this.#removeFrom(candidate.content, candidate, entry);
      this.#changed.add(candidate);
      if (candidate.maxLines < minLines)
        for (const folder of [candidate.x, candidate.y]) this.#large.delete(folder, candidate);
      if (!isEmpty) continue;
      this.#leavesOf.delete(candidate, leaf);
      if (this.#leavesOf.count(candidate) === 0) this.#candidates.delete(this.#keyOf(candidate.x, candidate.y));
    }
  }

  /** Returns the candidates that include a pair of folders: the pair itself, and the pairs of their ancestors. */
  #candidatesAbove(folder: string, other: string): Candidate[] {
    const above = foldersApart(other, folder);
    return foldersApart(folder, other).flatMap((left) =>
      above.map((right) => {
        const [x, y] = left < right ? [left, right] : [right, left];
        const key = this.#keyOf(x, y);
        let candidate = this.#candidates.get(key);
        if (candidate === undefined) {
          candidate = { x, y, maxLines: 0, content: undefined };
          this.#candidates.set(key, candidate);
        }
        return candidate;
      }),
    );
  }

  /** Returns a key for two folders. Numbers take less memory than the joined paths. */
  #keyOf(x: string, y: string): number {
    return this.#numberOf(x) * maxFolderCount + this.#numberOf(y);
  }

  #numberOf(folder: string): number {
    const number = this.#numbers.get(folder) ?? this.#numbers.size;
    this.#numbers.set(folder, number);
    return number;
  }

  /**
   * Returns the folder groups. If nothing has changed, returns the previous list.
   *
   * @param renamed  rows whose id has changed although their position has not
   */
  list(rows: OrderedRows, renamed: readonly Entry[]): readonly FolderGroup[] {
    const hasOtherIds = new Set(renamed);
    const { folders, files } = this.#sizes.takeChanged();
    const areOthers = this.#examineChanged(folders);
    const changedFiles = [...this.#changedFiles];
    this.#changedFiles.clear();
    const isSame = ({ rows, group: { paths } }: ListedGroup): boolean =>
      !changedFiles.some((file) => isSpread(file, paths)) &&
      (renamed.length === 0 || !rows.some((row) => hasOtherIds.has(row)));
    if (!areOthers && this.#listed.every(isSame)) return this.#list;
    this.#rankCandidates();
    const listed: ListedGroup[] = [];
    const knownGroups = new Map(this.#listed.filter(isSame).map((one) => [keyOfPaths(one.group), one]));
    // A row belongs to the first folder group that contains it.
    const used = new Set<Entry>();
    for (const { paths, candidates } of this.#versions) {
      const commons = candidates.map(({ content }) => content!);
      const before = knownGroups.get(keyOfPaths({ paths }));
      const isKnown = before !== undefined && isMadeOf(before.content, commons, files);
      const content = isKnown ? this.#resized(before.content, paths) : this.#describe(paths, commons, rows);
      const ownRows = content.allRows.filter((row) => !used.has(row));
      listed.push(
        before?.content === content && isSameList(before.rows, ownRows)
          ? before
          : { content, rows: ownRows, group: groupOf(paths, content, ownRows) },
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

  /** Sorts the candidates. Most changes keep their order, and then the folders of each group are the same. */
  #rankCandidates(): void {
    const commons = this.#commons;
    const compare = (a: Candidate, b: Candidate): number =>
      commons.get(b)! - commons.get(a)! || compareText(keyOf(a), keyOf(b));
    const before = this.#ranked;
    const isSame =
      before.length === commons.size &&
      before.every((candidate, i) => commons.has(candidate) && (i === 0 || compare(before[i - 1], candidate) < 0));
    if (isSame) return;
    const ranked = [...commons.keys()].sort(compare);
    this.#ranked = ranked;
    const largest: Candidate[] = [];
    for (const candidate of ranked) if (!largest.some((other) => isNested(candidate, other))) largest.push(candidate);
    this.#versions = versionsOf(largest);
  }

  /** Examines changed candidates. Returns true if at least one of them has enough in common now, or had before. */
  #examineChanged(folders: Iterable<string>): boolean {
    for (const folder of folders) {
      if (this.#large.count(folder) === 0) continue;
      // Nearly all candidates have too few lines in common even for one of their folders.
      const minCommon = minShare * this.#sizes.of(folder).lines;
      for (const candidate of this.#large.get(folder)) {
        if (candidate.maxLines >= minCommon || this.#commons.has(candidate)) this.#changed.add(candidate);
      }
    }
    let areOthers = false;
    for (const candidate of this.#changed) {
      const rank = this.#rankOf(candidate);
      areOthers ||= rank !== undefined || this.#commons.has(candidate);
      if (rank === undefined) this.#commons.delete(candidate);
      else this.#commons.set(candidate, rank);
    }
    this.#changed.clear();
    return areOthers;
  }

  /** Returns the rank of two folders, or `undefined` if they do not have enough content in common. */
  #rankOf(candidate: Candidate): number | undefined {
    const { x, y, maxLines } = candidate;
    if (maxLines < minLines) return undefined;
    const all = this.#sizes.of(x).lines + this.#sizes.of(y).lines;
    if (maxLines < minShare * all) return undefined;
    const content = (candidate.content ??= this.#find(candidate));
    if (content.lines.size < minFiles) return undefined;
    let lines = 0;
    // Not a loop, which would allocate an array for each file.
    content.lines.forEach((count, path) => (lines += Math.min(count, this.#sizes.linesOf(path))));
    const share = lines / all;
    return lines < minLines || share < minShare ? undefined : lines * share;
  }

  #find(candidate: Candidate): CommonContent {
    const content: CommonContent = { entries: new Map(), lines: new Map(), revision: 0 };
    for (const { entries } of this.#leavesOf.get(candidate))
      for (const entry of entries) this.#addTo(content, candidate, entry);
    return content;
  }

  #addTo(content: CommonContent, { x, y }: Candidate, entry: Entry): void {
    const { entries, lines } = content;
    const leaves = entries.get(entry) ?? 0;
    entries.set(entry, leaves + 1);
    content.revision = ++this.#lastRevision;
    if (leaves > 0) return;
    for (const { path, startLine, endLine } of entry.group.passages) {
      if (isIn(path, x) || isIn(path, y)) lines.set(path, (lines.get(path) ?? 0) + endLine - startLine + 1);
    }
  }

  #removeFrom(content: CommonContent, { x, y }: Candidate, entry: Entry): void {
    const { entries, lines } = content;
    const leaves = entries.get(entry)!;
    content.revision = ++this.#lastRevision;
    if (leaves > 1) {
      entries.set(entry, leaves - 1);
      return;
    }
    entries.delete(entry);
    for (const { path, startLine, endLine } of entry.group.passages) {
      if (!isIn(path, x) && !isIn(path, y)) continue;
      const left = lines.get(path)! - (endLine - startLine + 1);
      if (left > 0) lines.set(path, left);
      else lines.delete(path);
    }
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

  #sizesOf(paths: readonly string[]): FolderSize[] {
    return paths.map((path) => ({ ...this.#sizes.of(path) }));
  }

  /** Returns the same content with the present sizes of the folders. */
  #resized(content: FolderContent, paths: readonly string[]): FolderContent {
    const sizes = this.#sizesOf(paths);
    const isSame = content.sizes.every(({ files, lines }, i) => files === sizes[i].files && lines === sizes[i].lines);
    return isSame ? content : { ...content, sizes };
  }

  #describe(
    paths: readonly string[],
    commons: readonly CommonContent[],
    { parentOf, compare }: OrderedRows,
  ): FolderContent {
    const entries = new Set(commons.flatMap((common) => [...common.entries.keys()]));
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
      revisions: commons.map(({ revision }) => revision),
      sizes: this.#sizesOf(paths),
      allRows: [...rows].sort(compare),
      byFile,
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
  readonly candidates: readonly Candidate[];
}

/** Merges pairs that have a folder in common. So three similar folders become one group. */
function versionsOf(largest: readonly Candidate[]): Versions[] {
  let groups: { readonly paths: ReadonlySet<string>; readonly candidates: readonly Candidate[] }[] = [];
  for (const candidate of largest) {
    const { x, y } = candidate;
    const joined = groups.filter(({ paths }) => paths.has(x) || paths.has(y));
    const paths = new Set([x, y, ...joined.flatMap((group) => [...group.paths])]);
    const whole = { paths, candidates: [...joined.flatMap(({ candidates }) => candidates), candidate] };
    if (joined.length > 0 && areApart([...paths])) {
      groups = groups.filter((group) => !joined.includes(group));
      groups.push(whole);
    } else groups.push({ paths: new Set([x, y]), candidates: [candidate] });
  }
  return groups.map(({ paths, candidates }) => ({ paths: [...paths].sort(compareText), candidates }));
}

function areApart(paths: readonly string[]): boolean {
  return paths.every((path) => paths.every((other) => path === other || !isIn(path, other)));
}

/** Returns true if all passages of a group are in the given folders, and at least two of the folders have some. */
function isSpread({ group: { passages } }: Entry, folders: readonly string[]): boolean {
  let first: string | undefined;
  let areTwo = false;
  for (const { path } of passages) {
    const folder = folders.find((one) => isIn(path, one));
    if (folder === undefined) return false;
    first ??= folder;
    areTwo ||= folder !== first;
  }
  return areTwo;
}

/** Returns true if a content was made of these contents, and none of its files has changed. */
function isMadeOf(
  { revisions, byFile }: FolderContent,
  commons: readonly CommonContent[],
  changedFiles: readonly string[],
): boolean {
  return (
    revisions.length === commons.length &&
    commons.every(({ revision }, i) => revision === revisions[i]) &&
    !changedFiles.some((path) => byFile.some((lines) => lines.has(path)))
  );
}

/** Returns true if the folders of one pair are nested in those of the other. */
function isNested(a: Candidate, b: Candidate): boolean {
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

function keyOf({ x, y }: Pick<Candidate, 'x' | 'y'>): string {
  return `${x}\0${y}`;
}
