/** What the scripts share: where the project is, how they find a folder, and how they speak of time. */
import { existsSync, readFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';

/** The project's folder: absolute. */
export const root = nearestPackage(import.meta.dirname);

const manifest = /** @type {{ version: string }} */ (JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')));

/** As in package.json. */
export const version = manifest.version;

/**
 * The nearest folder with a package.json, from here upwards: this file runs from scripts, and from bundles in dist.
 *
 * @param {string} folder
 * @returns {string}
 */
function nearestPackage(folder) {
  return existsSync(path.join(folder, 'package.json')) ? folder : nearestPackage(path.dirname(folder));
}

/** True if the arguments of a program ask for its help. */
export const asksForHelp = process.argv.slice(2).some((argument) => argument === '--help' || argument === '-h');

/**
 * Returns the first comment of a program, which describes its options.
 *
 * @param {string} file  absolute path
 */
export function helpOf(file) {
  const [, comment = ''] = /\/\*\*(.*?)\*\//s.exec(readFileSync(file, 'utf8')) ?? [];
  return comment.replaceAll(/^ *\* ?/gm, '').trim();
}

/**
 * Whether a folder is there.
 *
 * @param {string} folder
 */
export async function isFolder(folder) {
  return stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

/**
 * The first of some program names that a folder of PATH holds, as an absolute path.
 *
 * @param {readonly string[]} names  without the ending that Windows wants
 */
export async function findProgram(names) {
  const endings = process.platform === 'win32' ? ['.exe', '.cmd'] : [''];
  for (const name of names) {
    for (const folder of (process.env['PATH'] ?? '').split(path.delimiter)) {
      for (const ending of endings) {
        const file = path.join(folder, name + ending);
        const found = await stat(file).catch(() => undefined);
        if (found?.isFile()) return file;
      }
    }
  }
  return undefined;
}

/**
 * Whether this machine can show a window.
 */
export function hasDesktop() {
  if (process.platform === 'win32' || process.platform === 'darwin') return true;
  return Boolean(process.env['DISPLAY'] || process.env['WAYLAND_DISPLAY']);
}
