/** Lists the files that differ from a commit, in all folders on disk. */
import type { Root } from '../protocol/messages.ts';
import type { EngineClient } from './engineClient.ts';

/**
 * Returns the paths, as in the report, of the files that differ from a commit. Returns an error message if this fails.
 *
 * @throws Error if the worker has ended
 */
export async function changedSince(
  client: Pick<EngineClient, 'call'>,
  roots: readonly Root[],
  since: string,
): Promise<ReadonlySet<string> | { readonly problem: string }> {
  const paths = new Set<string>();
  for (const root of roots) {
    if (!('folder' in root)) continue;
    const answer = await client.call('changedFiles', { folder: root.folder, since });
    if (answer.paths === undefined) return { problem: answer.problem };
    for (const path of answer.paths) paths.add(root.prefix + path);
  }
  return paths;
}
