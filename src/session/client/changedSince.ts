/** Lists the files that differ from a commit, in all folders on disk. */
import type { ChangedFile } from '../../review/gate/changes.ts';
import type { Root } from '../protocol/messages.ts';
import type { EngineClient } from './engineClient.ts';

/** Added lines of the files that differ from a commit, by path as in the report. */
export type AddedLines = ReadonlyMap<string, ChangedFile['added']>;

/**
 * Returns the files that differ from a commit. Returns an error message if this fails.
 *
 * @throws Error if the worker has ended
 */
export async function changedSince(
  client: Pick<EngineClient, 'call'>,
  roots: readonly Root[],
  since: string,
): Promise<AddedLines | { readonly problem: string }> {
  const files = new Map<string, ChangedFile['added']>();
  for (const root of roots) {
    if (!('folder' in root)) continue;
    const answer = await client.call('changedFiles', { folder: root.folder, since });
    if (answer.files === undefined) return { problem: answer.problem };
    for (const { path, added } of answer.files) files.set(root.prefix + path, added);
  }
  return files;
}
