/**
 * Builds all packages from committed files only: a clone in an empty folder, with the installed dependencies of this
 * checkout.
 */
import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { root } from './project.mjs';

/**
 * Absolute paths of the clone, of its two packages, and of the page to try Kindred.
 *
 * @typedef {{ folder: string, vsix: string, npm: string, page: string }} Packages
 */

/**
 * Clones the last commit of a repository, and builds and packs it there.
 *
 * @param {string} repository
 * @param {string} folder  path of the clone, which must not exist
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Packages}
 * @throws if Git, the build, or the packing fails; their output is on standard error
 */
export function packClone(repository, folder, env = process.env) {
  /** @type {import('node:child_process').StdioOptions} */
  const stdio = ['ignore', 'ignore', 'inherit'];
  execFileSync('git', ['clone', '--quiet', repository, folder], { stdio });
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'), 'junction');
  const run = (/** @type {string} */ script, /** @type {string[]} */ ...options) =>
    execFileSync(process.execPath, [path.join(folder, 'scripts', script), ...options], { cwd: folder, env, stdio });
  run('package.mjs');
  run('packageNpm.mjs', '--no-build');
  const built = (/** @type {string} */ file) => path.join(folder, 'dist', file);
  return { folder, vsix: built('kindred.vsix'), npm: built('kindred.tgz'), page: built('try/index.html') };
}
