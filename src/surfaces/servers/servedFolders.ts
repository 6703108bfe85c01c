/** Arguments of a server, and the workspace that the server follows. */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Log } from '../../session/client/engineClient.ts';
import { defaultOptions } from '../../core/engine/options.ts';
import { findFolders, Folders } from './folders.ts';
import { storageFor } from './storage.ts';
import { Workspace } from './workspace.ts';

export interface ServedFolders {
  /** Folders, as the user has given them. There is at least one. */
  readonly roots: readonly string[];
  /** Folder of the index; false to store no index. `undefined` for the system's cache folder. */
  readonly cache: string | false | undefined;
}

/** Path of the worker's bundle, which is in the same folder. */
const workerScript = fileURLToPath(new URL('worker.js', import.meta.url));

/** Starts a workspace. Returns an error message if the folders are invalid. */
export function serveWorkspace(
  { roots, cache }: ServedFolders,
  { isToldOfChanges }: { readonly isToldOfChanges: boolean },
  log: Log,
): Workspace | { readonly problem: string } {
  const folders = findFolders(roots);
  if ('problem' in folders) return folders;
  const storage =
    cache === false ? undefined : cache === undefined ? storageFor(folders, process.env) : path.resolve(cache);
  const settings = { folders: new Folders(folders), options: defaultOptions, storage, isToldOfChanges };
  const workspace = new Workspace(workerScript, settings, log);
  workspace.start();
  return workspace;
}
