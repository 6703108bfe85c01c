/** License notices of bundled packages: the packages of node_modules in dist, with their copyright lines. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './project.mjs';

/** @typedef {{ name: string, version: string, license: string, texts: string[] }} Bundled  a package in a bundle */
/** @typedef {{ name: string, version: string, installed: string }} Mapped  a package in a source map, and its folder */

/** File that the build writes, and that both packages contain. */
export const noticesFile = 'dist/THIRD-PARTY-NOTICES.txt';

/**
 * Packages that no metafile lists. The kernel contains the logarithm and other parts of the compiler's standard
 * library.
 */
const compiledIn = [path.join(root, 'node_modules/assemblyscript')];

const papers = /^(?:licen[cs]e|copying|notice)\b/i;

/**
 * Returns the text of dist/THIRD-PARTY-NOTICES.txt, with each package once, sorted by name.
 *
 * @param {readonly import('esbuild').Metafile[]} metafiles  metafiles of all bundles
 */
export function thirdPartyNotices(metafiles) {
  const folders = new Set([...metafiles.flatMap(packageFolders), ...compiledIn]);
  const all = [...[...folders].map(readPackage), ...metafiles.flatMap(embeddedPackages)];
  const packages = new Map(all.map((bundled) => [titleOf(bundled), bundled]));
  const sections = [...packages.keys()].sort().map((title) => {
    const { license, texts } = /** @type {Bundled} */ (packages.get(title));
    return [`${'='.repeat(80)}\n${title} (${license})`, ...texts].join('\n\n');
  });
  return `${['Kindred contains parts of these packages, under the licenses below.', ...sections].join('\n\n')}\n`;
}

/**
 * Checks the notices of a built project independently. The build finds packages in metafiles, and this function finds
 * them in source maps.
 *
 * @param {string} folder  folder of the project
 * @returns {string[]}  names and versions of packages whose license is missing
 */
export function missingNotices(folder) {
  return mappedPackages(folder)
    .filter((mapped) => !hasNotice(folder, mapped))
    .map(titleOf);
}

/**
 * Returns the packages in the source maps of dist, and the packages that are only in WebAssembly modules, which source
 * maps do not list: the compiler of the kernel, and the hash.
 *
 * @param {string} folder  folder of the project
 * @returns {Mapped[]}
 */
export function mappedPackages(folder) {
  const dist = path.join(folder, 'dist');
  const maps = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.js.map') && !file.startsWith('test'),
  );
  const sources = maps.flatMap(
    (map) => /** @type {string[]} */ (JSON.parse(readFileSync(path.join(dist, map), 'utf8')).sources),
  );
  const folders = sources
    // A part of the MCP SDK that is not a separate package. It has the license of the SDK.
    .filter((source) => !source.includes('@modelcontextprotocol/core-internal/'))
    .flatMap((source) => /node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+/.exec(source) ?? []);
  return [...new Set([...folders, 'node_modules/assemblyscript', 'node_modules/xxhash-wasm'])].map((installed) =>
    packageIn(folder, installed),
  );
}

/**
 * Returns true if the notices of a built project contain the license of a package.
 *
 * @param {string} folder  folder of the project
 * @param {Mapped} mapped
 */
