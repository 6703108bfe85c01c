/**
 * Splits the bundles for Node into chunks. esbuild creates a chunk for the files that the same entry points reach, so
 * dozens of entry points with a few common files would give a hundred chunks. Each loaded file takes Node almost a
 * millisecond. Therefore, entry points that are loaded together are changed to reach the same files. The result is
 * about forty chunks, of which a scan loads eleven.
 */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { build, transform } from 'esbuild';
import { root } from './project.mjs';

const namespace = 'loaded-together';

const extension = 'src/surfaces/vscode/extension.ts';
/** Entry points of `kindred` itself, and of the code that a scan loads next. */
const commandLine = 'src/surfaces/cli/main.ts';
const plainScan = ['src/scan/indexer/scan.ts', 'src/review/check/ignoring.ts'];
/** Entry points that are loaded without a scan. */
const withoutScan = [
  commandLine,
  'src/surfaces/cli/runServer.ts',
  'src/surfaces/cli/runInit.ts',
  'src/surfaces/cli/loadOrg.ts',
];
/** Other entry points, with the entry points whose files they load too. */
const programs = {
  'src/session/worker/main.ts': plainScan,
  'src/scan/indexer/scanThreadMain.ts': plainScan.slice(0, 1),
  'src/organisation/repositories/openSearch.ts': plainScan,
  'src/surfaces/servers/mcp/serveMcp.ts': ['src/surfaces/servers/lsp/serveLsp.ts'],
  'src/surfaces/servers/lsp/serveLsp.ts': ['src/surfaces/servers/mcp/serveMcp.ts'],
};

/**
 * Returns options with which bundles share chunks.
 *
 * @param {import('esbuild').BuildOptions} buildOptions
 * @param {string} chunkNames
 */
function withChunks(buildOptions, chunkNames) {
  return { ...buildOptions, splitting: true, chunkNames, metafile: /** @type {const} */ (true) };
}

/**
 * Bundles entry points with shared chunks.
 *
 * @param {import('esbuild').BuildOptions} buildOptions
 * @returns {Promise<import('esbuild').BuildResult & { metafile: import('esbuild').Metafile }>}
 */
export async function buildInChunks(buildOptions) {
  const options = withChunks(buildOptions, 'chunk-[hash]');
  const plugins = [
    ...(buildOptions.plugins ?? []),
    withoutPrograms(),
    kernelFile(path.join(root, buildOptions.outdir ?? '')),
  ];
  const { metafile } = await build({ ...options, plugins, write: false });
  return build({ ...options, plugins: [...plugins, smallPackages(), loadedTogether(companyOf(metafile))] });
}

/**
 * Bundles the extension. The start loads the entry point and one chunk. Files that are loaded later import this chunk.
 *
 * @param {import('esbuild').BuildOptions} buildOptions
 * @returns {Promise<import('esbuild').BuildResult & { metafile: import('esbuild').Metafile }>}
 */
export async function buildExtension(buildOptions) {
  const options = withChunks(buildOptions, 'extension-[hash]');
  const { metafile } = await build({ ...options, write: false });
  const company = reachedFrom(metafile, [extension]).filter((file) => file !== extension);
  const plugins = [smallPackages(), loadedTogether(new Map(loadedLater(metafile).map((file) => [file, company])))];
  return build({ ...options, plugins });
}

/**
 * Returns the company of each entry point and of each dynamically imported file: the files that are loaded before, or
 * can be loaded with it at no cost.
 *
 * @param {import('esbuild').Metafile} metafile
 * @returns {Map<string, readonly string[]>}
 */
function companyOf(metafile) {
  const entryPoints = new Set(['src/surfaces/cli/start.ts', commandLine, ...Object.keys(programs)]);
  /** @param {readonly string[]} files */
  const othersFrom = (files) => reachedFrom(metafile, files).filter((file) => !entryPoints.has(file));
  const scanning = othersFrom([commandLine, ...plainScan]);
  // Files that all entry points need in part, so that they become one chunk.
  const everywhere = othersFrom([commandLine]).filter((file) => !file.startsWith('src/surfaces/cli/'));
  return new Map([
    ...loadedLater(metafile).map((file) => /** @type {const} */ ([file, withoutScan.includes(file) ? [] : scanning])),
    ...Object.entries(programs).map(
      ([file, others]) => /** @type {const} */ ([file, [...everywhere, ...othersFrom(others).filter(isShared)]]),
    ),
  ]);
}

/**
 * Returns the files and all sources that they import statically, directly or indirectly.
 *
 * @param {import('esbuild').Metafile} metafile
 * @param {readonly string[]} files
 */
