/**
 * Every check of the project, in one go. Ends with a table and the line "N passed, N failed"; leaves with 1 when
 * anything failed, was killed, hung or had no tests.
 *
 *   node scripts/test.mjs [--no-build] [part…]      only these parts; --list names them
 *
 * Build, types, lint, format, package and set-up count as one check each. A folder of test with *.test.ts files is a part, and so
 * is each such file directly in test: they are found, so that none is forgotten.
 *
 * Environment: KINDRED_PART_SECONDS, how long a part may take; KINDRED_SABOTAGE, see test/harness.
 */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { readOutcome } from './mochaResults.mjs';
import { endGroup, onStop, startGroup } from './processGroup.mjs';
import { root } from './project.mjs';

/**
 * @typedef {object} Part
 * @property {string} name
 * @property {readonly string[]} needs  parts that must have run before it
 * @property {number} limitSeconds      after that it has hung
 * @property {readonly string[]} command  what Node runs, with its arguments
 * @property {boolean} hasTests         whether a results file is added to `command` and read; else it is one check
 */

/** @typedef {import('./mochaResults.mjs').Outcome & { name: string, seconds: number }} Row */

/** Folders of test that start a browser, VS Code, Neovim, PostgreSQL or other slow programs, in the order they run: after those in plain Node. */
const slowFolders = ['database', 'server', 'browser', 'host', 'package', 'interface', 'start', 'harness'];
/** How long one test may take: much more than any does on a quiet machine, so that only a hang is called one. */
const testMs = 120_000;

const temporary = await mkdtemp(path.join(tmpdir(), 'kindred-test-'));
/** @type {import('node:child_process').ChildProcess | undefined} */
let running;
let stopped = false;
onStop(async () => {
  stopped = true;
  if (running !== undefined) await endGroup(running, 10_000);
  await rm(temporary, { recursive: true, force: true });
});
process.exitCode = await main(process.argv.slice(2));
await rm(temporary, { recursive: true, force: true });

/** @param {readonly string[]} programArguments */
async function main(programArguments) {
  const parts = [...checks(), ...(await suites())];
  const names = programArguments.filter((argument) => !argument.startsWith('--'));
  const known = parts.map((part) => part.name);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    console.error(`There is no part ${unknown.join(', ')}. The parts are: ${known.join(', ')}.`);
    return 2;
  }
  if (programArguments.includes('--list')) {
    console.log(known.join('\n'));
    return 0;
  }
  const needed = programArguments.includes('--no-build') ? [] : names.flatMap((name) => needsOf(name, parts));
  /** @type {Row[]} */
  const rows = [];
  for (const part of parts) {
    if (names.length > 0 && !names.includes(part.name) && !needed.includes(part.name)) continue;
    const missing = part.needs.find((need) => rows.some(({ name, failed }) => name === need && failed > 0));
    rows.push(missing === undefined ? await runPart(part) : leaveOut(part, missing));
  }
  return summarize(rows);
}

/** @returns {Part[]} */
function checks() {
  return [
    check('build', [], ['scripts/build.mjs', '--tests']),
    check('types', [], ['node_modules/typescript/bin/tsc', '-b']),
    check('lint', [], ['node_modules/eslint/bin/eslint.js', '.', '--max-warnings', '0']),
    check('format', [], ['node_modules/prettier/bin/prettier.cjs', '--check', '--log-level', 'warn', '.']),
    check('vsix', ['build'], ['scripts/package.mjs', '--no-build']),
    { ...check('setup', [], ['scripts/setUp.mjs']), limitSeconds: 1_800 },
  ];
}

/**
 * @param {string} name
 * @param {readonly string[]} needs
 * @param {readonly string[]} command
 * @returns {Part}
 */
function check(name, needs, command) {
  return { name, needs, limitSeconds: 300, command, hasTests: false };
}

/** @returns {Promise<Part[]>} */
async function suites() {
  const entries = await readdir(path.join(root, 'test'), { recursive: true });
  const files = entries
    .map((entry) => entry.split(path.sep).join('/'))
    .filter((entry) => entry.endsWith('.test.ts') && !entry.startsWith('fixtures/'));
  const names = [...new Set(files.map((file) => file.replace(/(\/|\.test\.ts$).*/, '')))];
  const rank = (/** @type {string} */ name) => slowFolders.indexOf(name);
  names.sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
  return names.map((name) => ({
    name,
    needs: [
      ...(['package', 'interface'].includes(name) ? ['vsix'] : ['build']),
      ...(slowFolders.includes(name) ? ['setup'] : []),
    ],
    limitSeconds: slowFolders.includes(name) ? 900 : 600,
    command: suiteCommand(
      name,
      files.filter((file) => file === `${name}.test.ts` || file.startsWith(`${name}/`)),
    ),
    hasTests: true,
  }));
}

