/** Lists the files of a folder that differ from a commit, using Git. */
import { changesSince } from '../../review/check/gitBase.ts';
import { changedFilesIn } from '../../review/gate/changes.ts';
import { Git } from '../../scan/io/git.ts';
import { GitFailure } from '../../scan/io/gitFailure.ts';
import type { ChangedFiles, ChangedFilesParams } from '../protocol/calls.ts';

export async function changedFiles({ folder, since }: ChangedFilesParams): Promise<ChangedFiles> {
  const git = await Git.open(folder);
  if ('problem' in git) return { files: undefined, problem: git.problem };
  try {
    const base = await git.mergeBase(since);
    if ('problem' in base) return { files: undefined, problem: base.problem };
    const { files } = await changesSince(git, base.commit);
    return { files: changedFilesIn(files) };
  } catch (error) {
    // Git fails in a partial clone without a connection, for example.
    if (!(error instanceof GitFailure)) throw error;
    return { files: undefined, problem: error.message };
  }
}
