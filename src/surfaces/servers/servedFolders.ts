/** Command-line arguments of a server, and the workspace it serves. */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Log } from '../../session/client/engineClient.ts';
import { defaultOptions } from '../../core/engine/options.ts';
import { findFolders, Folders } from './folders.ts';
import { storageFor } from './storage.ts';
import { Workspace } from './workspace.ts';

export interface ServedFolders {
  /** Folders as the user entered them; at least one. */
  readonly roots: readonly string[];
  /** Folder in which to store the index; false to store none; `undefined` for the system's cache folder. */
  readonly cache: string | false | undefined;
}

/** Path of the worker's bundle, which is in the same folder as this bundle. */
const workerScript = fileURLToPath(new URL('worker.js', import.meta.url));

/** Starts the workspace of a server. Returns an error message if a folder is invalid. */
export function serveWorkspace(
  { roots, cache }: ServedFolders,
  { clientReportsChanges }: { readonly clientReportsChanges: boolean },
  log: Log,
): Workspace | { readonly problem: string } {
  const folders = findFolders(roots);
  if ('problem' in folders) return folders;
  const storage =
    cache === false ? undefined : cache === undefined ? storageFor(folders, process.env) : path.resolve(cache);
  const settings = {
    folders: new Folders(folders),
    options: defaultOptions,
    storage,
    clientReportsChanges,
  };
  const workspace = new Workspace(workerScript, settings, log);
  workspace.start();
  return workspace;
}
