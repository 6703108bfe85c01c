/** Finds the worktrees of a repository by reading Git's files, because starting Git would take longer. */
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { commonFolderFile, gitFolderIn } from './gitFile.ts';
import { repositoryFoldersAround } from './ruleFiles.ts';

/** Returns the top folder of the worktree around a folder, or the folder itself if it is in no repository. */
export function rootOf(folder: string): string {
  return repositoryFoldersAround(folder)[0] ?? folder;
}

/**
 * Returns the folders that correspond to a folder in the other worktrees of its repository. They may not exist. Ignores
 * a worktree unless it and the repository refer to each other, because a forged file could refer to any folder.
 */
export function inOtherWorktrees(folder: string): string[] {
  const top = rootOf(folder);
  const gitFolder = gitFolderOf(top);
  if (gitFolder === undefined) return [];
  const common = commonFolderOf(gitFolder);
  const linked = path.join(common, 'worktrees');
  const tops = (existsSync(linked) ? readdirSync(linked) : []).flatMap((name) => {
    const pointer = path.join(linked, name, 'gitdir');
    if (!existsSync(pointer)) return [];
    // The file contains the path of the worktree's `.git`, which may be relative to the folder of the file.
    return [path.dirname(path.resolve(path.dirname(pointer), readFileSync(pointer, 'utf8').trim()))];
  });
  // If the repository is not bare, its main worktree is the folder that contains `.git`.
  if (path.basename(common) === '.git') tops.push(path.dirname(common));
  return tops
    .filter((other) => other !== top && isWorktreeOf(common, other))
    .map((other) => path.join(other, path.relative(top, folder)));
}

function isWorktreeOf(common: string, top: string): boolean {
  const gitFolder = gitFolderOf(top);
  return gitFolder !== undefined && realpathSync(commonFolderOf(gitFolder)) === realpathSync(common);
}

/** Returns the folder with Git's data about a worktree. Returns `undefined` if the folder is not a worktree. */
export function gitFolderOf(top: string): string | undefined {
  const dotGit = path.join(top, '.git');
  if (!existsSync(dotGit)) return undefined;
  if (statSync(dotGit).isDirectory()) return dotGit;
  const target = gitFolderIn(readFileSync(dotGit, 'utf8'));
  return target === undefined ? undefined : path.resolve(top, target);
}

/** Returns the Git folder that all worktrees of a repository share. */
function commonFolderOf(gitFolder: string): string {
  const file = path.join(gitFolder, commonFolderFile);
  return existsSync(file) ? path.resolve(gitFolder, readFileSync(file, 'utf8').trim()) : gitFolder;
}
