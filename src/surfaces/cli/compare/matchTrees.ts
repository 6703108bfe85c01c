/**
 * Finds content that two trees share besides equal files: versions of a file, and passages. Two files are versions of
 * each other if they have the same path, or if they match as whole files. A passage is reported if its copy is not in
 * the other version of its file. Large groups are processed first, and each line is matched only once.
 */
import { groupBy } from '../../../core/collections/lists.ts';
import type { Group, Passage } from '../../../core/engine/report/report.ts';
import type { LineRange } from '../../../review/gate/changes.ts';
import { commonLines } from './commonLines.ts';
import type { ChangedFile, ComparedPassage, Lines, Version } from './comparison.ts';
import type { FilePair, TreeFile } from './treeFiles.ts';

/** A document in the scan of both trees: a file of one tree, or two equal files, one in each tree. */
export interface TreeDocument {
  readonly a: TreeFile | undefined;
  readonly b: TreeFile | undefined;
}

export interface ComparedTrees {
  /** Groups that the scan found. Groups inside one tree are ignored. */
  readonly groups: readonly Group[];
  /** Returns the document with the given path in the scan. */
  readonly documentOf: (path: string) => TreeDocument;
  /** Files of A without an equal file in B that is not paired with another one yet. `restOfB`: the same for B. */
  readonly restOfA: readonly TreeFile[];
  readonly restOfB: readonly TreeFile[];
  /** Files in `restOfA` and `restOfB` that equal a file of the other tree, each with that file. */
  readonly copies: ReadonlyMap<TreeFile, TreeFile>;
  readonly linesOf: (file: TreeFile) => readonly string[];
}

/** Result of the matching. Lists are sorted by path; `passages` is sorted by size. */
export interface TreeMatches {
  readonly changed: readonly ChangedFile[];
  readonly movedAndChanged: readonly ChangedFile[];
  readonly passages: readonly ComparedPassage[];
  readonly singleA: readonly TreeFile[];
  readonly singleB: readonly TreeFile[];
  /** Returns the number of a file's lines that the other tree contains, too: all if it has an equal file. */
  readonly linesInOther: (file: TreeFile) => number;
}

export function matchTrees(compared: ComparedTrees): TreeMatches {
  const { restOfA, restOfB, copies, linesOf } = compared;
  const ofB = new Map(restOfB.map((file) => [file.path, file]));
  const changed = restOfA.flatMap((a): FilePair[] => (ofB.has(a.path) ? [[a, ofB.get(a.path)!]] : []));
  const paired = new Set<TreeFile>(changed.flat());
  const movedAndChanged = alikeFiles(compared, paired);
  for (const file of movedAndChanged.flat()) paired.add(file);
  const versions = new Versions([...restOfA, ...restOfB]);
  const diffs = new Map([...changed, ...movedAndChanged].map((pair) => [pair[0], versions.compare(pair, linesOf)]));
  for (const file of copies.keys()) versions.markFile(file);
  const passages = new PassageMatches(compared, versions).passages();
  const changedFile = ([a, b]: FilePair): ChangedFile => ({
    a: versions.versionOf(a),
    b: versions.versionOf(b),
    ...diffs.get(a)!,
  });
  return {
    changed: changed.map(changedFile),
    movedAndChanged: movedAndChanged.map(changedFile),
    passages,
    singleA: restOfA.filter((file) => !paired.has(file)),
    singleB: restOfB.filter((file) => !paired.has(file)),
    linesInOther: (file) => versions.linesInOther(file),
  };
}

/**
 * Returns pairs of files that match as whole files, most similar first. Each file is in at most one pair. Files that
 * are merely contained in a larger file are not paired.
 */
function alikeFiles({ groups, documentOf }: ComparedTrees, paired: ReadonlySet<TreeFile>): FilePair[] {
  const candidates: { readonly pair: FilePair; readonly similarity: number }[] = [];
  for (const { kind, inside, passages, pairs } of groups) {
    if (kind !== 'file' || inside !== undefined) continue;
    for (const { a: x, b: y, similarity } of pairs) {
      const [left, right] = [documentOf(passages[x]!.path), documentOf(passages[y]!.path)];
      const [a, b] = left.a === undefined ? [right.a, left.b] : [left.a, right.b];
      if (a && b && !isInBoth(left) && !isInBoth(right)) candidates.push({ pair: [a, b], similarity });
    }
  }
  const taken = new Set(paired);
  const alike: FilePair[] = [];
  for (const { pair } of candidates.sort((x, y) => y.similarity - x.similarity)) {
    if (pair.some((file) => taken.has(file))) continue;
    alike.push(pair);
    for (const file of pair) taken.add(file);
  }
  return alike.sort(([x], [y]) => (x.path < y.path ? -1 : 1));
}

