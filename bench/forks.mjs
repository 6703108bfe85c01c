/**
 * Share of a fork that is found. Whole files are copied, 0 to 30% of the lines of the copy are edited
 * (bench/lineEdits.mjs), and both files are scanned among unrelated files. The measure is the share of the unedited
 * lines that are in one row with their counterpart. Comments, imports, and blank lines do not count.
 *
 *   npm run bench -- forks [TREE…] [--seed N] [--files N] [--others N] [--cli FILE]
 *
 * TREE      source of the files (all folders of `corpora` in the project). In addition, the fixture of each language of
 *           the lexer is forked, as a file with six sections of renamed text.
 * --seed    seed of the choice of files and edits (1)
 * --files   number of files of each language of each tree to fork (24). If possible, half of them are repetitive, such
 *           as tests, tables, and lists of cases (`shareOfForms`)
 * --others  total number of unrelated files (300)
 * --cli     measures another build of the program
 *
 * Columns of a table:
 *   lines     share of all unedited lines, for plain files, repetitive files, and the fixtures of the lexer
 *   in runs   the same for lines in runs that form a passage: with the minimum number of tokens and lines, and without
 *             edits. These must be found in any context.
 *   whole     share of the forks with at least 99% of these lines found
 *   rows      mean number of rows that a fork shares with its original; 1 if it is reported once
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../scripts/project.mjs';
import { editLines, statementsOf } from './lineEdits.mjs';
import { machine, round, runProgram, table } from './measuring.mjs';
import { randomNumbers } from './randomNumbers.mjs';
import {
  filesByLanguage,
  isRead,
  minLines,
  minTokens,
  minWords,
  readText,
  sectionedFixtures,
  shareOfForms,
  shuffled,
  textOf,
  treesFrom,
  writeLines,
} from './realTexts.mjs';
import { rowsByLine } from './rowsOfReport.mjs';

const { values, positionals } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    files: { type: 'string', default: '24' },
    others: { type: 'string', default: '300' },
    cli: { type: 'string', default: path.join(root, 'dist/cli.js') },
  },
  allowPositionals: true,
});
const rates = [0, 0.05, 0.1, 0.2, 0.3];
/** Minimum and maximum number of counted lines of a forked file. */
const [fewestLines, maxLines] = [40, 1200];
/** Number of files of a language to examine for each requested file. */
const looks = 30;
/** Minimum share of lines in repeated forms in a repetitive file. */
const minForms = 0.4;

await main();

async function main() {
  const trees = treesFrom(positionals);
  const { originals, others, donors } = await choose(trees);
  const figures = rates.map((rate) => measure(rate, originals, others, donors));
  print(figures, originals, others.length);
}

/**
 * Chooses the files to fork, the unrelated files, and the statements to insert, by language.
 *
 * @param {readonly string[]} trees
 */
async function choose(trees) {
  const random = randomNumbers(Number(values.seed));
  const originals = (await sectionedFixtures(6)).map((text) => ({ text, sort: 'fixture' }));
  const rest = [];
  for (const tree of trees) {
    for (const files of (await filesByLanguage(tree, random)).values()) {
      const half = Number(values.files) / 2;
      const samplesBySort = { plain: [], repeated: [] };
      let examined = 0;
      for (const file of files) {
        if (samplesBySort.plain.length >= half && (samplesBySort.repeated.length >= half || examined >= looks * half))
          break;
        examined++;
        const text = readText(file);
        if (!text || text.counted < fewestLines || text.counted > maxLines) continue;
        const sort = shareOfForms(text) >= minForms ? 'repeated' : 'plain';
        if (samplesBySort[sort].length < half) samplesBySort[sort].push({ text, sort });
      }
      originals.push(...samplesBySort.plain, ...samplesBySort.repeated);
      rest.push(files.slice(examined));
    }
  }
  const others = [];
  const donors = new Map(originals.map(({ text }) => [text.language, []]));
  // Takes one file of each language of each tree in turn.
  for (let turn = 0; others.length < Number(values.others) && rest.some(({ length }) => length > turn); turn++) {
    for (const files of rest) {
      const text = files[turn] && readText(files[turn]);
      if (!text || text.counted > maxLines || others.length >= Number(values.others)) continue;
      others.push(text);
      donors.get(text.language)?.push(...statementsOf(text));
    }
  }
  for (const { text } of originals) {
    const own = donors.get(text.language);
    // If no other file has this language, statements of the file itself are inserted.
    if (own.length < 20) own.push(...shuffled(statementsOf(text), random));
  }
  return { originals, others, donors };
}

