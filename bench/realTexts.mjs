/**
 * Real texts for benches that edit copies: files of trees by language, with the lines that Kindred compares and their
 * tokens. A line counts if a token begins on it that is neither a comment nor an import. Lines are strings with one
 * character per byte (latin1), so that offsets of tokens are offsets in the strings.
 */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../scripts/project.mjs';
import { importSources } from './sources.mjs';

const engine = await importSources({
  'core/engine/documents/indexDocument.ts': ['DocumentIndexer'],
  'core/engine/kernel.ts': ['createMemory', 'Kernel'],
  'core/engine/languages/allLexicons.ts': ['lexiconForPath'],
  'core/engine/options.ts': ['defaultOptions'],
  'core/engine/languages/tokenKind.ts': ['tokenKinds'],
  'core/kernel/lex/lexedLayout.ts': ['kindMask'],
  'core/engine/documents/lines.ts': ['lineOf'],
  'core/engine/documents/tokenPlaces.ts': ['placeOfToken'],
  'scan/io/listSources.ts': ['listSources'],
  'scan/io/judgeContent.ts': ['judgeText'],
  'scan/io/readSource.ts': ['readSource'],
  'scan/io/sources.ts': ['defaultSourceOptions'],
});
const { defaultSourceOptions } = engine;

/** Minimum size of a passage. */
export const { minTokens, minLines } = engine.defaultOptions;
export const { minWords } = engine.defaultOptions.prose;

/**
 * A token: its kind, its hash and kind in one number, and its start and end within its line. The end is Infinity if the
 * token ends on another line.
 *
 * @typedef {{ kind: string, word: number, from: number, to: number }} Token
 */

/**
 * A text by lines. `tokens` has a list for each line, which is empty if nothing is compared. On the lines `apart`, the
 * language changes, so no passage extends across them.
 *
 * @typedef {{ path: string, language: string, prose: boolean, lines: string[], tokens: Token[][], apart: Set<number>,
 *   counted: number }} RealText
 */

const kernel = new engine.Kernel(engine.createMemory());
const indexer = new engine.DocumentIndexer(kernel, engine.defaultOptions);

/**
 * Returns the named trees, or the folders of `corpora` in the project.
 *
 * @param {readonly string[]} named
 * @returns {readonly string[]}
 */
export function treesFrom(named) {
  if (named.length > 0) return named;
  const folder = path.join(root, 'corpora');
  if (!existsSync(folder)) throw new Error(`Name trees to take files from: there is no ${folder}.`);
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => path.join(folder, name));
}

/**
 * Returns the files of a tree by language, in random order, without files that a scan would skip.
 *
 * @param {string} tree
 * @param {() => number} random
 * @returns {Promise<Map<string, { path: string, file: string }[]>>}
 */
export async function filesByLanguage(tree, random) {
  const { files } = await engine.listSources([tree], defaultSourceOptions, () => false);
  const byLanguage = new Map();
  for (const file of shuffled(files, random)) {
    const { id } = engine.lexiconForPath(file.path);
    if (!byLanguage.has(id)) byLanguage.set(id, []);
    byLanguage.get(id).push(file);
  }
  return byLanguage;
}

/**
 * @param {{ path: string, file: string }} file
 * @returns {RealText | undefined}  undefined if a scan would skip it, or if it has carriage returns as line ends
 */
export function readText(file) {
  const source = engine.readSource(file, defaultSourceOptions, (size) => indexer.reserve(size));
  if (!source.bytes) return undefined;
  const text = Buffer.from(source.bytes).toString('latin1');
  // A single carriage return also ends a line.
  return /\r(?!\n)/.test(text) ? undefined : textOf(file.path, text.split('\n'));
}

/**
 * Creates a text from these lines.
 *
 * @param {string} name
 * @param {string[]} lines
 * @returns {RealText}
 */
