/** Sources of the program for benches that time parts of it. `node scripts/build.mjs` must have built the kernel. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { root, wasmOfPackages } from '../scripts/project.mjs';

/**
 * Bundles and imports exports of the sources.
 *
 * @param {Readonly<Record<string, readonly string[]>>} from  names of the exports by the path of their file in `src`
 */
export async function importSources(from) {
  return import(pathToFileURL(await bundleSources(from)).href);
}

/**
 * Bundles exports of the sources into a file that another process can import.
 *
 * @param {Readonly<Record<string, readonly string[]>>} from
 * @returns {Promise<string>}  path of the file, which exists until this process ends
 */
export async function bundleSources(from) {
  const contents = Object.entries(from)
    .map(([file, names]) => `export { ${names.join(', ')} } from './${file}';`)
    .join('\n');
  const folder = mkdtempSync(path.join(tmpdir(), 'kindred-bench-'));
  const outfile = path.join(folder, 'sources.mjs');
  // The folder is removed at exit, because the program reads its own files: a stored index contains the program's
  // version.
  process.on('exit', () => rmSync(folder, { recursive: true }));
  await build({
    stdin: { contents, resolveDir: path.join(root, 'src') },
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    loader: { '.wasm': 'binary' },
    alias: wasmOfPackages,
    mainFields: ['module', 'main'],
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
    outfile,
  });
  return outfile;
}
