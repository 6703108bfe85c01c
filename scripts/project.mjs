/** Functions that the scripts share: the project's folder and version, and searches for folders and programs. */
import { existsSync, readFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';

/** Absolute path of the project's folder. */
export const root = nearestPackage(import.meta.dirname);

const manifest = /** @type {{ version: string }} */ (JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')));

/** Version in package.json. */
export const version = manifest.version;

/** Program of the TypeScript compiler. The package `typescript` is an older version with an API, which ESLint needs. */
export const typeScript = path.join(root, 'node_modules/typescript-7/bin/tsc');

/** Alias for esbuild: xxhash-wasm contains its WebAssembly module, but does not export its path. */
export const wasmOfPackages = Object.fromEntries(
  ['xxhash-wasm/workerd/xxhash.wasm'].map((name) => [name, path.join(root, 'node_modules', name)]),
);

/**
 * Returns the nearest parent folder with a package.json, because this file runs from scripts and from bundles in dist.
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
 * Resolves to true if a folder exists.
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
 * Returns the absolute path of the first of these programs on PATH.
 *
 * @param {readonly string[]} names  without the extension on Windows
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
 * Returns true if this machine can show a window.
 */
export function hasDesktop() {
  if (process.platform === 'win32' || process.platform === 'darwin') return true;
  return Boolean(process.env['DISPLAY'] || process.env['WAYLAND_DISPLAY']);
}