export function textOf(name, lines) {
  const bytes = Buffer.from(lines.join('\n'), 'latin1');
  const reserved = indexer.reserve(bytes.length);
  reserved.set(bytes);
  const { id, prose } = engine.lexiconForPath(name);
  const index = indexer.index(reserved.subarray(0, bytes.length), engine.lexiconForPath(name));
  const tokens = lines.map(() => []);
  const apart = new Set();
  const lineRecords = kernel.words.subarray(index.lines >>> 2, (index.lines >>> 2) + 2 * index.lineCount);
  for (let record = 0; record < index.lineCount; record++) {
    const first = lineRecords[2 * record];
    const line = engine.lineOf(kernel, index, first);
    const end = record + 1 < index.lineCount ? lineRecords[2 * record + 2] : index.tokenCount;
    const { lineStart } = engine.placeOfToken(kernel, index, first);
    for (let token = first; token < end; token++) {
      const word = kernel.words[(index.tokens >>> 2) + token];
      const kind = engine.tokenKinds[word & engine.kindMask];
      if (kind === undefined) {
        apart.add(line);
        continue;
      }
      const { start, end: endOffset } = engine.placeOfToken(kernel, index, token);
      const to = endOffset - lineStart;
      tokens[line].push({ kind, word, from: start - lineStart, to: to > lines[line].length ? Infinity : to });
    }
  }
  const counted = tokens.filter(({ length }) => length > 0).length;
  return { path: name, language: id, prose, lines, tokens, apart, counted };
}

/**
 * Writes a text to a folder. The name has forward slashes.
 *
 * @param {string} folder
 * @param {string} name
 * @param {readonly string[]} lines
 */
export function writeLines(folder, name, lines) {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, Buffer.from(lines.join('\n'), 'latin1'));
}

/** Returns true if a scan would read the text. An edit may make a text look generated. */
export function isRead({ path: name, lines }) {
  const bytes = Buffer.from(lines.join('\n'), 'latin1');
  return engine.judgeText(name, bytes, defaultSourceOptions) === undefined;
}

/**
 * Returns the share of the lines with a repeated form. Three consecutive lines of at least twelve tokens, with names
 * and literals ignored, have a repeated form if it occurs at three other places. Tables, lists of cases, and tests have
 * a large share.
 *
 * @param {RealText} text
 */
export function shareOfForms({ tokens }) {
  const lines = tokens.filter(({ length }) => length > 0);
  const forms = lines.map((line) => line.map(formOf).join(' '));
  const places = new Map();
  for (let i = 0; i + 3 <= lines.length; i++) {
    if (lines[i].length + lines[i + 1].length + lines[i + 2].length < 12) continue;
    const key = forms.slice(i, i + 3).join('\n');
    if (!places.has(key)) places.set(key, []);
    places.get(key).push(i);
  }
  const repeated = new Set();
  for (const list of places.values()) {
    if (list.length > 3) for (const i of list) for (const line of [i, i + 1, i + 2]) repeated.add(line);
  }
  return repeated.size / Math.max(1, lines.length);
}

/** @param {Token} token */
function formOf({ kind, word }) {
  return ['identifier', 'call', 'number', 'string', 'word'].includes(kind) ? kind : word;
}

/**
 * Creates a file with `sections` sections from the lexer's fixture of each language. Each section is the text with
 * other names and words.
 *
 * @param {number} sections
 * @returns {Promise<RealText[]>}
 */
export async function sectionedFixtures(sections) {
  const folder = path.join(root, 'test/fixtures/lex');
  const { files } = await engine.listSources([folder], defaultSourceOptions, () => false);
  return files
    .filter((file) => !file.path.endsWith('.tokens'))
    .flatMap((file) => {
      const text = readText(file);
      if (!text) return [];
      const lines = Array.from({ length: sections }, (_, section) =>
        text.lines.map((line, i) => renameWords(line, text.tokens[i], section)),
      );
      return [textOf(file.path, lines.flat())];
    });
}

/** Renames the words of a line. The first section is unchanged. */
function renameWords(line, tokens, section) {
  if (section === 0) return line;
  let renamed = line;
  for (const { kind, to } of [...tokens].reverse()) {
    if (to === Infinity || !['identifier', 'call', 'word'].includes(kind)) continue;
    renamed = `${renamed.slice(0, to)}${'abcdefgh'[section % 8]}${renamed.slice(to)}`;
  }
  return renamed;
}

/**
 * @template Item
 * @param {readonly Item[]} list
 * @param {() => number} random
 * @returns {Item[]}
 */
export function shuffled(list, random) {
  const items = [...list];
  for (let i = 0; i < items.length; i++) {
    const j = i + Math.floor(random() * (items.length - i));
    [items[i], items[j]] = [items[j], items[i]];
  }
  return items;
}