function isInBoth({ a, b }: TreeDocument): boolean {
  return a !== undefined && b !== undefined;
}

/** Flags of a line: the other tree contains it, and the other version of its file contains it. */
const inTree = 1;
const inVersion = 2;

/** Records, for each line of each file, if the other tree and the other version of the file contain the line. */
class Versions {
  /** Flags of each file's lines, one byte per line. */
  readonly #found: ReadonlyMap<TreeFile, Uint8Array>;
  readonly #other = new Map<TreeFile, TreeFile>();

  constructor(files: readonly TreeFile[]) {
    this.#found = new Map(files.map((file) => [file, new Uint8Array(file.lines)]));
  }

  /** Records two files as versions of each other. Returns the numbers of removed and added lines. */
  compare([a, b]: FilePair, linesOf: ComparedTrees['linesOf']): Pick<ChangedFile, 'removed' | 'added'> {
    this.#other.set(a, b).set(b, a);
    const common = commonLines(linesOf(a).slice(0, a.lines), linesOf(b).slice(0, b.lines));
    for (const [file, lines] of [
      [a, common.a],
      [b, common.b],
    ] as const) {
      const found = this.#found.get(file)!;
      lines.forEach((isCommon, line) => void (found[line] = isCommon ? inTree | inVersion : 0));
    }
    const [removed, added] = [common.a, common.b].map((lines) => lines.filter((isCommon) => !isCommon).length);
    return { removed: removed!, added: added! };
  }

  /** Returns the other version of a file; `undefined` if it has none. */
  otherOf(file: TreeFile): TreeFile | undefined {
    return this.#other.get(file);
  }

  /** Returns true if most lines of a passage have not been matched yet. */
  isOpen(file: TreeFile, { startLine, endLine }: LineRange): boolean {
    const lines = this.#found.get(file)!.subarray(startLine - 1, endLine);
    return 2 * lines.filter((line) => line === 0).length > lines.length;
  }

  markLines(file: TreeFile, { startLine, endLine }: LineRange, mark: number): void {
    const found = this.#found.get(file)!;
    for (let line = startLine - 1; line < Math.min(endLine, found.length); line++) found[line]! |= mark;
  }

  markFile(file: TreeFile): void {
    this.markLines(file, { startLine: 1, endLine: file.lines }, inTree);
  }

  versionOf(file: TreeFile): Version {
    const lines = this.#found.get(file)!;
    return { path: file.path, lines: file.lines, linesInOther: lines.filter((line) => line & inVersion).length };
  }

  linesInOther(file: TreeFile): number {
    return this.#found.get(file)?.filter((line) => line !== 0).length ?? file.lines;
  }
}

interface Side {
  readonly at: number;
  readonly file: TreeFile;
  readonly passage: Passage;
}

/**
 * The passages of one group in each tree. Open passages are in files without an equal file, and most of their lines are
 * unmatched. All others are placed.
 */
interface Sides {
  readonly openA: readonly Side[];
  readonly openB: readonly Side[];
  readonly placedA: readonly Side[];
  readonly placedB: readonly Side[];
}

class PassageMatches {
  readonly #compared: ComparedTrees;
  readonly #versions: Versions;
  readonly #found: ComparedPassage[] = [];

  constructor(compared: ComparedTrees, versions: Versions) {
    this.#compared = compared;
    this.#versions = versions;
  }

  passages(): readonly ComparedPassage[] {
    const groups = this.#compared.groups.filter(({ kind }) => kind !== 'file');
    for (const group of [...groups].sort((x, y) => y.tokens - x.tokens)) this.#place(group);
    return this.#found;
  }

  #place(group: Group): void {
    const { openA, openB, placedA, placedB } = this.#sidesOf(group);
    const placed = new Set<Side>();
    for (const [a, b] of pairsBetween(group, { openA, openB }, this.#versions)) {
      placed.add(a).add(b);
      this.#addPair(group, 'moved', a, b);
    }
    for (const a of openA) {
      const b = placed.has(a) ? undefined : nearest(group, a, [...placedB, ...openB]);
      if (b) this.#addPair(group, 'merged', a, b);
    }
    for (const b of openB) {
      const a = placed.has(b) ? undefined : nearest(group, b, [...placedA, ...openA]);
      if (a) this.#addPair(group, 'copied', a, b);
    }
  }

