/**
 * The parts of the checks of the project, which scripts/test.mjs runs, at each of three levels.
 *
 * Build, types, lint, format, package and set-up are one check each. A folder of test with *.test.ts files is a part,
 * and so are each such file directly in test and each path of `withPrograms`. The files are found, so that none is
 * forgotten.
 */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { root, typeScript } from './project.mjs';

/**
 * Check: what needs only Node. Full: everything. Long: random searches and large inputs, without the rest.
 *
 * @typedef {'check' | 'full' | 'long'} Level
 */

/**
 * @typedef {object} Part
 * @property {string} name
 * @property {readonly string[]} needs  parts that must have passed before it starts
 * @property {readonly string[]} after  parts that must have ended before it starts, because both write the same files
 * @property {number} limitSeconds      the part counts as hung after this time without a result. A check has one
 *                                      result, at its end, so its limit is far above its time on a busy machine
 * @property {readonly string[]} command  arguments of Node
 * @property {NodeJS.ProcessEnv} environment  variables beside those of this process
 * @property {boolean} opensWindow      true if it drives a window of VS Code or a browser
 * @property {boolean} isUrgent         true if the whole run takes as long as this part and those that wait for it
 * @property {boolean} hasTests         true if it writes a results file; otherwise it is one check
 */

/**
 * Folders and files of test that start a browser, VS Code, Neovim or npm, the longest first. In all of these lists, a
 * path with a slash is a part of its own, and its folder does not include it.
 */
const withPrograms = [
  'interface',
  'host',
  'server/lsp',
  'release',
  'bench/programs',
  'bench/windows',
  'package',
  'start',
  'browser',
  'harness',
];
const withWindow = ['interface', 'large', 'host', 'package', 'start', 'browser', 'bench/windows'];
/** Folders that need only Node but take longer than a check before each commit may. */
const searches = ['faults', 'fuzz'];
/** Folders of the long level alone: a window with large inputs, and packages that are built twice from nothing. */
const longOnly = ['large', 'reproducible'];
/** Folder of tests on a Spark cluster, which scripts/sparkTests.mjs runs. */
const spark = 'spark';
/** Parts in Node with a database, which a check before each commit leaves out. */
const unchecked = ['organisation/duckdb', 'server/organisation'];
/** The longest parts in plain Node. They start first, so that the short ones fill the gaps at the end. */
const longest = ['engine', 'cli', 'stress', ...unchecked, 'worker', 'indexer'];
/** Scale of random searches (scripts/scaled.mjs) at each level. @satisfies {Record<Level, number>} */
const scale = { check: 0.1, full: 1, long: 10 };
/** Limit of one test at scale 1: far above its time on an idle machine, so that only a hang exceeds it. */
const testMs = 600_000;

/**
 * The parts of a level, in the order in which they start as soon as all that they need has passed.
 *
 * @param {Level} level
 * @returns {Promise<Part[]>}
 */
export async function testParts(level) {
  const files = await testFiles();
  const build = { ...check('build', [], ['scripts/build.mjs', '--tests']), isUrgent: true };
  const isPlain = (/** @type {string} */ name) => ![...withPrograms, ...searches, ...longOnly, spark].includes(name);
  const plain = suites(files, level, isPlain);
  if (level === 'check') return [build, ...checks(), ...plain.filter(({ name }) => !unchecked.includes(name))];
  const setup = { ...check('setup', [], ['scripts/setUp.mjs']), isUrgent: true };
  const vsix = { ...check('vsix', ['build'], ['scripts/package.mjs', '--no-build']), isUrgent: true };
  if (level === 'long') {
    const large = suites(files, level, (name) => longOnly.includes(name));
    return [build, setup, vsix, ...longRuns(plain), ...large];
  }
  const others = suites(files, level, (name) => withPrograms.includes(name) || searches.includes(name));
  const urgent = others.filter(({ isUrgent }) => isUrgent);
  const programs = others.filter(({ isUrgent }) => !isUrgent);
  return [build, setup, vsix, ...urgent, ...checks(), ...programs, ...plain];
}

/** @returns {Promise<string[]>}  sources, relative to test */
async function testFiles() {
  const entries = await readdir(path.join(root, 'test'), { recursive: true });
  return entries
    .map((entry) => entry.split(path.sep).join('/'))
    .filter((entry) => entry.endsWith('.test.ts') && !entry.startsWith('fixtures/'))
    .sort();
}

