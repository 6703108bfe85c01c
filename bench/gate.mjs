/**
 * The gate over the history of a repository. Each first-parent commit is checked out and compared with the commit
 * before it. The index is kept between commits, as in a pipeline with a cache.
 *
 *   npm run bench -- gate --repository FOLDER [--commits N] [--from REF] [--reports FOLDER]
 *
 * --repository  a clone; the bench works in a copy
 * --commits     number of commits (200)
 * --from        newest commit (HEAD)
 * --reports     folder for the text reports of commits with new or diverged copies
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../scripts/project.mjs';
import { machine, median, quantile, round, table } from './measuring.mjs';

const { values } = parseArgs({
  options: {
    repository: { type: 'string' },
    commits: { type: 'string', default: '200' },
    from: { type: 'string', default: 'HEAD' },
    reports: { type: 'string' },
  },
});

/**
 * @typedef {object} Checked
 * @property {string} commit
 * @property {number} wallMs
 * @property {number} cpuMs      of all threads of the process
 * @property {number} files      number of files that differ from the previous commit
 * @property {number} lines      lines of the tree
 * @property {number} newGroups
 * @property {number} diverged
 */

/** @param {string} repository */
function main(repository) {
  const folder = mkdtempSync(path.join(tmpdir(), 'kindred-bench-'));
  try {
    const copy = path.join(folder, 'tree');
    const git = (/** @type {readonly string[]} */ ...gitArguments) =>
      execFileSync('git', ['-C', copy, ...gitArguments], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    execFileSync('git', ['clone', '--quiet', '--no-checkout', '--shared', repository, copy], { stdio: 'ignore' });
    const commits = git('log', '--first-parent', '--format=%H', '-n', values.commits, values.from)
      .trim()
      .split('\n')
      .reverse();
    if (values.reports) mkdirSync(values.reports, { recursive: true });
    /** @type {Checked[]} */
    const all = [];
    git('checkout', '--quiet', `${commits[0]}~1`);
    check(copy, folder, undefined);
    for (const commit of commits) {
      git('checkout', '--quiet', commit);
      const files = git('diff', '--name-only', 'HEAD~1', 'HEAD').trim().split('\n').length;
      const { report, ...times } = check(copy, folder, 'HEAD~1');
      const { newGroups, diverged } = report.check;
      all.push({ commit, ...times, files, lines: report.totals.lines, newGroups, diverged: diverged.length });
      if (values.reports && newGroups + diverged.length > 0) keep(copy, commit, values.reports, git);
    }
    printSummary(all);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * @param {string} copy
 * @param {string} folder
 * @param {string | undefined} since
 */
function check(copy, folder, since) {
  const output = path.join(folder, 'report.json');
  const cpu = path.join(folder, 'cpu.json');
  const checkOptions = since === undefined ? ['--max-groups', '1000000'] : [`--since=${since}`];
  const begin = performance.now();
  const { status, stderr } = spawnSync(
    process.execPath,
    [
      ...[
        '--import',
        path.join(root, 'bench/stageClock.mjs'),
        path.join(root, 'dist/cli.js'),
        'check',
        ...checkOptions,
      ],
      ...['--cache', path.join(folder, 'cache'), '--format', 'json', '--output', output, '--no-progress'],
    ],
    { cwd: copy, encoding: 'utf8', env: { ...process.env, KINDRED_STAGES: cpu } },
  );
  const wallMs = performance.now() - begin;
  if (status !== 0 && status !== 1) throw new Error(`kindred check: ${stderr}`);
  const ends = JSON.parse(readFileSync(cpu, 'utf8'));
  return { report: JSON.parse(readFileSync(output, 'utf8')), wallMs, cpuMs: ends.at(-1).cpuMs };
}

/**
 * @param {string} copy
 * @param {string} commit
 * @param {string} reports
 * @param {(...gitArguments: readonly string[]) => string} git
 */
function keep(copy, commit, reports, git) {
  const { stdout } = spawnSync(process.execPath, [path.join(root, 'dist/cli.js'), 'check', '--since=HEAD~1'], {
    cwd: copy,
    encoding: 'utf8',
  });
  const diff = git('diff', '-M', '--stat', 'HEAD~1', 'HEAD');
  writeFileSync(
    path.join(reports, `${commit.slice(0, 10)}.txt`),
    `${git('log', '-1', '--format=%H %s')}\n${diff}\n${stdout}`,
  );
}

/** @param {readonly Checked[]} all */
function printSummary(all) {
  const withNew = all.filter(({ newGroups }) => newGroups > 0);
  const withDiverged = all.filter(({ diverged }) => diverged > 0);
  const row = (/** @type {string} */ name, /** @type {readonly number[]} */ numbers) => [
    ...[name, round(median(numbers), 0), round(quantile(numbers, 0.95), 0), round(Math.max(...numbers), 0)],
  ];
  console.log(`${all.length} commits, ${all.at(-1)?.lines} lines; ${machine()}\n`);
  const walls = all.map(({ wallMs }) => wallMs);
  const cpus = all.map(({ cpuMs }) => cpuMs);
  console.log(table(['ms', 'median', '95%', 'most'], [row('wall', walls), row('processor', cpus)]));
  console.log(`\nNew copies in ${withNew.length} commits, ${sum(withNew, 'newGroups')} groups;`);
  console.log(`edited in some copies only in ${withDiverged.length} commits, ${sum(withDiverged, 'diverged')} groups.`);
  console.log(JSON.stringify({ commits: all }));
}

/**
 * @param {readonly Checked[]} all
 * @param {'newGroups' | 'diverged'} key
 */
function sum(all, key) {
  return all.reduce((total, checked) => total + checked[key], 0);
}

if (values.repository === undefined) {
  console.error('usage: npm run bench -- gate --repository FOLDER [--commits N] [--from REF] [--reports FOLDER]');
  process.exitCode = 2;
} else main(values.repository);