/** Writes the files with forks of one edit rate, scans them, and counts the found lines. */
function measure(rate, originals, others, donors) {
  const random = randomNumbers(Number(values.seed) + Math.round(1000 * rate));
  const folder = mkdtempSync(path.join(tmpdir(), 'kindred-forks-'));
  try {
    others.forEach((text, i) => writeLines(folder, nameOf('others', i, text), text.lines));
    const forks = originals.map(({ text, sort }, i) => {
      const edited = editLines(text, { rate, donors: donors.get(text.language), random });
      const lines = edited.map((line) => line.text);
      const fork = textOf(text.path, lines);
      const [ofOriginal, ofFork] = [nameOf('originals', i, text), nameOf('forks', i, text)];
      writeLines(folder, ofOriginal, text.lines);
      writeLines(folder, ofFork, lines);
      return { text, sort, edited, fork, ofOriginal, ofFork };
    });
    const report = path.join(folder, 'report.json');
    const scan = [
      values.cli,
      'scan',
      folder,
      '--format',
      'json',
      '--output',
      report,
      '--no-progress',
      '--exclude',
      'report.json',
    ];
    runProgram(process.execPath, scan);
    const byLine = rowsByLine(JSON.parse(readFileSync(report, 'utf8')));
    return {
      rate,
      forks: forks
        .filter(({ fork }) => isRead(fork))
        .map(({ text, sort, edited, fork, ofOriginal, ofFork }) => {
          const [left, right] = [byLine.get(ofOriginal) ?? [], byLine.get(ofFork) ?? []];
          return { language: text.language, sort, path: text.path, ...count(text, edited, fork, left, right) };
        }),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Each file has its own folder, because some languages are recognized by the complete file name. */
function nameOf(kind, number, text) {
  return `${kind}/${number}/${path.basename(text.path)}`;
}

/**
 * @param {(Set<string> | undefined)[]} left   rows of the lines of the original
 * @param {(Set<string> | undefined)[]} right  rows of the lines of the fork
 */
function count(original, edited, fork, left, right) {
  const figures = { lines: 0, found: 0, linesInRuns: 0, foundInRuns: 0, rows: 0, missing: [] };
  const minSize = original.prose ? minWords : minTokens;
  const places = edited.flatMap(({ origin }, place) =>
    origin >= 0 && original.tokens[origin].length > 0 && fork.tokens[place].length > 0 ? [{ origin, place }] : [],
  );
  for (const run of runsOf(places, original, fork)) {
    const tokens = run.reduce((sum, { origin }) => sum + original.tokens[origin].length, 0);
    const isPassage = tokens >= minSize && run.at(-1).origin - run[0].origin + 1 >= minLines;
    const missing = run.filter(({ origin, place }) => !meet(left[origin], right[place]));
    const found = run.length - missing.length;
    figures.lines += run.length;
    figures.found += found;
    figures.linesInRuns += isPassage ? run.length : 0;
    figures.foundInRuns += isPassage ? found : 0;
    if (isPassage) figures.missing.push(...missing.map(({ origin }) => origin + 1));
  }
  const rowsOfFork = new Set(right.flatMap((rows) => [...(rows ?? [])]));
  figures.rows = new Set(left.flatMap((rows) => [...(rows ?? [])].filter((row) => rowsOfFork.has(row)))).size;
  return figures;
}

/** Returns runs of lines that are consecutive in both texts, without lines that do not count. */
function runsOf(places, original, fork) {
  const runs = [];
  let before;
  for (const at of places) {
    const goesOn =
      before && isEmptyBetween(original, before.origin, at.origin) && isEmptyBetween(fork, before.place, at.place);
    if (goesOn) runs.at(-1).push(at);
    else runs.push([at]);
    before = at;
  }
  return runs;
}

function isEmptyBetween({ tokens, apart }, from, to) {
  for (let line = from + 1; line < to; line++) if (tokens[line].length > 0) return false;
  for (let line = from; line <= to; line++) if (apart.has(line)) return false;
  return true;
}

function meet(left, right) {
  if (!left || !right) return false;
  for (const row of left) if (right.has(row)) return true;
  return false;
}

function print(figures, originals, others) {
  const sorts = ['plain', 'repeated', 'fixture'];
  const sizes = sorts.map((sort) => `${originals.filter((original) => original.sort === sort).length} ${sort}`);
  console.log(`${originals.length} files forked (${sizes.join(', ')}) among ${others} others; ${machine()}\n`);
  const byRate = figures.map(({ rate, forks }) => ({
    rate,
    ...summary(forks),
    bySort: Object.fromEntries(sorts.map((sort) => [sort, summary(forks.filter((fork) => fork.sort === sort))])),
  }));
  console.log(
    table(
      ['edited', 'lines', ...sorts, 'in runs', ...sorts, 'whole', 'rows'],
      byRate.map(({ rate, bySort, ...all }) => [
        ...[`${100 * rate}%`, all.lines, ...sorts.map((sort) => bySort[sort].lines)],
        ...[all.inRuns, ...sorts.map((sort) => bySort[sort].inRuns), all.whole, all.rows],
      ]),
    ),
  );
  const byLanguage = languageFigures(figures, ({ sort }) => sort !== 'fixture');
  const fixtures = languageFigures(figures, ({ sort }) => sort === 'fixture');
  console.log('\nFiles of trees by language, lines / lines in runs:\n');
  console.log(languageTable(byLanguage));
  console.log('\nTexts of the lexer’s tests of which some line in a run is not found:\n');
  console.log(languageTable(fixtures.filter(({ inRuns }) => inRuns.some((share) => share !== null && share < 1))));
  const worst = figures
    .flatMap(({ rate, forks }) => forks.map((fork) => ({ rate, ...fork })))
    .filter(({ missing }) => missing.length > 0)
    .sort((x, y) => y.missing.length - x.missing.length)
    .slice(0, 20);
  console.log('\nMost lines in runs that are not found:\n');
  console.log(
    table(
      ['file', 'edited', 'lines', 'not found', 'of the original, first and last'],
      worst.map(({ path: name, rate, lines, missing }) => [
        ...[name, `${100 * rate}%`, lines, missing.length, `${missing[0]}–${missing.at(-1)}`],
      ]),
    ),
  );
  console.log();
  console.log(
    JSON.stringify({ bench: 'forks', machine: machine(), seed: Number(values.seed), byRate, byLanguage, fixtures }),
  );
}

/** Computes the shares of lines and of lines in runs, by language and rate. */
function languageFigures(figures, counts) {
  const languages = [...new Set(figures[0].forks.filter(counts).map(({ language }) => language))].sort();
  return languages.map((language) => {
    const own = figures.map(({ forks }) => forks.filter((fork) => counts(fork) && fork.language === language));
    const summaries = own.map((forks) => summary(forks));
    return {
      language,
      files: own[0].length,
      lines: summaries.map(({ lines }) => lines),
      inRuns: summaries.map(({ inRuns }) => inRuns),
    };
  });
}

function languageTable(figures) {
  return table(
    ['', 'files', ...rates.map((rate) => `${100 * rate}%`)],
    figures.map(({ language, files, lines, inRuns }) => [
      ...[language, files, ...lines.map((share, i) => `${share ?? '–'} / ${inRuns[i] ?? '–'}`)],
    ]),
  );
}

function summary(forks) {
  const sum = (/** @type {string} */ field) => forks.reduce((total, fork) => total + fork[field], 0);
  return {
    forks: forks.length,
    lines: round(sum('found') / sum('lines'), 3),
    inRuns: round(sum('foundInRuns') / sum('linesInRuns'), 3),
    whole: round(forks.filter(({ lines, found }) => found >= 0.99 * lines).length / forks.length, 3),
    rows: round(sum('rows') / forks.length, 2),
  };
}