/**
 * @param {string} name
 * @param {readonly string[]} files  sources, relative to test
 */
function suiteCommand(name, files) {
  if (name === 'host') return ['scripts/hostTests.mjs'];
  const sabotage = process.env['KINDRED_SABOTAGE'];
  const suite = sabotage === undefined ? files : [`harness/sabotage/${sabotage}.ts`];
  return [
    'scripts/mochaRun.mjs',
    ...['--timeout', String(testMs)],
    ...suite.map((file) => path.join('dist', 'test', file.replace(/\.ts$/, '.js'))),
  ];
}

/**
 * Everything that a part needs, directly or not.
 *
 * @param {string} name
 * @param {readonly Part[]} parts
 * @returns {string[]}
 */
function needsOf(name, parts) {
  const needs = parts.find((part) => part.name === name)?.needs ?? [];
  return needs.flatMap((need) => [...needsOf(need, parts), need]);
}

/**
 * @param {Part} part
 * @returns {Promise<Row>}
 */
async function runPart(part) {
  console.log(`\n── ${part.name} ──`);
  const start = performance.now();
  const resultsFile = path.join(temporary, `${part.name}.jsonl`);
  const limitSeconds = Number(process.env['KINDRED_PART_SECONDS'] ?? part.limitSeconds);
  const problem = await runNode(part.command, part.hasTests ? resultsFile : undefined, limitSeconds);
  /** @type {import('./mochaResults.mjs').Outcome} */
  const outcome = part.hasTests ? await readOutcome(resultsFile) : { passed: 1, failed: 0, problems: [] };
  if (problem !== undefined) {
    if (!part.hasTests) outcome.passed = 0;
    // A run that says it failed, and whose results tell why, is one failure and not two.
    if (outcome.failed === 0) outcome.failed = 1;
    outcome.problems.push(problem);
  }
  for (const text of outcome.problems) console.error(`${part.name}: ${text}`);
  return { name: part.name, seconds: (performance.now() - start) / 1000, ...outcome };
}

/**
 * A part that is not run, since it would fail for a reason that has been told.
 *
 * @param {Part} part
 * @param {string} missing  what it needs, and has failed
 * @returns {Row}
 */
function leaveOut({ name }, missing) {
  const problem = `It was not run, since it needs ${missing}.`;
  console.error(`\n── ${name} ──\n${name}: ${problem}`);
  return { name, seconds: 0, passed: 0, failed: 1, problems: [problem] };
}

/**
 * Runs Node in the project's folder, without input, until it ends or its time is up.
 *
 * @param {readonly string[]} command
 * @param {string | undefined} resultsFile  told to the program in KINDRED_RESULTS
 * @param {number} limitSeconds
 * @returns {Promise<string | undefined>}  what went wrong, in words
 */
async function runNode(command, resultsFile, limitSeconds) {
  const child = startGroup(process.execPath, command, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: resultsFile === undefined ? process.env : { ...process.env, KINDRED_RESULTS: resultsFile },
  });
  running = child;
  const limit = new AbortController();
  /** @type {string | undefined} */
  const problem = await Promise.race([
    new Promise((resolve) => {
      child.once('exit', (code, signal) => resolve(code === 0 ? undefined : `It ended with ${code ?? signal}.`));
    }),
    delay(limitSeconds * 1000, `It had not ended after ${limitSeconds} s.`, { signal: limit.signal }),
  ]);
  limit.abort();
  // Nothing more is run or told; onStop leaves as soon as the part is gone.
  if (stopped) await new Promise(() => {});
  // Also when it ended by itself: nothing that a part started may outlive it.
  await endGroup(child, 10_000);
  running = undefined;
  return problem;
}

/**
 * Prints what each part came to.
 *
 * @param {readonly Row[]} rows
 * @returns {number}  the exit code
 */
function summarize(rows) {
  const width = Math.max(...rows.map((row) => row.name.length));
  console.log(`\n${'part'.padEnd(width)}  passed  failed  seconds`);
  for (const row of rows) {
    const numbers = [
      String(row.passed).padStart(6),
      String(row.failed).padStart(6),
      row.seconds.toFixed(1).padStart(7),
    ];
    console.log([row.name.padEnd(width), ...numbers].join('  '));
  }
  const passed = rows.reduce((sum, row) => sum + row.passed, 0);
  const failed = rows.reduce((sum, row) => sum + row.failed, 0);
  console.log(`\n${passed} passed, ${failed} failed`);
  return failed === 0 && passed > 0 ? 0 : 1;
}
