/** Arguments of a server, and the workspace that it follows. */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Log } from '../../session/client/engineClient.ts';
import { defaultOptions } from '../../core/engine/options.ts';
import { findFolders, Folders } from './folders.ts';
import { storageFor } from './storage.ts';
import { Workspace } from './workspace.ts';

export interface ServedFolders {
  /** As given; at least one. */
  readonly roots: readonly string[];
  /** Folder of the index, or false to store nothing; `undefined` for the system's cache folder. */
  readonly cache: string | false | undefined;
}

/** The worker's bundle, beside this one. */
const workerScript = fileURLToPath(new URL('worker.js', import.meta.url));

/** Starts a workspace, or returns an error message about the folders. */
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
