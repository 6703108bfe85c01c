/** What a name alone says about a file or folder. Contents are judged by readSource. */
import type { Skipped } from '../engine/report.ts';

/** Folders of version control: never looked into, never mentioned. */
export const versionControlNames: ReadonlySet<string> = new Set(['.git', '.hg', '.svn', '.jj', '.bzr', 'CVS']);

/** Folders of other people's code, put there by package managers. */
export const dependencyFolderNames: ReadonlySet<string> = new Set([
  'node_modules',
  'bower_components',
  'jspm_packages',
]);

/** The end of names of drawings: text, but about shapes, which all look alike. */
export const drawingEnding = '.svg';

/** Why a file with this name is left out; undefined when it is to be read. */
export function leftOutByName(name: string): Omit<Skipped, 'path'> | undefined {
  const dot = name.lastIndexOf('.');
  const ending = dot < 0 ? '' : name.slice(dot + 1).toLowerCase();
  if (binaryEndings.has(ending)) return { reason: 'binary' };
  if (`.${ending}` === drawingEnding) return { reason: 'drawing', setting: 'include' };
  return undefined;
}

/** Why a file with this name is taken for generated; undefined when it is not. */
export function generatedByName(name: string): Omit<Skipped, 'path'> | undefined {
  if (lockFileNames.has(name)) return { reason: 'lock file', setting: 'generated' };
  if (name.endsWith('.map') && /\.(?:[cm]?[jt]sx?|css)\.map$/i.test(name)) {
    return { reason: 'source map', setting: 'generated' };
  }
  if (name.includes('min.') && /[.-]min\.(?:[cm]?js|css|html?)$/i.test(name)) {
    return { reason: 'minified', setting: 'generated' };
  }
  return undefined;
}

const lockFileNames: ReadonlySet<string> = new Set([
  ...['package-lock.json', 'npm-shrinkwrap.json', 'yarn.lock', 'pnpm-lock.yaml', 'bun.lock', 'deno.lock'],
  ...['Cargo.lock', 'Gemfile.lock', 'composer.lock', 'mix.lock', 'pubspec.lock', 'Podfile.lock', 'flake.lock'],
  ...['poetry.lock', 'Pipfile.lock', 'uv.lock', 'pdm.lock', 'pixi.lock', 'conda-lock.yml'],
  ...['go.sum', 'go.work.sum', 'Gopkg.lock', 'packages.lock.json', 'gradle.lockfile', 'Package.resolved'],
]);

/** Formats that are never text. What is missing here is found by its content, a little later. */
const binaryEndings: ReadonlySet<string> = new Set([
  // Images, fonts, sound, films.
  ...['png', 'jpg', 'jpeg', 'gif', 'bmp', 'ico', 'icns', 'cur', 'webp', 'avif', 'heic', 'tif', 'tiff', 'psd', 'xcf'],
  ...['ttf', 'otf', 'ttc', 'woff', 'woff2', 'eot'],
  ...['mp3', 'mp4', 'm4a', 'wav', 'ogg', 'oga', 'ogv', 'flac', 'aac', 'avi', 'mov', 'mkv', 'webm', 'wmv'],
  // Archives and packages.
  ...['zip', 'gz', 'tgz', 'bz2', 'xz', 'zst', 'lz4', '7z', 'rar', 'tar', 'jar', 'war', 'ear', 'whl', 'egg', 'nupkg'],
  ...['vsix', 'apk', 'aab', 'ipa', 'dmg', 'iso', 'deb', 'rpm', 'crx', 'cab', 'msi'],
  // Compiled code.
  ...['exe', 'dll', 'so', 'dylib', 'a', 'o', 'obj', 'lib', 'class', 'pyc', 'pyo', 'pyd', 'wasm', 'node', 'syso', 'pdb'],
  // Documents, data and keys.
  ...['pdf', 'doc', 'docx', 'xls', 'xlsx', 'ppt', 'pptx', 'odt', 'ods', 'odp', 'epub'],
  ...['sqlite', 'sqlite3', 'db', 'mdb', 'parquet', 'npy', 'npz', 'pkl', 'onnx', 'safetensors', 'h5', 'mo', 'gmo'],
  ...['p12', 'pfx', 'jks', 'keystore'],
]);
