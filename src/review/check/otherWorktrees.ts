/**
 * Finds the lines that other worktrees of a repository add, committed or not. Such a line is missing from the latest
 * commit that both worktrees have in common. Agents that work side by side often write the same helper.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { SearchedText } from '../../core/engine/windowIndex.ts';
import type { SimilarPassage, SimilarPassages } from '../../core/engine/similar/findSimilar.ts';
import type { FileChange, LineRange } from '../gate/changes.ts';
import { scanToFollow, type ScanRequest } from '../../scan/indexer/scan.ts';
import { Git } from '../../scan/io/git.ts';
import { listSources } from '../../scan/io/listSources.ts';
import type { SourceFile, SourceOptions } from '../../scan/io/sources.ts';
import { inOtherWorktrees } from '../../scan/io/worktrees.ts';
import { changesSince, type GitChanges } from './gitBase.ts';
import { linesAdded } from './homeFacts.ts';

/** Another worktree that adds lines. */
export interface OtherWorktree {
  /** Absolute path of the folder in that worktree that corresponds to this folder. */
  readonly folder: string;
  /** Latest commit that both worktrees have in common. */
  readonly base: string;
  /** Files with added lines that are compared. Paths are absolute. */
  readonly files: readonly SourceFile[];
  /** Changes by the absolute path of the file, with forward slashes. */
  readonly changes: ReadonlyMap<string, FileChange>;
}

/**
 * Returns the other worktrees that add lines.
 *
 * @param own  the repository of the folder
 */
export async function otherWorktrees(
  root: string,
  own: Git,
  sources: SourceOptions,
  cancelled: () => boolean,
): Promise<readonly OtherWorktree[]> {
  const found: OtherWorktree[] = [];
  for (const folder of inOtherWorktrees(root)) {
    if (cancelled() || !existsSync(folder)) continue;
    const one = await changedIn(folder, own, sources, cancelled);
    if (one !== undefined) found.push(one);
  }
  return found;
}

async function changedIn(
  folder: string,
  own: Git,
  sources: SourceOptions,
  cancelled: () => boolean,
): Promise<OtherWorktree | undefined> {
  const git = await Git.open(folder);
  const head = 'problem' in git ? undefined : await git.commitOf('HEAD');
  const base = head === undefined ? undefined : await own.mergeBase(head);
  if ('problem' in git || base === undefined || 'problem' in base) return undefined;
  const nameOf = (name: string): string => `${folder.split(path.sep).join('/')}/${name}`;
  const changes = new Map(
    addingIn(await changesSince(git, base.commit)).map((change) => [nameOf(change.path), change]),
  );
  if (changes.size === 0) return undefined;
  const { files } = await listSources([folder], sources, cancelled, 'inside');
  const compared = files
    .map(({ file, path: name }) => ({ file, path: nameOf(name) }))
    .filter(({ path: name }) => changes.has(name));
  return { folder, base: base.commit, files: compared, changes };
}

/** Returns the changes of files that add lines. */
export function addingIn({ files }: GitChanges): (FileChange & { readonly path: string })[] {
  return files.flatMap((change) =>
    change.path !== undefined && change.hunks.some(({ count }) => count > 0) ? [{ ...change, path: change.path }] : [],
  );
}

/** Minimum share of added lines in a passage. */
const minAdded = 0.5;

/**
 * Searches the added lines of other worktrees for texts.
 *
 * @param request  a request with the options
 * @returns        for each text, the passages that resemble it, with absolute paths; `undefined` after a cancellation
 */
export async function searchWorktrees(
  others: readonly OtherWorktree[],
  texts: readonly SearchedText[],
  { configured, ...request }: ScanRequest,
  cancelled: () => boolean,
): Promise<readonly SimilarPassages[] | undefined> {
  const files = others.flatMap((other) => other.files);
  if (files.length === 0 || texts.length === 0) return texts.map(() => nothing);
  const [own] = configured;
  const { found } = await scanToFollow(
    {
      ...request,
      listing: { files: [...files].sort((a, b) => (a.path < b.path ? -1 : 1)), skipped: [] },
      texts: [],
      configured: own ? others.map(({ folder }) => ({ ...own, prefix: `${folder.split(path.sep).join('/')}/` })) : [],
      scope: texts.map(({ query, ...text }) => ({ ...text, query: { ...query, limit: maxSearched } })),
      soughtWords: [],
      store: undefined,
      whenCancelled: 'stop',
    },
    { onProgress: () => undefined, cancelled },
    'index',
  );
  const changes = new Map(others.flatMap((other) => [...other.changes]));
  return found?.similar.map((similar, i) => {
    const passages = similar.passages.filter(({ passage }) => isAdded(passage, changes.get(passage.path)));
    return { ...similar, passages: passages.slice(0, texts[i]!.query.limit), total: passages.length };
  });
}

/** Maximum number of passages to find per text. Those that no worktree has added are removed afterwards. */
const maxSearched = 100;

const nothing: SimilarPassages = {
  tokens: 0,
  hasNoWindow: false,
  passages: [],
  total: 0,
  leftOut: { documents: 0, windows: 0 },
};

function isAdded(passage: SimilarPassage['passage'], change: FileChange | undefined): boolean {
  return linesAdded(addedRanges(change), passage) >= minAdded * (passage.endLine - passage.startLine + 1);
}

/** Returns the ranges of added lines in a file. For a new file, the range ends beyond its last line. */
export function addedRanges(change: FileChange | undefined): LineRange[] {
  return (change?.hunks ?? [])
    .filter(({ count }) => count > 0)
    .map(({ start, count }) => ({ startLine: start, endLine: start + count - 1 }));
}