function reachedFrom({ inputs }, files) {
  const reached = new Set(files);
  // The set grows during the iteration.
  for (const file of reached) {
    for (const { path: imported, kind } of inputs[file]?.imports ?? []) {
      if (kind !== 'dynamic-import' && imported in inputs) reached.add(imported);
    }
  }
  return [...reached].filter((file) => /^src\/.*\.ts$/.test(file));
}

/** Returns the sources that are imported dynamically. @param {import('esbuild').Metafile} metafile */
function loadedLater({ inputs }) {
  const imports = Object.values(inputs).flatMap((input) => input.imports);
  const sources = imports.filter(({ kind, path: file }) => kind === 'dynamic-import' && file.startsWith('src/'));
  return [...new Set(sources.map(({ path: file }) => file))];
}

/** Returns true if a file does not belong to the server of a single protocol. @param {string} file */
function isShared(file) {
  return !/^src\/surfaces\/servers\/(?:mcp|lsp)\//.test(file);
}

/**
 * Imports the company of a file before the file. A dynamic import gets a separate module for this, so that static
 * imports load the file without its company.
 *
 * @param {ReadonlyMap<string, readonly string[]>} company
 * @returns {import('esbuild').Plugin}
 */
function loadedTogether(company) {
  /** @param {string} file */
  const importsFor = (file) =>
    (company.get(file) ?? []).map((other) => `import ${JSON.stringify(path.join(root, other))};`).join('');
  return {
    name: namespace,
    setup: ({ onResolve, onLoad, resolve }) => {
      onResolve({ filter: /^\..*\.ts$/ }, async ({ path: name, kind, resolveDir, pluginData }) => {
        if (kind !== 'dynamic-import' || pluginData === namespace) return undefined;
        const found = await resolve(name, { kind, resolveDir, pluginData: namespace });
        return { path: nameOf(found.path), namespace };
      });
      onLoad({ filter: /.*/, namespace }, ({ path: file }) => ({
        contents: `${importsFor(file)}export * from ${JSON.stringify(path.join(root, file))};`,
        resolveDir: root,
      }));
      onLoad({ filter: /[\\/](?:main|\w+Main|serve\w+|openSearch)\.ts$/ }, async ({ path: file }) =>
        nameOf(file) in programs
          ? { contents: importsFor(nameOf(file)) + (await readFile(file, 'utf8')), loader: 'ts' }
          : undefined,
      );
    },
  };
}

/** Returns the name of a file in metafiles. @param {string} file  absolute */
function nameOf(file) {
  return path.relative(root, file).split(path.sep).join('/');
}

/**
 * Emits the kernel of a scan as a separate file instead of text in the bundles. The file is smaller, and V8 does not
 * parse it. Its name contains its digest, like the names of chunks, so that any of the program's files identifies the
 * version of the program (src/scan/indexer/indexStore.ts).
 *
 * @param {string} folder  folder of the bundles
 * @returns {import('esbuild').Plugin}
 */
function kernelFile(folder) {
  return {
    name: 'kernel-file',
    setup: ({ onLoad }) => {
      onLoad({ filter: /[\\/]kernel\.wasm$/ }, async ({ path: file }) => {
        const bytes = await readFile(file);
        const name = `kernel-${createHash('sha256').update(bytes).digest('hex').slice(0, 8)}.wasm`;
        writeFileSync(path.join(folder, name), bytes);
        return {
          contents: `import { readFileSync } from 'node:fs'; export default readFileSync(new URL('./${name}', import.meta.url));`,
        };
      });
    },
  };
}

/**
 * Replaces the part of Commander that starts subprograms. Kindred has no such commands, and the modules that it loads
 * would add some milliseconds to every start.
 *
 * @returns {import('esbuild').Plugin}
 */
function withoutPrograms() {
  return {
    name: 'without-programs',
    setup: ({ onResolve, onLoad }) => {
      onResolve({ filter: /^node:child_process$/ }, ({ importer }) =>
        /[\\/]commander[\\/]lib[\\/]command\.js$/.test(importer)
          ? { path: 'none', namespace: 'without-programs' }
          : undefined,
      );
      onLoad({ filter: /.*/, namespace: 'without-programs' }, () => ({ contents: 'module.exports = {};' }));
    },
  };
}

/**
 * Minifies names inside packages. They are most of the download, and their names are not needed in the stack of an
 * internal error.
 *
 * @returns {import('esbuild').Plugin}
 */
function smallPackages() {
  return {
    name: 'small-packages',
    setup: ({ onLoad }) => {
      onLoad({ filter: /[\\/]node_modules[\\/].*\.[cm]?js$/ }, async ({ path: file }) => {
        const { code } = await transform(await readFile(file, 'utf8'), { minify: true, sourcefile: file });
        return { contents: code };
      });
    },
  };
}
