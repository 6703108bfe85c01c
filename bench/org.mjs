/**
 * An organization's index: the cost of storing repositories, the latency of searches for a passage, and a scan. For
 * comparison, all folders are scanned once without an index, which must return the same rows.
 *
 *   npm run bench -- org [--repositories FOLDER] [--repository FOLDER]… [--workers N] [--finds N] [--index FOLDER]
 *
 * --repositories  folder that contains the repositories
 * --repository    one repository, instead of or in addition to these. All must be in one folder, or the paths of the
 *                 one scan differ
 * --workers       number of threads of a scan (2)
 * --finds         number of passages of 20 lines to search for (100)
 * --index      folder of an index of these repositories. Passages are searched for in this index, and nothing is
 *                 stored or scanned
 *
 * On a busy machine, wall time is not meaningful.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { root } from '../scripts/project.mjs';
import { machine, median, quantile, round, runProgram, table } from './measuring.mjs';
import { randomNumbers } from './randomNumbers.mjs';

const { values } = parseArgs({
  options: {
    repositories: { type: 'string' },
    repository: { type: 'string', multiple: true, default: [] },
    workers: { type: 'string', default: '2' },
    finds: { type: 'string', default: '100' },
    index: { type: 'string' },
  },
});

const cli = path.join(root, 'dist', 'cli.js');
const repositories = requestedFolders();
if (values.index !== undefined && repositories.length > 0) {
  await findIn(path.resolve(values.index));
} else if (repositories.length < 2) {
  console.error(
    'There is nothing to compare: name two repositories with --repository, or a folder of them with --repositories.',
  );
  process.exitCode = 2;
} else {
  await main();
}

async function main() {
  const folder = mkdtempSync(path.join(tmpdir(), 'kindred-bench-'));
  const index = path.join(folder, 'index');
  try {
    console.log(`${repositories.length} repositories; ${machine()}\n`);
    const stored = store(index);
    const files = repositories.flatMap(sourcesOf);
    const found = find(index, files);
    const staying = await findStaying(index, files);
    const reference = scanFolders();
    const { output, ...scanned } = org(index, [
      'scan',
      '--no-progress',
      '--workers',
      values.workers,
      '--format',
      'json',
    ]);
    const same = rowsOf(output) === reference.rows;
    const row = (/** @type {string} */ name, /** @type {{ wall: number, cpu: number, peakMB: number }} */ figures) => [
      ...[name, figures.wall, figures.cpu, figures.peakMB],
    ];
    console.log(
      table(['', 's', 'CPU s', 'MB'], [row('scan of the index', scanned), row('one scan of all folders', reference)]),
    );
    console.log(`\n${same ? 'same rows' : 'DIFFERENT ROWS'}`);
    if (!same) process.exitCode = 1;
    console.log(
      JSON.stringify({
        stored,
        found,
        staying,
        scanned: { ...scanned, same },
        reference: { ...reference, rows: undefined },
      }),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Searches for passages in an existing index. @param {string} index */
async function findIn(index) {
  const { repositories: stored } = JSON.parse(org(index, ['status', '--format', 'json']).output);
  const origins = new Set(stored.map((/** @type {{ origin: string }} */ { origin }) => origin));
  const missing = repositories.filter((folder) => !origins.has(folder));
  if (missing.length > 0) throw new Error(`not in the index: ${missing.join(', ')}`);
  console.log(machine());
  const files = repositories.flatMap(sourcesOf);
  console.log(JSON.stringify({ found: find(index, files), staying: await findStaying(index, files) }));
}

/**
 * Searches for passages in this process, twice. Returns the figures of both passes.
 *
 * @param {string} index
 * @param {readonly string[]} files
 */
async function findStaying(index, files) {
  const { openSearch } = await import(pathToFileURL(path.join(root, 'dist', 'orgSearch.js')).href);
  const search = openSearch(index, '--index');
  const random = randomNumbers(2);
  const questions = [];
  for (let tries = 0; questions.length < Number(values.finds) && tries < 20 * Number(values.finds); tries++) {
    const file = files[Math.floor(random() * files.length)] ?? '';
    const lines = readFileSync(file, 'utf8').split('\n');
    if (lines.length < 40) continue;
    const start = Math.floor(random() * (lines.length - 20));
    const text = lines.slice(start, start + 20).join('\n');
    const origin = { file, startLine: start + 1, endLine: start + 20 };
    questions.push({ text, path: file, languageId: '', origin, limit: 50 });
  }
  const passes = /** @type {object[]} */ ([]);
  for (const pass of ['first', 'second']) {
    const [walls, processor] = [/** @type {number[]} */ ([]), /** @type {number[]} */ ([])];
    for (const question of questions) {
      const [started, before] = [performance.now(), process.cpuUsage()];
      const { problem } = await search.find(question);
      if (problem !== undefined) throw new Error(problem);
      const { user, system } = process.cpuUsage(before);
      walls.push(performance.now() - started);
      processor.push((user + system) / 1000);
    }
    const [medianMs, ms95] = [round(median(walls)), round(quantile(walls, 0.95))];
    const [cpuMs, cpuMs95] = [round(median(processor)), round(quantile(processor, 0.95))];
    passes.push({ medianMs, ms95, cpuMs, cpuMs95 });
    console.log(
      `find in a process that stays, ${pass} pass of ${questions.length}: median ${medianMs} ms, 95% ${ms95} ms; processor time ${cpuMs} and ${cpuMs95} ms`,
    );
  }
  await search.close();
  return passes;
}

/** @returns {readonly string[]} */
function requestedFolders() {
  const folder = values.repositories;
  const within =
    folder === undefined
      ? []
      : readdirSync(folder, { withFileTypes: true })
          .filter((entry) => entry.isDirectory())
          .map((entry) => path.resolve(folder, entry.name));
  return [...within, ...values.repository.map((name) => path.resolve(name))].sort();
}

/**
 * Runs `kindred org`.
 *
 * @param {string} index
 * @param {readonly string[]} orgArguments
 */
function org(index, orgArguments) {
  const run = runProgram(process.execPath, [cli, 'org', ...orgArguments], { env: { KINDRED_INDEX: index } });
  if (run === undefined) throw new Error('it did not end');
  return {
    output: run.output,
    wall: round(run.wall),
    cpu: round(run.user + run.system),
    peakMB: Math.round(run.peakMB),
  };
}

/** @param {string} index */
function store(index) {
  const rows = repositories.map((folder) => {
    const { wall, cpu, peakMB } = org(index, ['add', '--no-progress', folder]);
    console.log(`stored ${path.basename(folder)}: ${wall} s`);
    return { folder, wall, cpu, peakMB };
  });
  const status = JSON.parse(org(index, ['status', '--format', 'json']).output);
  const linesOf = new Map(
    /** @type {{ origin: string, lines: number }[]} */ (status.repositories).map(({ origin, lines }) => [
      origin,
      lines,
    ]),
  );
  console.log(
    table(
      ['repository', 'lines', 's', 'CPU s', 'MB', 'lines/s'],
      rows.map(({ folder, wall, cpu, peakMB }) => {
        const lines = linesOf.get(folder) ?? 0;
        return [path.basename(folder), lines.toLocaleString('en'), wall, cpu, peakMB, Math.round(lines / wall)];
      }),
    ),
  );
  const sum = (/** @type {'wall' | 'cpu'} */ field) => round(rows.reduce((total, row) => total + row[field], 0));
  const lines = [...linesOf.values()].reduce((total, each) => total + each, 0);
  const bytes = Number(runProgram('du', ['-sb', index])?.output.split('\t')[0]);
  const figures = {
    lines,
    wall: sum('wall'),
    cpu: sum('cpu'),
    bytes,
    linesPerSecond: Math.round(lines / sum('wall')),
    bytesPerLine: round(bytes / lines),
  };
  console.log(
    `\n${lines.toLocaleString('en')} lines: ${figures.linesPerSecond} lines/s, ${figures.bytesPerLine} bytes a line\n`,
  );
  return figures;
}

/** Returns files that are probably stored and have enough lines for a passage. @param {string} folder */
function sourcesOf(folder) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(c|go|java|py|rs|js|ts|rb)$/.test(name) && !/(^|\/)(\.|node_modules|vendor|dist)/.test(name))
    .map((name) => path.join(folder, name));
}