  #sidesOf({ passages }: Group): Sides {
    const sides = { openA: [] as Side[], openB: [] as Side[], placedA: [] as Side[], placedB: [] as Side[] };
    for (const [at, passage] of passages.entries()) {
      const { a, b } = this.#compared.documentOf(passage.path);
      const isOpen = (file: TreeFile): boolean =>
        (a === undefined || b === undefined) && this.#versions.isOpen(file, passage);
      if (a) sides[isOpen(a) ? 'openA' : 'placedA'].push({ at, file: a, passage });
      if (b) sides[isOpen(b) ? 'openB' : 'placedB'].push({ at, file: b, passage });
    }
    return sides;
  }

  /** Marks the lines of two passages as matched. Reports the pair, unless the two files are versions of each other. */
  #addPair(group: Group, change: ComparedPassage['change'], a: Side, b: Side): void {
    const isVersion = this.#versions.otherOf(a.file) === b.file;
    const mark = isVersion ? inTree | inVersion : inTree;
    if (change !== 'copied') this.#versions.markLines(a.file, a.passage, mark);
    if (change !== 'merged') this.#versions.markLines(b.file, b.passage, mark);
    if (isVersion) return;
    this.#found.push({
      change,
      a: linesIn(a),
      b: linesIn(b),
      kind: group.kind as ComparedPassage['kind'],
      type: group.type,
      similarity: similarityOf(group, a, b),
      tokens: a.passage.tokens,
    });
  }
}

/**
 * Pairs the unmatched passages of both trees. Each passage is used once. Prefers passages in two versions of a file,
 * then the most similar ones, then the order in the files.
 */
function pairsBetween(
  group: Group,
  { openA, openB }: Pick<Sides, 'openA' | 'openB'>,
  versions: Versions,
): readonly (readonly [a: Side, b: Side])[] {
  const found: (readonly [Side, Side])[] = [];
  const taken = new Set<Side>();
  const pair = (a: Side, b: Side | undefined): void => {
    if (b === undefined || taken.has(a) || taken.has(b)) return;
    taken.add(a).add(b);
    found.push([a, b]);
  };
  const byFile = groupBy<TreeFile | undefined, Side>(openB, ({ file }) => file);
  for (const a of openA) {
    const others = byFile.get(versions.otherOf(a.file)) ?? [];
    pair(
      a,
      nearest(
        group,
        a,
        others.filter((b) => !taken.has(b)),
      ),
    );
  }
  const [placesOfA, placesOfB] = [openA, openB].map((sides) => new Map(sides.map((side) => [side.at, side])));
  for (const { a: x, b: y } of [...group.pairs].sort((one, other) => other.similarity - one.similarity)) {
    for (const [a, b] of [
      [placesOfA!.get(x), placesOfB!.get(y)] as const,
      [placesOfA!.get(y), placesOfB!.get(x)] as const,
    ]) {
      if (a) pair(a, b);
    }
  }
  const left = openB.filter((b) => !taken.has(b));
  let next = 0;
  for (const a of openA) if (!taken.has(a)) pair(a, left[next++]);
  return found;
}

/** Returns the passage that is most similar to the given one. If no passage was compared with it, returns the first. */
function nearest(group: Group, side: Side, others: readonly Side[]): Side | undefined {
  let [best, maxSimilarity] = [others[0], -1];
  if (others.length < 2) return best;
  const byPlace = new Map(others.map((other) => [other.at, other]));
  for (const { a, b, similarity } of group.pairs) {
    if ((a !== side.at && b !== side.at) || similarity <= maxSimilarity) continue;
    const other = byPlace.get(a === side.at ? b : a);
    if (other) [best, maxSimilarity] = [other, similarity];
  }
  return best;
}

function similarityOf({ pairs, similarity }: Group, { at: x }: Side, { at: y }: Side): number {
  return pairs.find(({ a, b }) => (a === x && b === y) || (a === y && b === x))?.similarity ?? similarity;
}

function linesIn({ file, passage: { startLine, endLine } }: Side): Lines {
  return { path: file.path, startLine, endLine };
}
