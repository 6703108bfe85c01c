/** Files that the hook keeps in the user's cache folder, by the root of a tree. */
import { readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { hashBytes } from '../../core/engine/languages/hashBytes.ts';
import { cacheFolder } from '../../scan/io/cacheFolder.ts';
import { repositoryFoldersAround } from '../../scan/io/ruleFiles.ts';

/** Returns the root of a folder's tree: the top of its repository, or the folder itself. */
export function rootOf(folder: string): string {
  return repositoryFoldersAround(folder)[0] ?? folder;
}

/** Returns the folder of the indexes of hooks. */
export function hookCache(env: NodeJS.ProcessEnv): string {
  return path.join(cacheFolder(env), 'kindred', 'hook');
}

/** Returns the file of the index of a tree. */
export function unitsOf(cache: string, root: string): string {
  return path.join(cache, `${hashOf(realpathSync(root))}.units`);
}

/** Returns the file with the address of the server of a tree. */
export function addressOf(cache: string, root: string): string {
  return path.join(cache, `${hashOf(realpathSync(root))}.address`);
}

/** Returns the address in a file; `undefined` if there is no server. */
export function readAddress(place: string): string | undefined {
  try {
    return readFileSync(place, 'utf8');
  } catch {
    return undefined;
  }
}

/** Returns the folder of the marks of sessions. */
export function marksOf(cache: string): string {
  return path.join(cache, 'sessions');
}

/** Returns a name for a file. `node:crypto` would add 4 ms to every start. */
export function hashOf(text: string): string {
  const bytes = Buffer.from(text, 'utf8');
  return [1, 2].map((seed) => hashBytes(bytes, seed).toString(16).padStart(7, '0')).join('');
}
