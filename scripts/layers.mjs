/**
 * Layers of the source: the folders of src, and what each may import. ESLint enforces this table, and a test compares
 * TypeScript's project references and the layers in ARCHITECTURE.md with it.
 *
 * @typedef {object} Layer
 * @property {readonly string[]} allows   layers that it may import
 * @property {readonly string[]} types    layers of which it may import only types
 * @property {readonly string[]} modules  beginnings of the names of packages that it may import
 */
import path from 'node:path';

const servers = ['@modelcontextprotocol/server', 'diff', 'vscode-languageserver', 'vscode-languageserver-textdocument'];
const reports = ['cli-progress', 'commander', 'csv-stringify', 'diff', 'fast-xml-builder', 'fflate', 'sarif'];

/** Layer that all others but the kernel may import. */
export const everywhere = 'core/collections';

/** Layers by folder in src; `everywhere` is allowed in addition. @type {Readonly<Record<string, Layer>>} */
const table = {
  'core/kernel': { allows: [], types: [], modules: [] },
  'core/collections': { allows: [], types: [], modules: [] },
  'core/methods': { allows: [], types: [], modules: ['xxhash-wasm'] },
  'core/engine': { allows: ['core/kernel', 'core/methods'], types: [], modules: ['@vscode/l10n'] },
  library: { allows: ['core/kernel', 'core/methods', 'core/engine'], types: [], modules: [] },
  'scan/io': { allows: ['core/engine'], types: [], modules: ['node:', '@vscode/l10n', 'jsonc-parser', 'valibot'] },
  'scan/indexer': {
    allows: ['core/methods', 'core/engine', 'scan/io'],
    types: [],
    modules: ['node:', '@vscode/l10n'],
  },
  'review/gate': {
    allows: ['scan/io'],
    types: ['core/engine'],
    modules: ['@vscode/l10n', 'diff', 'jsonc-parser'],
  },
  'review/check': {
    allows: ['core/engine', 'scan/io', 'scan/indexer', 'review/gate'],
    types: [],
    modules: ['node:'],
  },
  'organisation/folder': { allows: [], types: ['scan/indexer'], modules: ['node:', '@duckdb/node-api'] },
  'organisation/repositories': {
    allows: [...['core/kernel', 'core/methods', 'core/engine', 'scan/io', 'scan/indexer'], 'organisation/folder'],
    types: [],
    modules: ['node:'],
  },
  'organisation/spark': { allows: ['scan/io', 'organisation/folder'], types: [], modules: ['node:'] },
  'session/protocol': {
    allows: ['scan/io'],
    types: ['core/engine', 'scan/indexer', 'review/gate', 'review/check'],
    modules: [],
  },
  'session/worker': {
    allows: ['core/engine', 'scan/io', 'scan/indexer', 'review/gate', 'review/check', 'session/protocol'],
    types: ['organisation/repositories'],
    modules: ['node:', '@vscode/l10n'],
  },
  'session/client': {
    allows: ['scan/io', 'review/gate', 'session/protocol'],
    types: ['core/engine', 'scan/indexer'],
    modules: ['node:'],
  },
  'presentation/copies': { allows: [], types: [], modules: [] },
  'presentation/wording': { allows: [], types: ['core/engine'], modules: ['@vscode/l10n'] },
  'presentation/pages': { allows: [], types: ['core/engine'], modules: ['@vscode/l10n'] },
  'surfaces/web/report': {
    allows: ['presentation/wording'],
    types: [],
    modules: ['@vscode/l10n', 'diff', 'highlight.js'],
  },
  'surfaces/web/map': {
    allows: ['presentation/wording', 'surfaces/web/report'],
    types: ['presentation/pages'],
    modules: ['d3-hierarchy'],
  },
  'surfaces/web/tuner': {
    allows: ['presentation/wording', 'surfaces/web/report'],
    types: ['core/engine', 'presentation/pages'],
    modules: [],
  },
  'surfaces/web/try': {
    allows: [
      ...['core/methods', 'core/engine', 'library', 'scan/io', 'presentation/wording', 'presentation/pages'],
      'surfaces/web/report',
    ],
    types: [],
    modules: ['@vscode/l10n', 'fflate'],
  },
  'surfaces/tools': {
    allows: ['review/check', 'presentation/copies', 'presentation/wording'],
    types: ['core/engine', 'review/gate', 'session/protocol', 'session/client'],
    modules: ['diff'],
  },
  'surfaces/hook': {
    allows: ['core/engine', 'scan/io', 'presentation/copies', 'presentation/wording'],
    types: [],
    modules: ['node:'],
  },
  'surfaces/servers': {
    allows: [
      ...['core/engine', 'scan/io', 'review/gate', 'review/check', 'session/client', 'presentation/wording'],
      ...['surfaces/tools', 'surfaces/hook'],
    ],
    types: ['scan/indexer', 'session/protocol'],
    modules: ['node:', ...servers],
  },
  'surfaces/cli': {
    allows: [
      ...['core/engine', 'scan/io', 'scan/indexer', 'review/gate', 'review/check'],
      ...['organisation/folder', 'organisation/repositories', 'organisation/spark'],
      ...['presentation/copies', 'presentation/wording', 'surfaces/hook'],
    ],
    types: ['core/methods', 'surfaces/servers'],
    modules: ['node:', 'jsonc-parser', ...reports],
  },
  'surfaces/vscode': {
    allows: [
      ...['review/gate', 'organisation/folder', 'session/protocol', 'session/client'],
      ...['presentation/copies', 'presentation/wording', 'presentation/pages', 'surfaces/tools'],
    ],
    types: ['core/methods', 'core/engine', 'scan/io', 'scan/indexer'],
    modules: ['node:', '@vscode/l10n', 'jsonc-parser', 'vscode$'],
  },
};

/** Layers by folder in src. @type {Readonly<Record<string, Layer>>} */
export const layers = Object.fromEntries(
  Object.entries(table).map(([name, layer]) => [
    name,
    ['core/kernel', everywhere].includes(name) ? layer : { ...layer, allows: [everywhere, ...layer.allows] },
  ]),
);

/** Path of one folder relative to another, as imports of files at any depth of the latter end. */
export function importedPath(/** @type {string} */ from, /** @type {string} */ to) {
  return path.posix.relative(from, to).replaceAll('../', '');
}
