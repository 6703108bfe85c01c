/**
 * Counts the passages of a report whose edges are inside something, where no person would begin or end them, by
 * language:
 *
 *   block   between a bracket and its partner
 *   head    between a head and its block
 *   case    in a case of a block in brackets, with other cases inside
 *   indent  in an indented block whose head is on the other side, in languages like Python and Ruby
 *   labels  between a declaration and its decorators or annotations
 *   rest    before an operator that continues a statement: `f(x) ¦ => x + 1`
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
  'core/engine/documents/lines.ts': ['lineOf'],
  'core/engine/documents/tokenPlaces.ts': ['placeOfToken'],
  'core/engine/documents/units.ts': ['formOfBlocks'],
  'core/engine/kernel.ts': ['createMemory', 'Kernel'],
  'core/engine/languages/allLexicons.ts': ['lexiconForPath'],
  'core/engine/languages/tokenKind.ts': ['tokenOf'],
  'core/engine/matches/bracketTokens.ts': ['bracketTokens'],
  'core/engine/options.ts': ['defaultOptions'],
  'core/kernel/documents/placesLayout.ts': ['lineBytes', 'lineTokenAt'],
  'core/kernel/documents/unitLayout.ts': [
    ...['elementBlocks', 'endedBlocks', 'indentedBlocks', 'lineStatements', 'scriptStatements'],
  ],
  'core/kernel/lex/lexedLayout.ts': ['kindMask', 'separatorBits', 'stringKind'],
});
const kernel = new engine.Kernel(engine.createMemory());
const indexer = new engine.DocumentIndexer(kernel, engine.defaultOptions);
const brackets = engine.bracketTokens(kernel, engine.defaultOptions);
const openers = new Set([...brackets.slice(0, 3), brackets[7]]);
const closers = new Set([...brackets.slice(3, 6), brackets[8]]);
const joiningSigns = new Set(
  ['=', '=>', '.', '?.', '->', '&&', '||', '??', '?', '+'].flatMap((sign) =>
    ['operator', 'punctuation'].map((kind) => engine.tokenOf(sign, kind)),
  ),
);
const [openCurly, closeRound] = [brackets[2], brackets[3]];
/** Tokens after which a statement or a rule begins. */
const ends = new Set([openCurly, brackets[5], brackets[6]]);

/**
 * First words of lines that continue the statement before them, and beginnings of lines that end a tag or an element.
 */