/**
 * Searches for passages, each in a new process.
 *
 * @param {string} index
 * @param {readonly string[]} files
 */
function find(index, files) {
  const random = randomNumbers(1);
  /** @type {{ search: number, wall: number, cpu: number }[]} */
  const calls = [];
  for (let tries = 0; calls.length < Number(values.finds) && tries < 20 * Number(values.finds); tries++) {
    const file = files[Math.floor(random() * files.length)] ?? '';
    const lines = readFileSync(file, 'utf8').split('\n').length;
    if (lines < 40) continue;
    const start = 1 + Math.floor(random() * (lines - 20));
    const { output, wall, cpu } = org(index, ['find', `${file}:${start}-${start + 19}`, '--format', 'json']);
    calls.push({ search: JSON.parse(output).searchMs, wall: 1000 * wall, cpu: 1000 * cpu });
  }
  const searches = calls.map(({ search }) => search);
  const figures = {
    count: calls.length,
    medianMs: round(median(searches)),
    ms95: round(quantile(searches, 0.95)),
    callMedianMs: Math.round(median(calls.map(({ wall }) => wall))),
    callCpuMs: Math.round(median(calls.map(({ cpu }) => cpu))),
  };
  console.log(
    `find, ${figures.count} passages of 20 lines: median ${figures.medianMs} ms, 95% ${figures.ms95} ms; the whole command ${figures.callMedianMs} ms, processor time ${figures.callCpuMs} ms\n`,
  );
  return figures;
}

/** Scans all folders at once, without an index. */
function scanFolders() {
  const run = runProgram(process.execPath, [
    cli,
    'scan',
    '--no-progress',
    '--workers',
    '1',
    '--format',
    'json',
    ...repositories,
  ]);
  if (run === undefined) throw new Error('it did not end');
  return {
    wall: round(run.wall),
    cpu: round(run.user + run.system),
    peakMB: Math.round(run.peakMB),
    rows: rowsOf(run.output),
  };
}

/** Returns the groups of a report without the fields that only one of the commands prints. @param {string} report */
function rowsOf(report) {
  const { groups } = JSON.parse(report);
  return JSON.stringify(
    groups.map((/** @type {{ repositories?: unknown }} */ group) => ({ ...group, repositories: undefined })),
  );
}
