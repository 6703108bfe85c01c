/** `.git` files. In linked worktrees and submodules, they contain the path of the Git folder. */

/** Reason to skip linked worktrees. Their files repeat those of the main worktree. */
export const linkedWorktree = 'a linked Git worktree';

/** Returns the path after `gitdir:`. It may be relative to the folder of the file. */
export function gitFolderIn(text: string): string | undefined {
  return /^gitdir: (.+)$/m.exec(text)?.[1];
}

/** Name of a file that distinguishes linked worktrees: their Git folders contain it, but those of submodules do not. */
export const commonFolderFile = 'commondir';

/**
 * True if the path of a Git folder looks like that of a linked worktree. Used only if the Git folder cannot be read;
 * otherwise, `commonFolderFile` decides. The path `modules/worktrees/x` belongs to a submodule.
 */
export function looksLikeWorktree(gitFolder: string): boolean {
  return /(?<![\\/]modules)[\\/]worktrees[\\/][^\\/]+[\\/]?\s*$/.test(gitFolder);
}
