/**
 * Source trees of benches: folders of packages, pinned by version and checksum, and unpacked once into a cache folder.
 * The client of each registry downloads its packages.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

/**
 * @typedef {object} Tree
 * @property {string} name
 * @property {string} languages
 * @property {keyof typeof clients} from
 * @property {string} package              for Maven, group and artifact with a colon between
 * @property {string} version
 * @property {string} sha256               of the package file
 * @property {readonly string[]} folders   paths in the package; the last part of each becomes a folder of the tree
 */

/**
 * The command that downloads a package into the current folder or below it, by registry, and the ending of the file.
 *
 * @type {Record<'npm' | 'debian' | 'pypi' | 'maven' | 'cargo' | 'go', (name: string, version: string) => {
 *   command: readonly [string, ...string[]], endings: readonly string[] }>}
 */
const clients = {
  npm: (name, version) => ({
    command: ['npm', 'pack', '--silent', '--ignore-scripts', `${name}@${version}`],
    endings: ['.tgz'],
  }),
  debian: (name, version) => ({
    command: ['apt-get', '-qq', 'download', `${name}=${version}`],
    endings: ['.deb'],
  }),
  pypi: (name, version) => ({
    command: ['pip', 'download', '--quiet', '--no-deps', `${name}==${version}`],
    endings: ['.whl', '.tar.gz'],
  }),
  maven: (name, version) => ({
    command: ['mvn', '-q', 'dependency:copy', `-Dartifact=${name}:${version}:jar:sources`, '-DoutputDirectory=.'],
    endings: ['-sources.jar'],
  }),
  cargo: (name, version) => ({
    command: ['cargo', 'info', '--quiet', '--registry', 'crates-io', `${name}@${version}`],
    endings: ['.crate'],
  }),
  go: (name, version) => ({
    command: ['go', 'mod', 'download', `${name}@${version}`],
    endings: ['.zip'],
  }),
};

/** Default folder of the trees and the downloaded packages. */
export const defaultCache = path.join(process.env['XDG_CACHE_HOME'] ?? path.join(homedir(), '.cache'), 'kindred-trees');

/**
 * Downloads and unpacks a tree if the cache does not have it.
 *
 * @param {Tree} tree
 * @param {string} cache
 * @returns {string}  the folder of the tree
 * @throws if the package cannot be downloaded or is not the pinned one
 */
export function layTree(tree, cache) {
  const definition = createHash('sha256').update(JSON.stringify(tree)).digest('hex').slice(0, 8);
  const laid = path.join(cache, `${tree.name}-${definition}`);
  if (existsSync(laid)) return laid;
  mkdirSync(cache, { recursive: true });
  const temporary = mkdtempSync(path.join(cache, '.unpacking-'));
  try {
    const file = download(tree, cache, temporary);
    const unpacked = path.join(temporary, 'unpacked');
    mkdirSync(unpacked);
    unpack(file, unpacked);
    const selected = path.join(temporary, 'selected');
    for (const folder of tree.folders) {
      cpSync(path.join(unpacked, folder), path.join(selected, path.basename(folder)), {
        recursive: true,
        verbatimSymlinks: true,
      });
    }
    // Renamed when complete, so that an interrupted run leaves no partial tree.
    renameSync(selected, laid);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
  return laid;
}

/**
 * Returns the path of the package file, from the cache or the registry.
 *
 * @param {Tree} tree
 * @param {string} cache
 * @param {string} temporary
 */
function download(tree, cache, temporary) {
  const cached = path.join(cache, tree.sha256);
  if (existsSync(cached)) return cached;
  const folder = path.join(temporary, 'download');
  mkdirSync(folder);
  const { command, endings } = clients[tree.from](tree.package, tree.version);
  const [program, ...options] = command;
  // Cargo and Go download into their own caches, which are in the folder, too.
  const env = { ...process.env, CARGO_HOME: folder, GOPATH: folder, GOFLAGS: '-modcacherw' };
  execFileSync(program, options, { cwd: folder, env, stdio: ['ignore', 'ignore', 'pipe'] });
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const name = names.find((one) => endings.some((ending) => one.endsWith(ending)));
  if (name === undefined) throw new Error(`${program} has downloaded no package ${tree.package} ${tree.version}.`);
  const file = path.join(folder, name);
  const sha256 = createHash('sha256').update(readFileSync(file)).digest('hex');
  if (sha256 !== tree.sha256) {
    throw new Error(`${name} has the SHA-256 checksum ${sha256}, but ${tree.sha256} is pinned.`);
  }
  renameSync(file, cached);
  return cached;
}

/**
 * @param {string} file  a package of any registry
 * @param {string} folder
 */
function unpack(file, folder) {
  const magic = readFileSync(file).toString('latin1', 0, 2);
  if (magic === '!<') execFileSync('dpkg-deb', ['-x', file, folder]);
  else if (magic === 'PK') execFileSync('unzip', ['-q', file, '-d', folder]);
  else execFileSync('tar', ['-xzf', file, '-C', folder, '--strip-components=1']);
}
