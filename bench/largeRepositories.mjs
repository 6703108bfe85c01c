/**
 * Lays out repositories for measurements of an organization's index: source packages of Debian with 217 million lines,
 * without patches, and the npm packages of the ecosystem report. Repositories that are already there are kept.
 *
 *   node bench/largeRepositories.mjs FOLDER [NAME…]
 *
 * Without names, all of them. Needs Debian 12 with source packages in the list of APT (deb-src).
 * Security updates change the versions, and so the numbers of lines.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { trees } from './ecosystem/trees.mjs';
import { defaultCache, layTree } from './packageTrees.mjs';

/** Source packages, with their number of lines in millions. */
const debianPackages = {
  'golang-1.19': 2,
  'python3.11': 2,
  libreoffice: 12,
  'openjdk-17': 16,
  'llvm-toolchain-15': 23,
  linux: 32,
  'firefox-esr': 48,
  chromium: 83,
};
const npmTrees = trees.filter(({ from }) => from === 'npm');
const allNames = [...Object.keys(debianPackages), ...npmTrees.map(({ name }) => name)];

const [folder, ...chosenNames] = process.argv.slice(2);
const unknownName = chosenNames.find((name) => !allNames.includes(name));
if (folder === undefined || unknownName !== undefined) {
  console.error(
    folder === undefined
      ? `usage: node bench/largeRepositories.mjs FOLDER [NAME…], with the names ${allNames.join(', ')}`
      : `There is no repository ${unknownName}: use names of ${allNames.join(', ')}.`,
  );
  process.exitCode = 2;
} else lay(path.resolve(folder), chosenNames.length > 0 ? chosenNames : allNames);

/**
 * @param {string} parent
 * @param {readonly string[]} names
 */
function lay(parent, names) {
  mkdirSync(parent, { recursive: true });
  for (const name of names) {
    const place = path.join(parent, name);
    if (existsSync(place)) continue;
    const tree = npmTrees.find((one) => one.name === name);
    if (tree) symlinkSync(layTree(tree, defaultCache), place);
    else laySource(name, place);
    console.log(place);
  }
}

/**
 * Downloads a source package of Debian and unpacks its original archive.
 *
 * @param {string} name
 * @param {string} place
 */
function laySource(name, place) {
  const temporary = mkdtempSync(`${place}.`);
  try {
    execFileSync('apt-get', ['-qq', 'source', '--download-only', name], { cwd: temporary, stdio: 'inherit' });
    const archive = readdirSync(temporary).find((file) => /^[^_]+_[^_]+\.orig\.tar\.\w+$/.test(file));
    if (archive === undefined) throw new Error(`The source package ${name} has no original archive.`);
    const unpacked = path.join(temporary, 'unpacked');
    mkdirSync(unpacked);
    execFileSync('tar', ['-xf', path.join(temporary, archive), '-C', unpacked, '--strip-components=1']);
    renameSync(unpacked, place);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}
