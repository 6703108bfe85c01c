/**
 * The source trees of the ecosystem check. They are folders of packages of npm and Debian, pinned by version and
 * checksum, and unpacked once into a cache folder. The chosen Debian packages are seldom updated, because the archive
 * keeps only the latest version.
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
 * @property {'npm' | 'debian'} from
 * @property {string} package
 * @property {string} version
 * @property {string} sha256               of the package file
 * @property {readonly string[]} folders   paths in the package; the last part of each becomes a folder of the tree
 */

/** @type {readonly Tree[]} */
export const trees = [
  {
    name: 'devtools',
    languages: 'TypeScript',
    from: 'npm',
    package: 'chrome-devtools-frontend',
    version: '1.0.1705227',
    sha256: 'a11dca33f570088f4cc23daa341473c3ddb89e4cff10319102f4fae960a6a6a7',
    folders: ['front_end/panels'],
  },
  {
    name: 'three',
    languages: 'JavaScript',
    from: 'npm',
    package: 'three',
    version: '0.160.0',
    sha256: '1ee2f935c4f555814b388e87b5ef78a44856bd2e9d0feb88643a6e193fb42856',
    folders: ['src', 'examples/jsm'],
  },
  {
    name: 'networkx',
    languages: 'Python',
    from: 'debian',
    package: 'python3-networkx',
    version: '2.8.8-1',
    sha256: '69888603d1b54696f5c3d02d05527628d2d18661d845109a62fe24aff241aa7b',
    folders: ['usr/lib/python3/dist-packages/networkx'],
  },
  {
    name: 'go',
    languages: 'Go',
    from: 'debian',
    package: 'golang-1.19-src',
    version: '1.19.8-2',
    sha256: '2dfa82fe4f08f4e0193c532e561af4c91871f5235608f04f2bb8d57bb288df5a',
    folders: ['crypto', 'go', 'net'].map((name) => `usr/share/go-1.19/src/${name}`),
  },
  {
    name: 'rust',
    languages: 'Rust',
    from: 'debian',
    package: 'rust-src',
    version: '1.63.0+dfsg1-2',
    sha256: '410b8c6d464cabbe5fb3154ab8c3d374980dd597fbe7e3b7bb3ed8dd1bf11e25',
    folders: ['alloc', 'core', 'std'].map((name) => `usr/src/rustc-1.63.0/library/${name}`),
  },
  {
    name: 'react-native',
    languages: 'Java, Kotlin',
    from: 'npm',
    package: 'react-native',
    version: '0.76.5',
    sha256: 'be687f5995f60ed535b05784fec6356dd1bfc78e371402747c78072edf6ad41c',
    folders: ['ReactAndroid'],
  },
  {
    name: 'expo',
    languages: 'Kotlin, Swift',
    from: 'npm',
    package: 'expo-modules-core',
    version: '2.0.0',
    sha256: '74f020b2a4a15272a65484fb37b350178b4f0a7eb13476eb25057addf4c31c45',
    folders: ['android', 'ios', 'src'],
  },
  {
    name: 'librdkafka',
    languages: 'C',
    from: 'npm',
    package: 'node-rdkafka',
    version: '2.18.0',
    sha256: '3a10644312c1a19cc3db3d7272e3a374e387559d5e570c8a23761c57a3b84a27',
    folders: ['deps/librdkafka/src'],
  },
  {
    name: 'abseil',
    languages: 'C++',
    from: 'npm',
    package: 're2',
    version: '1.21.4',
    sha256: '9085f5013280cc1b3ea64e65ad6151012711ef73fed665eb921ee9e0ef791e71',
    folders: ['vendor/abseil-cpp', 'vendor/re2'],
  },
  {
    name: 'unitask',
    languages: 'C#',
    from: 'npm',
    package: 'com.cysharp.unitask',
    version: '2.2.5',
    sha256: 'dd89936982fc32a962ac09db926ee0bcc7ca2ab9a02c1553393031345aaf7d2f',
    folders: ['Runtime', 'Editor'],
  },
  {
    name: 'doctrine',
    languages: 'PHP',
    from: 'debian',
    package: 'php-doctrine-orm',
    version: '2.14.1+dfsg-1',
    sha256: '3546996a38cf87c87e3651c4365de0d1356003b3e7931191d00d816d92658115',
    folders: ['usr/share'],
  },
  {
    name: 'fog',
    languages: 'Ruby',
    from: 'debian',
    package: 'ruby-fog-aws',
    version: '3.15.0-1',
    sha256: '0989999367eadd8e0360af32ddbe2fc543ac565e3bf35aa7c6ef28e7b3421972',
    folders: ['usr/lib/ruby/vendor_ruby'],
  },
  {
    name: 'foundation',
    languages: 'SCSS, JavaScript',
    from: 'npm',
    package: 'foundation-sites',
    version: '6.8.1',
    sha256: 'be72848040f30667c94901ea9f9181b864b31169b99abcac2053cfc1a5b2bd2b',
    folders: ['scss', 'js'],
  },
  {
    name: 'npm-docs',
    languages: 'Markdown',
    from: 'npm',
    package: 'npm',
    version: '10.9.2',
    sha256: '5cd1e5ab971ea6333f910bc2d50700167c5ef4e66da279b2a3efc874c6b116e4',
    folders: ['docs/content'],
  },
  {
    name: 'rust-books',
    languages: 'Markdown',
    from: 'debian',
    package: 'rust-src',
    version: '1.63.0+dfsg1-2',
    sha256: '410b8c6d464cabbe5fb3154ab8c3d374980dd597fbe7e3b7bb3ed8dd1bf11e25',
    folders: ['usr/src/rustc-1.63.0/src/doc'],
  },
  {
    name: 'debian-policy',
    languages: 'HTML',
    from: 'debian',
    package: 'debian-policy',
    version: '4.6.2.0',
    sha256: 'ef9d01b625c3b87c3a845c2cd1b66f1a16e9240b2b9e5bee53472a00e8457a39',
    folders: ['usr/share/doc/debian-policy'],
  },
];

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
    if (tree.from === 'debian') execFileSync('dpkg-deb', ['-x', file, unpacked]);
    else execFileSync('tar', ['-xzf', file, '-C', unpacked, '--strip-components=1']);
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
  const [program, ...options] =
    tree.from === 'debian'
      ? ['apt-get', '-qq', 'download', `${tree.package}=${tree.version}`]
      : ['npm', 'pack', '--silent', '--ignore-scripts', `${tree.package}@${tree.version}`];
  execFileSync(/** @type {string} */ (program), options, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  const [name = ''] = readdirSync(folder);
  const file = path.join(folder, name);
  const sha256 = createHash('sha256').update(readFileSync(file)).digest('hex');
  if (sha256 !== tree.sha256) {
    throw new Error(`${name} has the SHA-256 checksum ${sha256}, but ${tree.sha256} is pinned.`);
  }
  renameSync(file, cached);
  return cached;
}
