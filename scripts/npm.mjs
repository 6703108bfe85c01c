/** npm as the scripts and tests call it: the one that runs them, or the one on PATH. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/**
 * Runs npm to its end.
 *
 * @param {readonly string[]} given
 * @param {{ cwd: string, env?: NodeJS.ProcessEnv }} options
 * @returns {Promise<string>}  standard output
 * @throws when it ends with another code than 0; the error has what it wrote
 */
export async function npm(given, { cwd, env = process.env }) {
  const script = process.env['npm_execpath'];
  const [program, first] = script?.endsWith('.js') ? [process.execPath, [script]] : ['npm', []];
  // Windows has npm as a script of its command processor.
  const shell = program === 'npm' && process.platform === 'win32';
  const { stdout } = await promisify(execFile)(program, [...first, ...given], { cwd, env, shell });
  return stdout;
}

/**
 * The files that `npm pack` puts into the package of a folder, relative to it, as its .npmignore decides.
 *
 * @param {string} cwd
 * @returns {Promise<string[]>}
 */
export async function packedFiles(cwd) {
  const [{ files }] = JSON.parse(await npm(['pack', '--dry-run', '--json', '--silent', '--ignore-scripts'], { cwd }));
  return files.map((/** @type {{ path: string }} */ file) => file.path);
}
