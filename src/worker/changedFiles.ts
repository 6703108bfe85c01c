/** What Git says has changed in a folder. */
import { changesSince } from '../check/gitBase.ts';
import { Git } from '../io/git.ts';
import type { ChangedRequest, ChangedResponse } from '../protocol/messages.ts';

/** Never rejects: a mistake of ours is told as one. */
export async function changedFiles({ id, folder, since }: ChangedRequest): Promise<ChangedResponse> {
  const refuse = (problem: string): ChangedResponse => ({ type: 'changed', id, paths: undefined, problem });
  try {
    const git = await Git.open(folder);
    if ('problem' in git) return refuse(git.problem);
    const base = await git.mergeBase(since);
    if ('problem' in base) return refuse(base.problem);
    const { files } = await changesSince(git, base.commit, false);
    return { type: 'changed', id, paths: files.flatMap(({ path }) => (path === undefined ? [] : [path])) };
  } catch (error) {
    return refuse(String(error));
  }
}
