/** Finds near-duplicates of a text among the lines that other worktrees of the followed folders have added. */
import type { SearchedText } from '../../core/engine/windowIndex.ts';
import { type OtherWorktree, otherWorktrees, searchWorktrees } from '../../review/check/otherWorktrees.ts';
import type { ScanRequest } from '../../scan/indexer/scan.ts';
import { Git } from '../../scan/io/git.ts';
import type { FindParams, FindResult } from '../protocol/calls.ts';
import type { Root } from '../protocol/messages.ts';
import { searchedText } from './findSimilar.ts';

export async function findInWorktrees(
  request: ScanRequest | undefined,
  roots: readonly Root[],
  params: FindParams,
): Promise<FindResult> {
  const started = performance.now();
  if (request === undefined) {
    return { similar: undefined, reason: 'noIndex', problem: 'There is no index of a completed scan.' };
  }
  const textToFind = searchedText(request.lexicons, { ...request, reader: request.system.reader }, params);
  if ('problem' in textToFind) return { similar: undefined, reason: 'refused', problem: textToFind.problem };
  const others: OtherWorktree[] = [];
  for (const root of roots) {
    const git = 'folder' in root ? await Git.open(root.folder) : undefined;
    if (git === undefined || 'problem' in git || !('folder' in root)) continue;
    others.push(...(await otherWorktrees(root.folder, git, root.sources, () => false)));
  }
  // `origin` excludes the text's own place from the results. It is in this worktree, which is not searched.
  const text: SearchedText = { ...textToFind, query: { ...textToFind.query, origin: undefined } };
  const [similar] = (await searchWorktrees(others, [text], request, () => false)) ?? [];
  if (similar === undefined) return { similar, reason: 'noIndex', problem: 'The search was cancelled.' };
  return { similar, elapsedMs: performance.now() - started };
}
