/** Reads `.git` files, which linked worktrees and submodules have. They contain the path of the Git folder. */

/** Reason to skip linked worktrees. Their files repeat those of the main worktree. */
export const linkedWorktree = 'a linked Git worktree';

/** Returns the path after `gitdir:` in the text of a `.git` file. It may be relative to the folder of that file. */
export function gitFolderIn(text: string): string | undefined {
  return /^gitdir: (.+)$/m.exec(text)?.[1];
}

/** Name of a file that only the Git folders of linked worktrees contain, not those of submodules. */
export const commonFolderFile = 'commondir';

/**
 * Returns true if the path of a Git folder looks like that of a linked worktree. Only used if the Git folder cannot be
 * read; otherwise, `commonFolderFile` is conclusive. A path like `modules/worktrees/x` belongs to a submodule.
 */
export function looksLikeWorktree(gitFolder: string): boolean {
  return /(?<![\\/]modules)[\\/]worktrees[\\/][^\\/]+[\\/]?\s*$/.test(gitFolder);
}
