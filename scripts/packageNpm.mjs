/**
 * Packs the command line, the servers, and the library into dist/kindred.tgz for npm.
 *
 *   node scripts/packageNpm.mjs [--no-build]
 *
 * The package contains the files that `npm pack` selects (.npmignore). Its manifest is derived from package.json, which
 * has 90 kB for the extension. Its README is docs/npm.md, because the README of the repository is for a checkout. The
 * package is assembled in dist/npm.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { packagedManifest } from './manifest.mjs';
import { npm, packedFiles } from './npm.mjs';
import { root } from './project.mjs';
import { putTogether, withoutDeadLinks } from './putTogether.mjs';

if (!process.argv.includes('--no-build')) {
  execFileSync(process.execPath, [path.join(root, 'scripts', 'build.mjs')], { stdio: 'inherit' });
}
const folder = path.join(root, 'dist', 'npm');
const manifest = npmManifest(packagedManifest());
await fillFolder();
const archive = await pack();
console.log(`${path.relative(process.cwd(), archive)}: ${Math.round(statSync(archive).size / 1000)} kB`);

/**
 * Returns the fields of package.json for npm, Node, and bundlers, without those of the extension. All dependencies are
 * bundled.
 *
 * @param {{ name: string, version: string, author: string, license: string, type: string, engines: { node: string },
 *   bin: Record<string, string>, exports: { '.': Record<'types' | 'default', string> },
 *   repository?: unknown, homepage?: string, bugs?: unknown }} whole
 */
function npmManifest({ name, version, author, license, repository, homepage, bugs, type, engines, bin, exports }) {
  return {
    name,
    version,
    description:
      'Finds near-duplicate code and text, also when a copy was edited: command line, language server, MCP server, and library.',
    keywords: ['duplicates', 'clones', 'copy-paste', 'near-duplicate', 'simhash', 'minhash', 'lsp', 'mcp'],
    author,
    license,
    // Undefined outside of a release.
    repository,
    homepage,
    bugs,
    type,
    engines: { node: engines.node },
    bin: Object.fromEntries(Object.entries(bin).map(([command, file]) => [command, path.posix.normalize(file)])),
    // For tools that do not support `exports`.
    main: exports['.'].default,
    types: exports['.'].types,
    exports: { ...exports, './package.json': './package.json' },
    sideEffects: false,
  };
}

async function fillFolder() {
  const files = await packedFiles(root);
  const programs = Object.values(manifest.bin);
  const named = [...programs, path.posix.normalize(manifest.main), path.posix.normalize(manifest.types)];
  const missing = named.filter((file) => !files.includes(file));
  if (missing.length > 0) throw new Error(`.npmignore leaves out what package.json names: ${missing.join(', ')}.`);
  putTogether(files, folder, programs);
  const readme = readFileSync(path.join(root, 'docs', 'npm.md'), 'utf8')
    .replaceAll('](', '](docs/')
    .replaceAll('docs/../', '');
  writeFileSync(path.join(folder, 'README.md'), withoutDeadLinks('README.md', readme, files));
  writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
}

/** npm gives all files the same date, so equal files give an equal package. */
async function pack() {
  const packed = path.join(root, 'dist', `${manifest.name}-${manifest.version}.tgz`);
  await npm(['pack', '--silent', '--ignore-scripts', '--pack-destination', path.dirname(packed)], { cwd: folder });
  const archive = path.join(root, 'dist', `${manifest.name}.tgz`);
  renameSync(packed, archive);
  return archive;
}