/** Checks of all files of the project. Those of ESLint and Prettier skip files that have not changed. */
function checks() {
  const cache = (/** @type {string} */ place) => ['--cache', '--cache-strategy', 'content', '--cache-location', place];
  return [
    check('lint', [], ['node_modules/eslint/bin/eslint.js', '.', '--max-warnings', '0', ...cache('.tsc/eslint/')]),
    check('lint/types', [], ['node_modules/oxlint/bin/oxlint']),
    { ...check('types', [], [typeScript, '-b']), after: ['build'] },
    check(
      'format',
      [],
      ['node_modules/prettier/bin/prettier.cjs', ...['--check', '--log-level', 'warn', '.', ...cache('.tsc/prettier')]],
    ),
  ];
}

/**
 * @param {string} name
 * @param {readonly string[]} needs
 * @param {readonly string[]} command
 * @returns {Part}
 */
function check(name, needs, command) {
  const kind = { opensWindow: false, isUrgent: false, hasTests: false };
  return { name, needs, after: [], limitSeconds: 5_400, command, environment: {}, ...kind };
}

/**
 * @param {readonly string[]} files
 * @param {Level} level
 * @param {(name: string) => boolean} isIncluded
 * @returns {Part[]}
 */
function suites(files, level, isIncluded) {
  const names = [...new Set(files.map(partOf))].filter(isIncluded);
  const rank = (/** @type {string} */ name) => {
    const place = [...withPrograms, ...searches, ...longest].indexOf(name);
    return place < 0 ? Infinity : place;
  };
  names.sort((a, b) => (rank(a) === rank(b) ? (a < b ? -1 : 1) : rank(a) - rank(b)));
  return names.map((name) => ({
    name,
    needs: [
      ...(['package', 'interface', 'large', 'release', 'start', 'bench/windows'].includes(name) ? ['vsix'] : ['build']),
      ...(withPrograms.includes(name) || name === 'large' ? ['setup'] : []),
    ],
    after: [],
    limitSeconds: 1_800,
    command: suiteCommand(
      name,
      files.filter((file) => partOf(file) === name),
      level,
    ),
    environment: { KINDRED_RUNS: process.env['KINDRED_RUNS'] ?? String(scale[level]) },
    opensWindow: withWindow.includes(name),
    isUrgent: withWindow.includes(name),
    hasTests: true,
  }));
}

/**
 * The part that a test file belongs to.
 *
 * @param {string} file
 */
function partOf(file) {
  const own = [...withPrograms, ...unchecked].find(
    (name) => name.includes('/') && (file === `${name}.test.ts` || file.startsWith(`${name}/`)),
  );
  return own ?? file.replace(/(\/|\.test\.ts$).*/, '');
}

/**
 * @param {string} name
 * @param {readonly string[]} files  sources, relative to test
 * @param {Level} level
 */
function suiteCommand(name, files, level) {
  if (name === 'host') return ['scripts/hostTests.mjs'];
  const sabotage = process.env['KINDRED_SABOTAGE'];
  const suite = sabotage === undefined ? files : [`harness/sabotage/${sabotage}.ts`];
  return [
    'scripts/mochaRun.mjs',
    ...['--timeout', String(testMs * Math.max(1, scale[level]))],
    // The workbench can lose a click or a key when it draws a part again, or before it knows a key binding.
    ...(name === 'interface' ? ['--retries', '1'] : []),
    ...suite.map((file) => path.join('dist', 'test', file.replace(/\.ts$/, '.js'))),
  ];
}

/**
 * Random searches with a new seed each time, a soak in a window, and the ecosystem check.
 *
 * @param {readonly Part[]} plain
 * @returns {Part[]}
 */
function longRuns(plain) {
  const hour = { limitSeconds: 7_200 };
  return [
    { ...check('fuzz', ['build'], ['dist/test/fuzz/run.js', '--minutes', '15', '--keep-going']), ...hour },
    { ...check('faults', ['build'], ['dist/test/faults/run.js', '--tries', '20']), ...hour },
    { ...check('soak', ['build', 'setup'], ['bench/soak.mjs']), ...hour },
    { ...check('ecosystem', ['build'], ['bench/ecosystem.mjs', '--no-build']), ...hour },
    ...plain.map((part) => ({ ...part, ...hour, environment: { ...part.environment, KINDRED_SEED: 'random' } })),
  ];
}
