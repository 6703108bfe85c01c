/** `.git` files, which refer to the repository folder in linked worktrees and submodules. */

/** Reason to skip linked worktrees, which repeat the files of their repository. */
export const linkedWorktree = 'a linked Git worktree';

/** The path after `gitdir:`, which may be relative to the folder of the file. */
export function gitFolderIn(text: string): string | undefined {
  return /^gitdir: (.+)$/m.exec(text)?.[1];
}

/** Name of a file that the Git folder of a linked worktree contains, and that of a submodule does not. */
export const commonFolderFile = 'commondir';

/**
 * True if the path of a Git folder looks like that of a linked worktree. `modules/worktrees/x` is a submodule with that
 * path. For a Git folder that can be read, `commonFolderFile` decides: a submodule may be in a folder `worktrees`.
 */
export function looksLikeWorktree(gitFolder: string): boolean {
  return /(?<![\\/]modules)[\\/]worktrees[\\/][^\\/]+[\\/]?\s*$/.test(gitFolder);
}
