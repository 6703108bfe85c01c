/**
 * Detection of a copy beside a relative of it. Functions and other blocks between blank lines are copied from real
 * files into unrelated files after an edit of a known kind. In a second scan, each copy is above or below another copy
 * with 35% edited lines.
 *
 *   npm run bench -- kin [TREE…] [--seed N] [--pairs N] [--cli FILE]
 *
 * TREE     source of the files (all folders of `corpora` in the project)
 * --seed   seed of the choice of files and edits (1)
 * --pairs  number of copies of each language of each tree, in equal numbers of each kind (54)
 * --cli    measures another build of the program
 *
 * A copy is found if one row has 70% of its lines and 70% of the lines of its original (bench/rowsOfReport.mjs).
 * `kept` is the share of the copies found alone that are also found beside their relative. T1: layout. T2: names and
 * literals. T3: lines.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../scripts/project.mjs';
import { editLines, freshName, isName, mapTokens, otherLiteral, statementsOf } from './lineEdits.mjs';
import { machine, round, runProgram, table } from './measuring.mjs';
import { randomNumbers } from './randomNumbers.mjs';
import { filesByLanguage, readText, textOf, treesFrom, writeLines } from './realTexts.mjs';
import { rowsByLine } from './rowsOfReport.mjs';

/** @typedef {import('./realTexts.mjs').RealText} RealText */

/** @typedef {{ text: RealText, from: number, to: number }} Fragment lines [from, to) of a text */

const { values, positionals } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    pairs: { type: 'string', default: '54' },
    cli: { type: 'string', default: path.join(root, 'dist/cli.js') },
  },
  allowPositionals: true,
});

/** Limits of lines and tokens of a copied fragment. */
const [fewestLines, maxLines, fewestTokens, maxTokens] = [8, 60, 70, 600];
/** Share of the lines of a relative that are edited. */
const rateOfRelative = 0.35;
/** Minimum share of the lines of either side in a row. */
const minShare = 0.7;

/** Functions that create the lines of a copy, by kind of edit. */
const kinds = {
  'T1 layout': (fragment, how) => linesOf(fragment).flatMap((line) => relaid(line, how.random)),
  'T2 names': (fragment, how) => renamed(fragment, how.random, 1),
  'T2 some names': (fragment, how) => renamed(fragment, how.random, 0.3),
  'T2 literals': ({ text, from, to }, { random }) =>
    text.lines
      .slice(from, to)
      .map((line, i) => mapTokens(line, text.tokens[from + i], (token, word) => otherLiteral(token, word, random))),
  'T3 a line': (fragment, how) => edited(fragment, how, 0.01),
  'T3 10%': (fragment, how) => edited(fragment, how, 0.1),
  'T3 20%': (fragment, how) => edited(fragment, how, 0.2),
  'T3 30%': (fragment, how) => edited(fragment, how, 0.3),
  'T3 a block': (fragment, how) => withBlock(fragment, how),
};

await main();

async function main() {
  const trees = treesFrom(positionals);
  const copies = await makeCopies(trees);
  const [alone, beside] = ['alone', 'beside'].map((where) => findCopies(copies, where));
  const outcomes = copies.map(({ kind, language }, i) => ({ kind, language, alone: alone[i], beside: beside[i] }));
  const byKind = Object.keys(kinds).map((kind) => ({ kind, ...summary(outcomes.filter((one) => one.kind === kind)) }));
  const languages = [...new Set(outcomes.map(({ language }) => language))].sort();
  const byLanguage = languages.map((language) => ({
    language,
    ...summary(outcomes.filter((one) => one.language === language)),
  }));
  const all = summary(outcomes);
  console.log(`${copies.length} copies, each alone and beside a relative; ${machine()}\n`);
  const head = ['', 'copies', 'alone', 'beside', 'kept'];
  const row = (name, { copies: count, alone: found, beside: both, kept }) => [name, count, found, both, kept];
  console.log(table(head, [...byKind.map((figures) => row(figures.kind, figures)), row('all', all)]));
  console.log();
  console.log(
    table(
      head,
      byLanguage.map((figures) => row(figures.language, figures)),
    ),
  );
  console.log();
  console.log(
    JSON.stringify({ bench: 'kin', machine: machine(), seed: Number(values.seed), ...all, byKind, byLanguage }),
  );
}

/**
 * Creates the copies and their host files. Each copy has its own host and its own original.
 *
 * @param {readonly string[]} trees
 */
async function makeCopies(trees) {
  const random = randomNumbers(Number(values.seed));
  const copies = [];
  for (const tree of trees) {
    for (const files of (await filesByLanguage(tree, random)).values()) {
      const requested = Number(values.pairs);
      const [originals, hosts] = [[], []];
      for (const file of files.slice(0, 20 * requested)) {
        if (originals.length >= requested && hosts.length >= requested) break;
        const text = readText(file);
        if (!text || text.prose || text.counted > 1200) continue;
        const fragments = fragmentsOf(text);
        if (fragments.length === 0) continue;
        const fragment = fragments[Math.floor(random() * fragments.length)];
        if (originals.length <= hosts.length) originals.push(fragment);
        else hosts.push(fragment);
      }
      const donors = hosts.flatMap(({ text }) => statementsOf(text));
      hosts.slice(0, requested).forEach((host, i) => {
        const [kind, make] = Object.entries(kinds)[i % Object.keys(kinds).length];
        const original = originals[i];
        const lines = make(original, { donors, random });
        if (!lines) return;
        const relative = edited(original, { donors, random }, rateOfRelative);
        const copyIsFirst = random() < 0.5;
        copies.push({ kind, language: original.text.language, original, host, lines, relative, copyIsFirst });
      });
    }
  }
  return copies;
}

