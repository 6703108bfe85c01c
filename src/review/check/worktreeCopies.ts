/** Finds added lines of this worktree that resemble added lines of another worktree: `kindred check --worktrees`. */
import path from 'node:path';
import { groupBy } from '../../core/collections/lists.ts';
import { lexiconForPath } from '../../core/engine/languages/allLexicons.ts';
import { type Category, judgeText } from '../../core/engine/rows/category.ts';
import type { SimilarPassage } from '../../core/engine/similar/findSimilar.ts';
import type { SearchedText } from '../../core/engine/windowIndex.ts';
import type { LineRange } from '../gate/changes.ts';
import type { LineSource } from '../gate/movedTexts.ts';
import type { Git } from '../../scan/io/git.ts';
import type { SourceOptions } from '../../scan/io/sources.ts';
import { changesSince } from './gitBase.ts';
import { addedRanges, addingIn, type OtherWorktree, otherWorktrees, searchWorktrees } from './otherWorktrees.ts';
import type { ScannedTree } from './scannedTree.ts';
import { linesOf } from './sourceTexts.ts';

/** An added passage in this worktree, and a similar added passage in another worktree. */
export interface WorktreeCopy {
  /** Passage in this worktree. The path is relative to the root. */
  readonly own: LineRange & { readonly path: string };
  /** Passage in the other worktree. The path is absolute, with forward slashes. */
  readonly other: LineRange & { readonly path: string };
  readonly type: SimilarPassage['type'];
  readonly similarity: number;
}

export interface WorktreeCopies {
  /** Absolute paths of the other worktrees' folders that have changes. */
  readonly folders: readonly string[];
  /** The copies, most similar first. */
  readonly copies: readonly WorktreeCopy[];
}

/** Inputs of a search other than the tree. */
export interface WorktreeSearch {
  readonly root: string;
  readonly sources: SourceOptions;
  /** Categories that count. Each of the two passages must have one of them. */
  readonly counted: ReadonlySet<Category>;
  /** True to search for staged lines instead of those in the working tree. */
  readonly staged: boolean;
}

/** Maximum number of unchanged lines, such as brackets, between added ranges that are searched for as one text. */
const maxKept = 2;
/** Maximum number of passages per text. */
const maxPassages = 10;

/** Returns the copies, or `undefined` after a cancellation. */
export async function worktreeCopies(
  git: Git,
  { root, sources, counted, staged }: WorktreeSearch,
  { listing, request, monitor: { cancelled } }: ScannedTree,
): Promise<WorktreeCopies | undefined> {
  const others = await otherWorktrees(root, git, sources, cancelled);
  const isCounted = (name: string): boolean => counted.has(categoryOf(name));
  const lines = linesOf(listing, request.texts);
  const copies: WorktreeCopy[] = [];
  // Most worktrees have the same commit in common with this one, so compute the changes once per commit.
  for (const [base, some] of groupBy(others, (other) => other.base)) {
    const changes = addingIn(await changesSince(git, base, { staged })).filter((change) => isCounted(change.path));
    const added = changes.flatMap((change) => textsIn(change.path, addedRanges(change), lines));
    const texts = added.map((one) => one.text);
    const found = await searchWorktrees(some, texts, request, cancelled);
    if (found === undefined) return undefined;
    for (const [i, { passages }] of found.entries()) {
      for (const one of passages) {
        const copy = copyOf(added[i]!, one);
        if (isCounted(one.passage.path) && !isSameFile(copy, some)) copies.push(copy);
      }
    }
  }
  copies.sort((a, b) => b.similarity - a.similarity || (a.own.path < b.own.path ? -1 : 1));
  return { folders: others.map(({ folder }) => folder), copies };
}

function categoryOf(name: string): Category {
  return judgeText(name, { prose: lexiconForPath(name).prose === true, data: false, generated: false }).category;
}

interface AddedText extends LineRange {
  readonly path: string;
  readonly text: SearchedText;
}

/** Returns the added texts of a file. Returns an empty list if the file is not compared. */
function textsIn(name: string, ranges: readonly LineRange[], linesIn: LineSource): AddedText[] {
  const lines = linesIn(name);
  if (lines === undefined) return [];
  const joined: LineRange[] = [];
  for (const { startLine, endLine } of ranges) {
    const last = joined.at(-1);
    const end = Math.min(endLine, lines.length);
    if (last && startLine - last.endLine - 1 <= maxKept) joined[joined.length - 1] = { ...last, endLine: end };
    else joined.push({ startLine, endLine: end });
  }
  return joined.map((range) => {
    const bytes = Buffer.from(lines.slice(range.startLine - 1, range.endLine).join('\n'), 'utf8');
    return { path: name, ...range, text: { bytes, lexicon: lexiconForPath(name), query: { limit: maxPassages } } };
  });
}

function copyOf(
  { path: name, startLine }: AddedText,
  { passage, textLines, type, similarity }: SimilarPassage,
): WorktreeCopy {
  return {
    own: { path: name, startLine: startLine + textLines.start - 1, endLine: startLine + textLines.end - 1 },
    other: { path: passage.path, startLine: passage.startLine, endLine: passage.endLine },
    type,
    similarity,
  };
}

/** Returns true if the whole file is the same in both worktrees, for example because both have the same commit. */
function isSameFile({ own, other, type, similarity }: WorktreeCopy, others: readonly OtherWorktree[]): boolean {
  const isSameText = type === 'exact' && similarity === 1;
  return (
    isSameText &&
    others.some(({ folder }) => other.path === path.posix.join(folder.split(path.sep).join('/'), own.path))
  );
}
