/** Runs npm for scripts and tests: the npm that runs them, or the npm on PATH. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/**
 * Runs npm to its end.
 *
 * @param {readonly string[]} npmArguments
 * @param {{ cwd: string, env?: NodeJS.ProcessEnv }} options
 * @returns {Promise<string>}  standard output
 * @throws if the exit code is not 0; the error contains the output
 */
export async function npm(npmArguments, { cwd, env = process.env }) {
  const script = process.env['npm_execpath'];
  const [program, first] = script?.endsWith('.js') ? [process.execPath, [script]] : ['npm', []];
  // On Windows, npm is a script of the command processor.
  const shell = program === 'npm' && process.platform === 'win32';
  const { stdout } = await promisify(execFile)(program, [...first, ...npmArguments], { cwd, env, shell });
  return stdout;
}

/**
 * Returns the relative paths of the files that `npm pack` includes, according to .npmignore.
 *
 * @param {string} cwd
 * @returns {Promise<string[]>}
 */
export async function packedFiles(cwd) {
  const [{ files }] = JSON.parse(await npm(['pack', '--dry-run', '--json', '--silent', '--ignore-scripts'], { cwd }));
  return files.map((/** @type {{ path: string }} */ file) => file.path);
}
