/** The program's sources for benches that time their parts; `node scripts/build.mjs` makes the kernel first. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { root } from '../scripts/project.mjs';

/**
 * Names of the sources, bundled from them.
 *
 * @param {Readonly<Record<string, readonly string[]>>} from  the names wanted of each file, by its path in `src`
 */
export async function importSources(from) {
  return import(pathToFileURL(await bundleSources(from)).href);
}

/**
 * The same as a file, for another process to import.
 *
 * @param {Readonly<Record<string, readonly string[]>>} from
 * @returns {Promise<string>}  its path; it is there until this process ends
 */
export async function bundleSources(from) {
  const contents = Object.entries(from)
    .map(([file, names]) => `export { ${names.join(', ')} } from './${file}';`)
    .join('\n');
  const folder = mkdtempSync(path.join(tmpdir(), 'kindred-bench-'));
  const outfile = path.join(folder, 'sources.mjs');
  // Until the end: what is stored of an index tells which program made it, so the program reads itself.
  process.on('exit', () => rmSync(folder, { recursive: true }));
  await build({
    stdin: { contents, resolveDir: path.join(root, 'src') },
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    loader: { '.wasm': 'binary' },
    mainFields: ['module', 'main'],
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
    outfile,
  });
  return outfile;
}