/**
 * Returns the blocks between blank lines whose lines are indented at least like the first one, with balanced brackets.
 *
 * @param {RealText} text
 * @returns {Fragment[]}
 */
function fragmentsOf(text) {
  const { lines, tokens } = text;
  const depth = (line) => /^\s*/.exec(lines[line])[0].length;
  const isBlank = (line) => lines[line].trim() === '';
  const fragments = [];
  for (let from = 0; from < lines.length; from++) {
    if (isBlank(from) || tokens[from].length === 0 || (from > 0 && !isBlank(from - 1))) continue;
    let open = 0;
    for (
      let to = from;
      to < Math.min(lines.length, from + maxLines) && (isBlank(to) || depth(to) >= depth(from));
      to++
    ) {
      for (const letter of lines[to]) open += '([{'.includes(letter) ? 1 : ')]}'.includes(letter) ? -1 : 0;
      const isEnd = to + 1 === lines.length || isBlank(to + 1);
      if (open !== 0 || !isEnd || isBlank(to) || to + 1 - from < fewestLines) continue;
      const count = tokens.slice(from, to + 1).reduce((sum, own) => sum + own.length, 0);
      if (count >= fewestTokens && count <= maxTokens) fragments.push({ text, from, to: to + 1 });
    }
  }
  return fragments;
}

/** @param {Fragment} fragment */
function linesOf({ text, from, to }) {
  return text.lines.slice(from, to);
}

function relaid(line, random) {
  const [indent] = /^[ \t]*/.exec(line);
  const wider = `${indent}${indent}${line.slice(indent.length)}`;
  return random() < 0.2 && line.trim() !== '' ? [wider, ''] : [wider];
}

/** Replaces a share of the names, each consistently. */
function renamed({ text, from, to }, random, share) {
  const names = new Map();
  return text.lines.slice(from, to).map((line, i) =>
    mapTokens(line, text.tokens[from + i], (token, word) => {
      if (!isName(token)) return word;
      if (!names.has(word)) names.set(word, random() < share ? freshName(random) : word);
      return names.get(word);
    }),
  );
}

function edited({ text, from, to }, { donors, random }, rate) {
  return editLines(text, { rate, donors, random, from, to }).map((line) => line.text);
}

/** Inserts four to eight lines near the middle. */
function withBlock(fragment, { donors, random }) {
  if (donors.length === 0) return undefined;
  const lines = linesOf(fragment);
  const at = Math.floor(lines.length * (0.25 + random() / 2));
  const [indent] = /^\s*/.exec(lines[at]);
  const count = 4 + Math.floor(random() * 5);
  const block = Array.from({ length: count }, () => `${indent}${donors[Math.floor(random() * donors.length)].trim()}`);
  return [...lines.slice(0, at), ...block, ...lines.slice(at)];
}

/**
 * Returns for each copy true if it is found.
 *
 * @param {'alone' | 'beside'} where
 */
function findCopies(copies, where) {
  const folder = mkdtempSync(path.join(tmpdir(), 'kindred-kin-'));
  try {
    const places = copies.map(({ original, host, lines, relative, copyIsFirst }, i) => {
      const [source, target] = [original, host].map(({ text }, side) => `${i}/${side}/${path.basename(text.path)}`);
      writeLines(folder, source, original.text.lines);
      // The copy goes after the fragment of the host, where there is a blank line or the end.
      const before = [...host.text.lines.slice(0, host.to), ''];
      const first = where === 'beside' && !copyIsFirst ? [...relative, ''] : [];
      const last = where === 'beside' && copyIsFirst ? ['', ...relative] : [];
      const whole = [...before, ...first, ...lines, ...last, ...host.text.lines.slice(host.to)];
      writeLines(folder, target, whole);
      const start = before.length + first.length;
      const text = textOf(path.basename(host.text.path), whole);
      return { source, target, text, start, end: start + lines.length };
    });
    const report = path.join(folder, 'report.json');
    const options = ['--format', 'json', '--output', report, '--no-progress', '--exclude', 'report.json'];
    runProgram(process.execPath, [values.cli, 'scan', folder, ...options]);
    const byLine = rowsByLine(JSON.parse(readFileSync(report, 'utf8')));
    return copies.map(({ original }, i) => {
      const { source, target, text, start, end } = places[i];
      const left = shares(byLine.get(source), original.text, original.from, original.to);
      const right = shares(byLine.get(target), text, start, end);
      return [...left].some(([row, share]) => share >= minShare && (right.get(row) ?? 0) >= minShare);
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Returns the share of lines [from, to) that each row has. Blank lines, comments, and imports do not count. */
function shares(rows, { tokens }, from, to) {
  const counts = new Map();
  let total = 0;
  for (let line = from; line < to; line++) {
    if (tokens[line].length === 0) continue;
    total++;
    for (const row of rows?.[line] ?? []) counts.set(row, (counts.get(row) ?? 0) + 1);
  }
  return new Map([...counts].map(([row, count]) => [row, count / total]));
}

function summary(outcomes) {
  const share = (list, test) => round(list.filter(test).length / list.length, 3);
  const found = outcomes.filter(({ alone }) => alone);
  return {
    copies: outcomes.length,
    alone: share(outcomes, ({ alone }) => alone),
    beside: share(outcomes, ({ beside }) => beside),
    kept: share(found, ({ beside }) => beside),
  };
}
