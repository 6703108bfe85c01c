/**
 * Counts the passages of a report that end inside a block: those with a bracket whose partner is outside. Such a passage
 * begins or ends where no person would begin or end it.
 *
 *   npm run bench -- edges [--report FILE] [--list N] FOLDER…
 *
 * --report  a JSON report of the only folder; without it, the folder is scanned
 * --list    number of such passages to print (0)
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { machine, round, runKindred, table } from './measuring.mjs';
import { importSources } from './sources.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { report: { type: 'string' }, list: { type: 'string', default: '0' } },
});
const engine = await importSources({
  'core/engine/documents/indexDocument.ts': ['DocumentIndexer'],
  'core/engine/documents/tokenPlaces.ts': ['placeOfToken'],
  'core/engine/kernel.ts': ['createMemory', 'Kernel'],
  'core/engine/languages/lexicon.ts': ['lexiconForPath'],
  'core/engine/matches/bracketTokens.ts': ['bracketTokens'],
  'core/engine/options.ts': ['defaultOptions'],
});
const kernel = new engine.Kernel(engine.createMemory());
const indexer = new engine.DocumentIndexer(kernel, engine.defaultOptions);
const brackets = engine.bracketTokens(kernel, engine.defaultOptions);
/** Bytes of the record of a line: its first token and its number. */
const lineBytes = 8;
const openers = new Set(brackets.slice(0, 3));
const closers = new Set(brackets.slice(3, 6));

const trees = positionals.map((folder) => ({ tree: path.basename(folder), ...measure(path.resolve(folder)) }));
console.log(`${machine()}\n`);
console.log(
  table(
    ['tree', 'groups', 'passages of code', 'with an open block', 'share', 'open at the end', 'at the beginning'],
    trees.map((it) => [it.tree, it.groups, it.passages, it.open, it.share, it.unclosed, it.unopened]),
  ),
);
console.log(JSON.stringify({ bench: 'edges', machine: machine(), trees }));

/** @param {string} folder */
function measure(folder) {
  const report = values.report
    ? JSON.parse(readFileSync(values.report, 'utf8'))
    : runKindred(folder, [], { whole: true }).report;
  /** @type {Map<string, any[]>} */
  const byPath = new Map();
  for (const { kind, passages } of report.groups) {
    if (kind !== 'code') continue;
    for (const passage of passages) {
      if (!byPath.has(passage.path)) byPath.set(passage.path, []);
      byPath.get(passage.path)?.push(passage);
    }
  }
  const counts = { groups: report.groups.length, passages: 0, open: 0, unclosed: 0, unopened: 0 };
  let listed = 0;
  for (const [name, passages] of byPath) {
    const text = readFileSync(path.join(folder, name));
    const bytes = indexer.reserve(text.length);
    bytes.set(text);
    const document = indexer.index(bytes.subarray(0, text.length), engine.lexiconForPath(name));
    const tokens = kernel.words.slice(document.tokens >>> 2, (document.tokens >>> 2) + document.tokenCount);
    const lines = firstTokens(document);
    for (const passage of passages) {
      const start = startOf(document, text, lines, passage);
      // Code in the comments or fences of a document has tokens of its own.
      if (start === undefined || document.prose) continue;
      counts.passages++;
      const { unopened, unclosed } = openBlocks(tokens.subarray(start, start + passage.tokens));
      if (unopened + unclosed === 0) continue;
      counts.open++;
      if (unopened > 0) counts.unopened++;
      if (unclosed > 0) counts.unclosed++;
      if (listed++ < Number(values.list)) {
        console.log(`${name}:${passage.startLine}-${passage.endLine}: ${unopened} before, ${unclosed} after`);
      }
    }
  }
  return { ...counts, share: round(counts.open / Math.max(1, counts.passages), 3) };
}

/**
 * The numbers of brackets whose partners are before and after a run of tokens.
 *
 * @param {Uint32Array} tokens
 */
function openBlocks(tokens) {
  let unopened = 0;
  let unclosed = 0;
  for (const token of tokens) {
    if (openers.has(token)) unclosed++;
    else if (!closers.has(token)) continue;
    else if (unclosed > 0) unclosed--;
    else unopened++;
  }
  return { unopened, unclosed };
}

/**
 * The first token of each line with tokens, by the number of the line from 1.
 *
 * @param {any} document
 */
function firstTokens({ lines, lineCount }) {
  const first = new Map();
  for (let i = 0; i < lineCount; i++) {
    const at = (lines + lineBytes * i) >>> 2;
    first.set(kernel.words[at + 1] + 1, kernel.words[at]);
  }
  return first;
}

/**
 * The first token of a passage; undefined if no token begins there.
 *
 * @param {any} document
 * @param {Buffer} text
 * @param {ReadonlyMap<number, number>} lines
 * @param {any} passage
 */
function startOf(document, text, lines, { startLine, startColumn }) {
  const first = lines.get(startLine);
  if (first === undefined) return undefined;
  for (let token = first; token < document.tokenCount; token++) {
    const { start, lineStart } = engine.placeOfToken(kernel, document, token);
    const column = 1 + (document.isAscii ? start - lineStart : text.toString('utf8', lineStart, start).length);
    if (column >= startColumn) return column === startColumn ? token : undefined;
  }
  return undefined;
}
