/**
 * How the bundles that Node runs share code. esbuild makes a chunk of the files that the same entry points reach, so some
 * dozen entry points with a word or two in common make a hundred chunks, and each file that a program loads takes Node most
 * of a millisecond. So entry points that are loaded together are made to reach the same files: then there are some forty,
 * of which a scan loads eleven.
 */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { build, transform } from 'esbuild';
import { root } from './project.mjs';

const namespace = 'loaded-together';

const extension = 'src/host/extension.ts';
/** What `kindred` itself is made of, and what a plain scan loads after it. */
const commandLine = 'src/cli/main.ts';
const plainScan = ['src/indexer/scan.ts', 'src/check/ignoring.ts'];
/** Loaded when nothing is scanned. */
const withoutScan = [commandLine, 'src/cli/runServer.ts', 'src/cli/runInit.ts', 'src/cli/loadOrg.ts'];
/** The other entry points, with those whose files they are made to reach. */
const programs = {
  'src/worker/main.ts': plainScan,
  'src/indexer/scanThreadMain.ts': plainScan.slice(0, 1),
  'src/organisation/openSearch.ts': plainScan,
  'src/server/mcp/serveMcp.ts': ['src/server/lsp/serveLsp.ts'],
  'src/server/lsp/serveLsp.ts': ['src/server/mcp/serveMcp.ts'],
};

/**
 * Bundles entry points with chunks for what they share.
 *
 * @param {import('esbuild').BuildOptions} given
 * @returns {Promise<import('esbuild').BuildResult & { metafile: import('esbuild').Metafile }>}
 */
export async function buildInChunks(given) {
  /** @satisfies {import('esbuild').BuildOptions} */
  const options = { ...given, splitting: true, chunkNames: 'chunk-[hash]', metafile: /** @type {const} */ (true) };
  const plugins = [...(given.plugins ?? []), withoutPrograms(), kernelFile(path.join(root, given.outdir ?? ''))];
  const { metafile } = await build({ ...options, plugins, write: false });
  return build({ ...options, plugins: [...plugins, smallPackages(), loadedTogether(companyOf(metafile))] });
}

/**
 * Bundles the extension: what it begins with is the entry point and one chunk, and what is loaded later has all of that.
 *
 * @param {import('esbuild').BuildOptions} given
 * @returns {Promise<import('esbuild').BuildResult & { metafile: import('esbuild').Metafile }>}
 */
export async function buildExtension(given) {
  /** @satisfies {import('esbuild').BuildOptions} */
  const options = { ...given, splitting: true, chunkNames: 'extension-[hash]', metafile: /** @type {const} */ (true) };
  const { metafile } = await build({ ...options, write: false });
  const company = reachedFrom(metafile, [extension]).filter((file) => file !== extension);
  const plugins = [smallPackages(), loadedTogether(new Map(loadedLater(metafile).map((file) => [file, company])))];
  return build({ ...options, plugins });
}

/**
 * For each entry point and each file that is loaded while a program runs: the files that are there by then, or may be
 * loaded with it at no cost.
 *
 * @param {import('esbuild').Metafile} metafile
 * @returns {Map<string, readonly string[]>}
 */
function companyOf(metafile) {
  const entryPoints = new Set(['src/cli/start.ts', commandLine, ...Object.keys(programs)]);
  /** @param {readonly string[]} files */
  const othersFrom = (files) => reachedFrom(metafile, files).filter((file) => !entryPoints.has(file));
  const scanning = othersFrom([commandLine, ...plainScan]);
  // What all of them need some of, so that it is one chunk.
  const everywhere = othersFrom([commandLine]).filter((file) => !file.startsWith('src/cli/'));
  return new Map([
    ...loadedLater(metafile).map((file) => /** @type {const} */ ([file, withoutScan.includes(file) ? [] : scanning])),
    ...Object.entries(programs).map(
      ([file, others]) => /** @type {const} */ ([file, [...everywhere, ...othersFrom(others).filter(isShared)]]),
    ),
  ]);
}

/**
 * The sources that files import, directly or through others, before anything runs; and these files.
 *
 * @param {import('esbuild').Metafile} metafile
 * @param {readonly string[]} files
 */
function reachedFrom({ inputs }, files) {
  const reached = new Set(files);
  // Grows while it is walked through.
  for (const file of reached) {
    for (const { path: imported, kind } of inputs[file]?.imports ?? []) {
      if (kind !== 'dynamic-import' && imported in inputs) reached.add(imported);
    }
  }
  return [...reached].filter((file) => /^src\/.*\.ts$/.test(file));
}

/** The sources that are imported while a program runs. @param {import('esbuild').Metafile} metafile */
function loadedLater({ inputs }) {
  const imports = Object.values(inputs).flatMap((input) => input.imports);
  const sources = imports.filter(({ kind, path: file }) => kind === 'dynamic-import' && file.startsWith('src/'));
  return [...new Set(sources.map(({ path: file }) => file))];
}

/** Whether a file is none of a server for one protocol. @param {string} file */
function isShared(file) {
  return !/^src\/server\/(?:mcp|lsp)\//.test(file);
}

/**
 * Puts the company of a file before it. What somebody loads while a program runs is a module of its own for that, so that
 * others import the file without the company.
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

/** A file as metafiles name it. @param {string} file  absolute */
function nameOf(file) {
  return path.relative(root, file).split(path.sep).join('/');
}

/**
 * The kernel of a scan as a file beside the bundles, instead of text in them: it is smaller so, and V8 need not read past
 * it. Its name has its digest, and so have those of the chunks: the program's own files tell its version
 * (src/indexer/indexStore.ts), whichever of them one looks at.
 *
 * @param {string} folder  of the bundles
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
 * Commander without Node's part that starts programs, for commands that are files of their own: here there are none, and
 * with the networking that it brings it takes some milliseconds of every start.
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
 * Short names inside of packages: most of the download is theirs, and nobody looks for them in the stack of an internal
 * error.
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