const joining = /^(end|else|elif|elsif|elseif|except|catch|finally|rescue|ensure)\b|^(<\/|\/?>)/;
/** A line that consists of decorators, annotations, or attributes. */
const label = /^(@[\w.]+(\(.*\))?|\[[A-Z][\w.]*(\(.*\))?\]|#\[.*\])$/;

/** A line that begins a case. */
const caseLine = /^(case\b.*(:|->|,$)|default\s*(:|->))/;

const kinds = /** @type {const} */ (['block', 'head', 'case', 'indent', 'labels', 'rest']);
/**
 * @typedef {Record<typeof kinds[number], number>} Kinds
 * @typedef {{ passages: number, open: number, after: number, before: number } & Kinds} Counts
 */

const rows = positionals.flatMap((folder) => measure(path.resolve(folder)));
console.log(`${machine()}\n`);
console.log(
  table(
    ['tree', 'language', 'passages of code', 'open', 'share', 'at the end', 'at the beginning', ...kinds],
    rows.map((it) => [
      ...[it.tree, it.language, it.passages, it.open, it.share],
      ...[it.after, it.before, ...kinds.map((kind) => it[kind])],
    ]),
  ),
);
console.log(JSON.stringify({ bench: 'edges', machine: machine(), rows }));

/** @param {string} folder */
function measure(folder) {
  const report = values.report
    ? JSON.parse(readFileSync(values.report, 'utf8'))
    : runKindred(folder, [], { whole: true }).report;
  /** @type {Map<string, any[]>} */
  const byPath = new Map();
  for (const { kind, type, passages } of report.groups) {
    if (kind !== 'code') continue;
    for (const passage of passages) {
      if (!byPath.has(passage.path)) byPath.set(passage.path, []);
      byPath.get(passage.path)?.push({ ...passage, group: `${type}, ${passages.length} passages` });
    }
  }
  /** @type {Map<string, Counts>} */
  const byLanguage = new Map();
  let listed = 0;
  for (const [name, passages] of byPath) {
    const lexicon = engine.lexiconForPath(name);
    const text = readText(readFileSync(path.join(folder, name)), lexicon);
    // Code in the comments or fences of a document has tokens of its own.
    if (text.document.prose) continue;
    const counts = byLanguage.get(lexicon.id) ?? {
      passages: 0,
      open: 0,
      after: 0,
      before: 0,
      block: 0,
      head: 0,
      case: 0,
      indent: 0,
      labels: 0,
      rest: 0,
    };
    byLanguage.set(lexicon.id, counts);
    for (const passage of passages) {
      const from = startOf(text, passage);
      if (from === undefined) continue;
      counts.passages++;
      const found = edgesOf(text, from, from + passage.tokens);
      const before = found.filter(({ isBefore }) => isBefore);
      if (found.length === 0) continue;
      counts.open++;
      if (before.length > 0) counts.before++;
      if (before.length < found.length) counts.after++;
      for (const kind of kinds) {
        if (found.some((it) => it.kind === kind)) counts[kind]++;
      }
      if (listed++ < Number(values.list)) {
        const edges = found.map(({ kind, isBefore }) => `${kind} ${isBefore ? 'before' : 'after'}`);
        console.log(`${name}:${passage.startLine}-${passage.endLine}: ${edges.join(', ')} (${passage.group})`);
      }
    }
  }
  return [...byLanguage]
    .map(([language, counts]) => ({
      tree: path.basename(folder),
      language,
      ...counts,
      share: round(counts.open / Math.max(1, counts.passages), 3),
    }))
    .filter(({ passages }) => passages > 0)
    .sort((a, b) => b.passages - a.passages);
}

/** @typedef {{ first: number, column: number, isStatement: boolean, words: string }} Line */

/**
 * The tokens and lines of a file. A line inside brackets or a string begins no statement.
 *
 * @param {Buffer} buffer
 * @param {any} lexicon
 */
function readText(buffer, lexicon) {
  const bytes = indexer.reserve(buffer.length);
  bytes.set(buffer);
  const document = indexer.index(bytes.subarray(0, buffer.length), lexicon);
  const { tokens: at, tokenCount, lineCount } = document;
  const tokens = kernel.words.slice(at >>> 2, (at >>> 2) + tokenCount);
  /** @type {Line[]} */
  const lines = [];
  let depth = 0;
  let token = 0;
  for (let i = 0; i < lineCount; i++) {
    const first = kernel.words[(document.lines + engine.lineBytes * i + engine.lineTokenAt) >>> 2];
    for (; token < first; token++) {
      if (tokens[token] === engine.separatorBits >>> 0) depth = 0;
      else if (openers.has(tokens[token])) depth++;
      else if (closers.has(tokens[token]) && depth > 0) depth--;
    }
    const { start, lineStart } = engine.placeOfToken(kernel, document, first);
    const end = buffer.indexOf(10, start);
    const isString = (tokens[first] & engine.kindMask) === engine.stringKind;
    lines.push({
      first,
      column: start - lineStart,
      isStatement: depth === 0 && !isString && tokens[first] !== engine.separatorBits >>> 0,
      words: buffer.toString('utf8', start, end < 0 ? buffer.length : end).trim(),
    });
  }
  const blocks = engine.formOfBlocks(lexicon);
  const form = blocks === engine.scriptStatements ? engine.lineStatements : blocks;
  const { data: isData = false } = lexicon;
  if (form !== engine.elementBlocks) return { buffer, document, tokens, lines, form, isData };
  // Text and attributes belong to the tag before them. Only embedded code has braces.
  for (const line of lines) line.isStatement &&= line.words.startsWith('<') || joining.test(line.words);
  const contentForm = tokens.includes(openCurly) ? engine.lineStatements : form;
  return { buffer, document, tokens, lines, form: contentForm, isData };
}

/**
 * The edges of tokens [from, to) that are inside something.
 *
 * @param {ReturnType<typeof readText>} text
 * @param {number} from
 * @param {number} to
 */
function edgesOf({ tokens, lines, form, isData }, from, to) {
  /** @type {{ kind: typeof kinds[number], isBefore: boolean }[]} */
  const found = [];
  let [unopened, unclosed] = [0, 0];
  for (let i = from; i < to; i++) {
    if (openers.has(tokens[i])) unclosed++;
    else if (!closers.has(tokens[i])) continue;
    else if (unclosed > 0) unclosed--;
    else unopened++;
  }
  if (unopened > 0) add('block', true);
  if (unclosed > 0) add('block', false);
  if (tokens[from] === openCurly && tokens[from - 1] === closeRound) add('head', true);
  if (tokens[to] === openCurly && tokens[to - 1] === closeRound) add('head', false);
  if (isRest(from)) add('rest', true);
  if (isRest(to)) add('rest', false);
  const first = lineFrom(lines, from + 1) - 1;
  const next = lineFrom(lines, to);
  if (form < engine.indentedBlocks && !isData) {
    const cases = casesIn(first, next);
    if (cases.length > 0 && cases[0] !== from) add('case', true);
    if (cases.length > 0 && !endsCase(next)) add('case', false);
  }
  const isWhole = lines[next - 1] !== undefined && lines[first].first === from;
  if (isWhole && !label.test(lines[first].words) && first > 0 && label.test(lines[first - 1].words))
    add('labels', true);
  if (label.test(lines[next - 1].words) && (lines[next] === undefined || lines[next].first === to))
    add('labels', false);
  if (form < engine.indentedBlocks) return found;
  const statements = lines.slice(first, next).filter(({ isStatement }, i) => isStatement || i === 0);
  const columns = statements.map(({ column }) => column);
  if (joining.test(lines[first].words) || columns.some((it) => it < columns[0])) add('indent', true);
  const behind = lines.slice(next).find(({ isStatement }) => isStatement);
  if (behind !== undefined) {
    // The block before `end` goes on up to it. The nearest line that is indented less is the head of a block.
    const inside = behind.column + Number(form >= engine.endedBlocks && joining.test(behind.words));
    const head = lines
      .slice(0, next)
      .filter((it) => it.isStatement && it.column < inside)
      .at(-1);
    if (head !== undefined && statements.includes(head)) add('indent', false);
  }
  return found;

  /**
   * True if a token continues a statement. In style sheets, a rule may begin with an operator.
   *
   * @param {number} token
   */
  function isRest(token) {
    return joiningSigns.has(tokens[token]) && token > 0 && !ends.has(tokens[token - 1]);
  }

  /**
   * The first tokens of the cases of lines [first, end) that are in no block inside of the passage.
   *
   * @param {number} first
   * @param {number} end
   */
  function casesIn(first, end) {
    /** @type {number[]} */
    let cases = [];
    let [depth, minDepth, line] = [0, 0, first];
    for (let i = from; i < to; i++) {
      while (line < end && lines[line].first < i) line++;
      if (lines[line]?.first === i && depth === minDepth && caseLine.test(lines[line].words)) cases.push(i);
      if (openers.has(tokens[i])) depth++;
      else if (closers.has(tokens[i]) && --depth < minDepth) [minDepth, cases] = [depth, []];
    }
    return cases;
  }

  /** @param {number} next  number of the next line */
  function endsCase(next) {
    const isLine = lines[next] === undefined || lines[next].first === to;
    return to === tokens.length || closers.has(tokens[to]) || (isLine && caseLine.test(lines[next].words));
  }

  /**
   * @param {typeof kinds[number]} kind
   * @param {boolean} isBefore
   */
  function add(kind, isBefore) {
    found.push({ kind, isBefore });
  }
}

/**
 * The number of the first line that begins at a token or after it.
 *
 * @param {readonly Line[]} lines
 * @param {number} token
 */
function lineFrom(lines, token) {
  let [low, high] = [0, lines.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (lines[middle].first < token) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * The first token of a passage; undefined if no token begins there.
 *
 * @param {ReturnType<typeof readText>} text
 * @param {any} passage
 */
function startOf({ buffer, document, lines }, { startLine, startColumn }) {
  const line = lines.find(({ first }) => engine.lineOf(kernel, document, first) + 1 === startLine);
  if (line === undefined) return undefined;
  for (let token = line.first; token < document.tokenCount; token++) {
    const { start, lineStart } = engine.placeOfToken(kernel, document, token);
    const column = 1 + (document.isAscii ? start - lineStart : buffer.toString('utf8', lineStart, start).length);
    if (column >= startColumn) return column === startColumn ? token : undefined;
  }
  return undefined;
}
