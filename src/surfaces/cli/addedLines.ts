/** Lists the lines of a working tree that are not committed. */
import { changesSince } from '../../review/check/gitBase.ts';
import { type ChangedFile, changedFilesIn } from '../../review/gate/changes.ts';
import { Git } from '../../scan/io/git.ts';
import { GitFailure } from '../../scan/io/gitFailure.ts';

/**
 * Returns the lines that files add to the last commit, by path relative to a folder. Returns an empty map if there is
 * no Git, no repository, or no commit.
 */
export async function addedLines(folder: string): Promise<ReadonlyMap<string, ChangedFile['added']>> {
  const git = await Git.open(folder);
  const head = 'problem' in git ? undefined : await git.commitOf('HEAD');
  if ('problem' in git || head === undefined) return new Map();
  try {
    const { files } = await changesSince(git, head);
    return new Map(changedFilesIn(files).map(({ path, added }) => [path, added]));
  } catch (error) {
    if (error instanceof GitFailure) return new Map();
    throw error;
  }
}
