/** Classifies files and folders by their names alone. judgeContent.ts examines their contents. */
import type { SkippedFile } from '../../core/engine/report/report.ts';

/** Folders of version control. They are never entered or reported. */
export const versionControlNames: ReadonlySet<string> = new Set(['.git', '.hg', '.svn', '.jj', '.bzr', 'CVS']);

/** Folders of third-party code, created by package managers. */
export const dependencyFolderNames: ReadonlySet<string> = new Set([
  'node_modules',
  'bower_components',
  'jspm_packages',
]);

/** Extension of drawings. They are text, but the path data of all drawings look alike. */
export const drawingEnding = '.svg';

/** Returns true if the file is a notebook. Only the cells of notebooks are compared. */
export function isNotebookName(path: string): boolean {
  return path.toLowerCase().endsWith('.ipynb');
}

/** Returns the reason to skip a file because of its name, or `undefined` if it should be read. */
export function leftOutByName(name: string): Omit<SkippedFile, 'path'> | undefined {
  const dot = name.lastIndexOf('.');
  const ending = dot < 0 ? '' : name.slice(dot + 1).toLowerCase();
  if (binaryEndings.has(ending)) return { reason: 'binary' };
  if (`.${ending}` === drawingEnding) return { reason: 'drawing', setting: 'include' };
  return undefined;
}

/** Returns the reason to treat a file as generated because of its name or path, or `undefined` if there is none. */
export function generatedByName(name: string, path: string): Omit<SkippedFile, 'path'> | undefined {
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
 * Returns true if the file contains the texts of an application's user interface in one human language. Such files have
 * the same keys as the files for other languages, and often also repeat the untranslated texts.
 */
function isTranslation(name: string, path: string): boolean {
  const dot = name.lastIndexOf('.');
  const ending = dot < 0 ? '' : name.slice(dot + 1).toLowerCase();
  if (catalogueEndings.has(ending)) return true;
  // Examples: messages_pt_BR.properties and Texts.de.resx.
  if (/(?:_[a-z]{2}(?:_[A-Z]{2})?\.properties|\.[a-z]{2}(?:-[A-Za-z]{2,4})?\.resx)$/.test(name)) return true;
  if (!dataEndings.has(ending)) return false;
  const folders = path.split('/').slice(0, -1);
  const from = folders.findIndex((folder) => translationFolders.has(folder.toLowerCase()));
  // Examples: locales/vi.json and _locales/pt_BR/messages.json.
  return from >= 0 && [...folders.slice(from + 1), name.slice(0, dot)].some((part) => languageTag.test(part));
}

/** Extensions of translation formats: Gettext, XLIFF, bundles of Chromium, Flutter. */
const catalogueEndings: ReadonlySet<string> = new Set(['po', 'pot', 'xlf', 'xliff', 'xtb', 'arb']);

const dataEndings: ReadonlySet<string> = new Set(['json', 'json5', 'yaml', 'yml', 'toml', 'ini', 'properties', 'ftl']);

const translationFolders: ReadonlySet<string> = new Set([
  ...['locale', 'locales', '_locales', 'lang', 'langs', 'languages', 'i18n', 'l10n', 'nls', 'translations'],
]);

/** Matches a language tag (BCP 47) with optional script and region, also after _: de, pt-BR, sr_Latn, es-419. */
const languageTag = /^[a-z]{2,3}(?:[-_][A-Za-z]{4})?(?:[-_](?:[A-Za-z]{2}|\d{3}))?$/;

/** Names of configuration files. If a folder has several, the first one is used. A new file gets the first name. */
export const configurationNames = ['.kindredrc.jsonc', '.kindredrc.json'] as const;

/** Returns true for the report path of a configuration file, which affects a scan's options and files. */
export function isConfiguration(name: string): boolean {
  return configurationNames.some((fileName) => name === fileName || name.endsWith(`/${fileName}`));
}

/** Default name of the file that `kindred baseline` writes. */
export const baselineFileName = '.kindred-baseline.jsonc';

const lockFileNames: ReadonlySet<string> = new Set([
  ...['package-lock.json', 'npm-shrinkwrap.json', 'yarn.lock', 'pnpm-lock.yaml', 'bun.lock', 'deno.lock'],
  ...['Cargo.lock', 'Gemfile.lock', 'composer.lock', 'mix.lock', 'pubspec.lock', 'Podfile.lock', 'flake.lock'],
  ...['poetry.lock', 'Pipfile.lock', 'uv.lock', 'pdm.lock', 'pixi.lock', 'conda-lock.yml'],
  ...['go.sum', 'go.work.sum', 'Gopkg.lock', 'packages.lock.json', 'gradle.lockfile', 'Package.resolved'],
]);

/** Extensions of binary formats. Other binary files are recognized by their content. */
const binaryEndings: ReadonlySet<string> = new Set([
  ...['png', 'jpg', 'jpeg', 'gif', 'bmp', 'ico', 'icns', 'cur', 'webp', 'avif', 'heic', 'tif', 'tiff', 'psd', 'xcf'],
  ...['ttf', 'otf', 'ttc', 'woff', 'woff2', 'eot'],
  ...['mp3', 'mp4', 'm4a', 'wav', 'ogg', 'oga', 'ogv', 'flac', 'aac', 'avi', 'mov', 'mkv', 'webm', 'wmv'],
  ...['zip', 'gz', 'tgz', 'bz2', 'xz', 'zst', 'lz4', '7z', 'rar', 'tar', 'jar', 'war', 'ear', 'whl', 'egg', 'nupkg'],
  ...['vsix', 'apk', 'aab', 'ipa', 'dmg', 'iso', 'deb', 'rpm', 'crx', 'cab', 'msi'],
  ...['exe', 'dll', 'so', 'dylib', 'a', 'o', 'obj', 'lib', 'class', 'pyc', 'pyo', 'pyd', 'wasm', 'node', 'syso', 'pdb'],
  ...['pdf', 'doc', 'docx', 'xls', 'xlsx', 'ppt', 'pptx', 'odt', 'ods', 'odp', 'epub'],
  ...['sqlite', 'sqlite3', 'db', 'mdb', 'parquet', 'npy', 'npz', 'pkl', 'onnx', 'safetensors', 'h5', 'mo', 'gmo'],
  ...['p12', 'pfx', 'jks', 'keystore'],
]);
