/** Paths of the files that the hook keeps in the user's cache folder, one set for each tree. */
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { hashBytes } from '../../core/engine/languages/hashBytes.ts';
import { cacheFolder } from '../../scan/io/cacheFolder.ts';
import { inOtherWorktrees, rootOf } from '../../scan/io/worktrees.ts';
import type { AgentEvent } from './hookEvent.ts';

/**
 * Returns the root of the tree that an event is about. This is the agent's tree, unless the agent has written a file
 * outside of it: some agents work in a folder that contains several repositories.
 */
export function rootOfEvent({ event, cwd }: AgentEvent): string {
  const root = rootOf(cwd);
  if (event.type !== 'written') return root;
  const { file } = event.write;
  const isInside = file.startsWith(root.endsWith(path.sep) ? root : root + path.sep);
  if (isInside && isRepository(root)) return root;
  const own = rootOf(path.dirname(file));
  return isRepository(own) ? own : root;
}

function isRepository(folder: string): boolean {
  return existsSync(path.join(folder, '.git'));
}

/** Returns the folder in which hooks keep their indexes. */
export function hookCache(env: NodeJS.ProcessEnv): string {
  return path.join(cacheFolder(env), 'kindred', 'hook');
}

/** Returns the path of a tree's index. */
export function unitsOf(cache: string, root: string): string {
  return path.join(cache, `${hashOf(realpathSync(root))}.units`);
}

/**
 * Returns the path of a tree's index. If there is none yet, returns that of another worktree of its repository, which
 * has nearly the same functions.
 */
export function nearestUnitsOf(cache: string, root: string): string {
  const own = unitsOf(cache, root);
  return existsSync(own) ? own : (otherUnitsOf(cache, root)?.place ?? own);
}

/** Returns an index of another worktree of the repository, and the top folder of that worktree. */
export function otherUnitsOf(
  cache: string,
  root: string,
): { readonly place: string; readonly top: string } | undefined {
  return inOtherWorktrees(root)
    .filter((top) => existsSync(top))
    .map((top) => ({ place: unitsOf(cache, top), top }))
    .find(({ place }) => existsSync(place));
}

/** Returns the path of the file that contains the address of a tree's server. */
export function addressOf(cache: string, root: string): string {
  return path.join(cache, `${hashOf(realpathSync(root))}.address`);
}

/** Reads a server's address from a file; returns `undefined` if there is no server. */
export function readAddress(place: string): string | undefined {
  try {
    return readFileSync(place, 'utf8');
  } catch {
    return undefined;
  }
}

/** Returns the folder with the files of agent sessions: their notes, and marks of what was answered. */
export function marksOf(cache: string): string {
  return path.join(cache, 'sessions');
}

/** Creates an empty file. Returns false if it exists already; only one of several processes can create it. */
export function createMark(file: string): boolean {
  mkdirSync(path.dirname(file), { recursive: true });
  try {
    closeSync(openSync(file, 'wx'));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  }
}

/** Returns a hash of a text for use as a file name. Importing `node:crypto` instead would add 4 ms to every start. */
export function hashOf(text: string): string {
  const bytes = Buffer.from(text, 'utf8');
  return [1, 2].map((seed) => hashBytes(bytes, seed).toString(16).padStart(7, '0')).join('');
}
