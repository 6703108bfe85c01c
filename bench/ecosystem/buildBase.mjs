/** Builds another version of the project beside this one. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root } from '../../scripts/project.mjs';

/**
 * Checks out a version into a temporary worktree and builds it there.
 *
 * @param {string} ref
 * @returns {{ program: string, remove: () => void }}  the program, and a function that removes the worktree
 */
export function buildBase(ref) {
  const git = (/** @type {readonly string[]} */ ...options) =>
    execFileSync('git', options, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  const folder = mkdtempSync(path.join(tmpdir(), 'kindred-base-'));
  const remove = () => {
    rmSync(folder, { recursive: true, force: true });
    git('worktree', 'prune');
  };
  try {
    git('worktree', 'add', '--quiet', '--detach', folder, ref);
    const [ours, theirs] = [root, folder].map((where) => readFileSync(path.join(where, 'package-lock.json'), 'utf8'));
    const modules = path.join(root, 'node_modules');
    if (ours === theirs && existsSync(modules)) symlinkSync(modules, path.join(folder, 'node_modules'), 'junction');
    else execFileSync('npm', ['ci', '--silent'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
    execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  } catch (error) {
    remove();
    throw error;
  }
  return { program: path.join(folder, 'dist/cli.js'), remove };
}