export function hasNotice(folder, mapped) {
  const notices = readFileSync(path.join(folder, noticesFile), 'utf8');
  const files = readdirSync(path.join(folder, mapped.installed));
  /** @param {string} file */
  const textOf = (file) =>
    readFileSync(path.join(folder, mapped.installed, file), 'utf8')
      .replaceAll('\r\n', '\n')
      .trim();
  const [license] = files.filter((file) => /^licen[cs]e/i.test(file));
  const [readme] = files.filter((file) => /^readme/i.test(file));
  // Some packages have the license in their README, after a heading.
  const inReadme = readme && textOf(readme).split(/^#+ licen[cs]e$/im)[1];
  // Other packages state only their owner. For these, the license text is generated.
  const { author } = JSON.parse(textOf('package.json'));
  const text = license
    ? textOf(license)
    : (inReadme?.trim() ?? `MIT License\n\nCopyright (c) ${author?.name ?? author}\n`);
  if (!/copyright/i.test(text)) return false;
  return notices.includes(`\n${titleOf(mapped)} (`) && notices.includes(text);
}

/**
 * Returns a package by its folder in the project, or by its path in a package that bundles it.
 *
 * @param {string} project
 * @param {string} folder
 * @returns {Mapped}
 */
function packageIn(project, folder) {
  const [, bundledVersion, bundledName] = /\.pnpm\/[^/]*?@(\d[^/_]*)[^/]*\/node_modules\/(.+)$/.exec(folder) ?? [];
  if (bundledVersion !== undefined && bundledName !== undefined) {
    return { name: bundledName, version: bundledVersion, installed: `node_modules/${bundledName}` };
  }
  const { name, version } = JSON.parse(readFileSync(path.join(project, folder, 'package.json'), 'utf8'));
  return { name, version, installed: folder };
}

/** @param {Pick<Bundled, 'name' | 'version'>} named */
function titleOf({ name, version }) {
  return `${name} ${version}`;
}

/**
 * Returns the files that contribute to a bundle, relative to the project.
 *
 * @param {import('esbuild').Metafile} metafile
 * @returns {string[]}
 */
function bundledFiles({ outputs }) {
  return Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? [file] : [])),
  );
}

/**
 * Returns the packages that other packages have bundled, according to their source maps. The licenses come from the
 * installed copies, which may have another version.
 *
 * @param {import('esbuild').Metafile} metafile
 * @returns {Bundled[]}
 */
function embeddedPackages(metafile) {
  const maps = bundledFiles(metafile).map((file) => path.join(root, `${file}.map`));
  const sources = maps
    .filter((map) => map.includes(`${path.sep}node_modules${path.sep}`) && existsSync(map))
    .flatMap((map) => /** @type {string[]} */ (JSON.parse(readFileSync(map, 'utf8')).sources));
  return sources.flatMap((source) => {
    const [, version, name] =
      /\/\.pnpm\/[^/]*?@(\d[^/_]*)[^/]*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(source) ?? [];
    if (version === undefined || name === undefined) return [];
    return [{ ...readPackage(path.join(root, 'node_modules', name)), version }];
  });
}

/**
 * Returns the absolute folders of the packages that contribute to a bundle.
 *
 * @param {import('esbuild').Metafile} metafile
 * @returns {string[]}
 */
function packageFolders(metafile) {
  const files = bundledFiles(metafile);
  // The innermost folder, because a package may contain other packages.
  const folders = files.map((file) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0]);
  return folders.flatMap((folder) => (folder === undefined ? [] : [path.resolve(root, folder)]));
}

/**
 * @param {string} folder
 * @returns {Bundled}
 */
function readPackage(folder) {
  const { name, version, license, author } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const files = readdirSync(folder).filter((file) => papers.test(file));
  const textOf = (/** @type {string} */ file) =>
    readFileSync(path.join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim();
  // Some packages have the license at the end of their README, with the copyright line.
  const readme = readdirSync(folder).find((file) => /^readme\b/i.test(file));
  const inReadme =
    readme === undefined ? undefined : /^#+ licen[cs]e\s*$([^]*copyright[^]*)/im.exec(textOf(readme))?.[1];
  const texts = files.length > 0 ? files.sort().map(textOf) : inReadme ? [inReadme.trim()] : [];
  // Some packages state only the name of the license and the owner.
  if (texts.length === 0 && license === 'MIT' && author) texts.push(mit(author.name ?? author));
  if (texts.length === 0) throw new Error(`${name} is bundled, and ${folder} has no license.`);
  return { name, version, license, texts };
}

/** @param {string} owner */
function mit(owner) {
  return `MIT License

Copyright (c) ${owner}

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;
}
