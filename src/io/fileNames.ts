/** What a name alone says about a file or folder. Contents are judged by readSource. */
import type { Skipped } from '../engine/report/report.ts';

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

/** Whether a file is a notebook, whose cells alone are read. */
export function isNotebookName(path: string): boolean {
  return path.toLowerCase().endsWith('.ipynb');
}

/** Why a file with this name is left out; undefined when it is to be read. */
export function leftOutByName(name: string): Omit<Skipped, 'path'> | undefined {
  const dot = name.lastIndexOf('.');
  const ending = dot < 0 ? '' : name.slice(dot + 1).toLowerCase();
  if (binaryEndings.has(ending)) return { reason: 'binary' };
  if (`.${ending}` === drawingEnding) return { reason: 'drawing', setting: 'include' };
  return undefined;
}

/** Why a file is taken for one that is not kept by hand, by its name and its path; undefined when it is not. */
export function generatedByName(name: string, path: string): Omit<Skipped, 'path'> | undefined {
  if (name === baselineFileName) return { reason: 'baseline', setting: 'generated' };
  if (lockFileNames.has(name)) return { reason: 'lock file', setting: 'generated' };
  if (name.endsWith('.map') && /\.(?:[cm]?[jt]sx?|css)\.map$/i.test(name)) {
    return { reason: 'source map', setting: 'generated' };
  }
  if (name.includes('min.') && /[.-]min\.(?:[cm]?js|css|html?)$/i.test(name)) {
    return { reason: 'minified', setting: 'generated' };
  }
  return isTranslation(name, path) ? { reason: 'translation', setting: 'generated' } : undefined;
}

/**
 * Whether a file has the texts of a program in one language: each such file repeats the keys, and often the source texts,
 * of all others.
 */
function isTranslation(name: string, path: string): boolean {
  const dot = name.lastIndexOf('.');
  const ending = dot < 0 ? '' : name.slice(dot + 1).toLowerCase();
  if (catalogueEndings.has(ending)) return true;
  // messages_pt_BR.properties, Texts.de.resx
  if (/(?:_[a-z]{2}(?:_[A-Z]{2})?\.properties|\.[a-z]{2}(?:-[A-Za-z]{2,4})?\.resx)$/.test(name)) return true;
  if (!dataEndings.has(ending)) return false;
  const folders = path.split('/').slice(0, -1);
  const from = folders.findIndex((folder) => translationFolders.has(folder.toLowerCase()));
  // locales/vi.json, _locales/pt_BR/messages.json
  return from >= 0 && [...folders.slice(from + 1), name.slice(0, dot)].some((part) => languageTag.test(part));
}

/** Gettext, XLIFF, Chromium's bundles, Flutter's. */
const catalogueEndings: ReadonlySet<string> = new Set(['po', 'pot', 'xlf', 'xliff', 'xtb', 'arb']);

const dataEndings: ReadonlySet<string> = new Set(['json', 'json5', 'yaml', 'yml', 'toml', 'ini', 'properties', 'ftl']);

const translationFolders: ReadonlySet<string> = new Set([
  ...['locale', 'locales', '_locales', 'lang', 'langs', 'languages', 'i18n', 'l10n', 'nls', 'translations'],
]);

/** A language with script and region, as in BCP 47 or with underscores: de, pt-BR, sr_Latn, es-419. */
const languageTag = /^[a-z]{2,3}(?:[-_][A-Za-z]{4})?(?:[-_](?:[A-Za-z]{2}|\d{3}))?$/;

/** The file that `kindred baseline` writes when nobody says. */
export const baselineFileName = '.kindred-baseline.jsonc';

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
