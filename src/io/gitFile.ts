/** `.git` files, which refer to the repository folder in linked worktrees and submodules. */

/** Reason to skip linked worktrees, which repeat the files of their repository. */
export const linkedWorktree = 'a linked Git worktree';

/** The path after `gitdir:`, which may be relative to the folder of the file. */
export function gitFolderIn(text: string): string | undefined {
  return /^gitdir: (.+)$/m.exec(text)?.[1];
}

/** True if the file is that of a linked worktree, not of a submodule: `modules/worktrees/x` is a submodule with that path. */
export function isOfWorktree(text: string): boolean {
  return /(?<![\\/]modules)[\\/]worktrees[\\/][^\\/]+[\\/]?\s*$/.test(gitFolderIn(text) ?? '');
}
