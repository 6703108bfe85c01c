/**
 * Place of an index in a cache folder. The index of a new worktree begins as a copy of that of another worktree of the
 * same repository: documents have digests of their content, so files with the same content are not lexed again.
 */
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { commonFolderFile, gitFolderIn } from './gitFile.ts';
import { repositoryFoldersAround } from './ruleFiles.ts';
import { beginTemporary } from './temporaryFile.ts';

/**
 * Returns the absolute path of the index of some folders, without extensions. It may not exist yet.
 *
 * @param cache    absolute path of the cache folder
 * @param folders  absolute paths
 */
export function placeOfIndex(cache: string, folders: readonly string[]): string {
  const place = placeIn(cache, [...folders].sort());
  if (folders.length === 1) adoptIndex(place, folders[0]!, (folder) => placeIn(cache, [folder]));
  return place;
}

function placeIn(cache: string, folders: readonly string[]): string {
  const digest = createHash('sha256').update(folders.join('\0')).digest('hex');
  return path.join(cache, digest.slice(0, 16));
}

/**
 * Copies the most recent index of the same folder in another worktree, if there is none at the place. Failures are
 * ignored: the index is then made from nothing.
 */
function adoptIndex(place: string, folder: string, placeOf: (folder: string) => string): void {
  try {
    if (filesOf(place).length > 0) return;
    const [newest] = siblingsOf(folder)
      .flatMap((sibling) => {
        const other = placeOf(sibling);
        const files = filesOf(other);
        return files.length === 0 ? [] : [{ other, files, time: Math.max(...files.map(timeOf)) }];
      })
      .sort((a, b) => b.time - a.time);
    if (newest === undefined) return;
    mkdirSync(path.dirname(place), { recursive: true });
    for (const file of newest.files) copyWhole(file, place + file.slice(newest.other.length));
  } catch {
    // Another program may replace or remove the files meanwhile.
  }
}

/** Returns the folders that correspond to a folder in the other worktrees of its repository. */
function siblingsOf(folder: string): string[] {
  const top = repositoryFoldersAround(folder)[0] ?? folder;
  const common = commonFolderOf(path.join(top, '.git'));
  if (common === undefined) return [];
  const linked = path.join(common, 'worktrees');
  const tops = (existsSync(linked) ? readdirSync(linked) : []).flatMap((name) => {
    const pointer = path.join(linked, name, 'gitdir');
    if (!existsSync(pointer)) return [];
    // The file has the path of the worktree's `.git`, which may be relative to its own folder.
    return [path.dirname(path.resolve(path.dirname(pointer), readFileSync(pointer, 'utf8').trim()))];
  });
  // The repository of a bare clone is in no worktree.
  if (path.basename(common) === '.git') tops.push(path.dirname(common));
  return tops.filter((other) => other !== top).map((other) => path.join(other, path.relative(top, folder)));
}

/** Returns the folder of a repository that its worktrees share; `undefined` if there is no repository. */
function commonFolderOf(dotGit: string): string | undefined {
  if (!existsSync(dotGit)) return undefined;
  if (statSync(dotGit).isDirectory()) return dotGit;
  const target = gitFolderIn(readFileSync(dotGit, 'utf8'));
  if (target === undefined) return undefined;
  const gitFolder = path.resolve(path.dirname(dotGit), target);
  const common = path.join(gitFolder, commonFolderFile);
  return existsSync(common) ? path.resolve(gitFolder, readFileSync(common, 'utf8').trim()) : undefined;
}

/** Returns the files of an index. */
function filesOf(place: string): string[] {
  const folder = path.dirname(place);
  if (!existsSync(folder)) return [];
  const start = `${path.basename(place)}.`;
  return readdirSync(folder).flatMap((name) => (name.startsWith(start) ? [path.join(folder, name)] : []));
}

function timeOf(file: string): number {
  return statSync(file).mtimeMs;
}

/** Copies a file so that another program never sees a part of it. */
function copyWhole(from: string, to: string): void {
  const file = beginTemporary(to);
  try {
    copyFileSync(from, file.name);
    file.commit();
  } finally {
    file.discard();
  }
}
