/**
 * Runs the tests on a Spark cluster of this machine (test/spark). Ends with "N passed, N failed".
 *
 *   node scripts/sparkTests.mjs [--no-build]
 *
 * Installs PySpark (about 400 MB) from PyPI into a virtual environment in the folder for caches, once. If Python, Java,
 * or PyPI is missing, prints "skipped" with the reason, and passes.
 */
import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { readOutcome } from './mochaResults.mjs';
import { asksForHelp, helpOf, root } from './project.mjs';

const pyspark = 'pyspark==4.0.1';
const installMs = 600_000;

if (asksForHelp) {
  console.log(helpOf(import.meta.filename));
  process.exit(0);
}
const found = await findSpark();
if ('missing' in found) {
  console.log(`skipped: the tests on Spark need ${found.missing}\n\n0 passed, 0 failed`);
} else {
  process.exitCode = await runTests(found);
}

/**
 * @param {NodeJS.ProcessEnv} spark  variables that name Spark and Python
 * @returns {Promise<number>}  the exit code
 */
async function runTests(spark) {
  const folder = mkdtempSync(path.join(tmpdir(), 'kindred-spark-tests-'));
  const results = path.join(folder, 'results.jsonl');
  try {
    if (!process.argv.includes('--no-build')) node(['scripts/build.mjs', '--tests'], process.env);
    const test = ['scripts/mochaRun.mjs', '--timeout', '1200000', 'dist/test/spark/spark.test.js'];
    const code = node(test, { ...process.env, ...spark, KINDRED_RESULTS: results });
    const { passed, failed, failures, problems } = await readOutcome(results);
    for (const text of [...failures, ...problems]) console.log(`\nspark: ${text}`);
    console.log(`\n${passed} passed, ${failed} failed`);
    return code === 0 && failed === 0 ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Runs Node to its end, and returns the exit code.
 *
 * @param {readonly string[]} nodeArguments
 * @param {NodeJS.ProcessEnv} env
 */
function node(nodeArguments, env) {
  return spawnSync(process.execPath, nodeArguments, { cwd: root, env, stdio: ['ignore', 'inherit', 'inherit'] }).status;
}

/** @returns {Promise<NodeJS.ProcessEnv | { missing: string }>} */
async function findSpark() {
  if (process.platform !== 'linux') return { missing: 'Linux, because they read /proc.' };
  const python = await output('python3', [
    '-c',
    'import sys, venv; print(sys.version_info[0] * 100 + sys.version_info[1])',
  ]);
  if (!(Number(python) >= 309)) return { missing: 'Python 3.9 or newer with venv: install python3 and python3-venv.' };
  const home = process.env['JAVA_HOME'];
  const java = await output(home ? path.join(home, 'bin', 'java') : 'java', ['-version']);
  const version = Number(/version "(\d+)/.exec(java ?? '')?.[1]);
  if (!(version >= 17)) return { missing: 'Java 17 or newer: install it, or set JAVA_HOME.' };
  return installed();
}

/**
 * Installs PySpark unless it is there.
 *
 * @returns {Promise<NodeJS.ProcessEnv | { missing: string }>}
 */
async function installed() {
  const caches = process.env['XDG_CACHE_HOME'] || path.join(homedir(), '.cache');
  const folder = path.join(caches, 'kindred-test', pyspark.replace('==', '-'));
  const complete = path.join(folder, 'complete');
  if (!existsSync(complete)) {
    console.log(`Installing ${pyspark} in ${folder}`);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(path.dirname(folder), { recursive: true });
    try {
      await run('python3', ['-m', 'venv', folder]);
      const pip = [
        '-m',
        'pip',
        'install',
        '--quiet',
        '--disable-pip-version-check',
        '--timeout',
        '15',
        '--retries',
        '1',
      ];
      await run(path.join(folder, 'bin', 'python'), [...pip, pyspark]);
    } catch (error) {
      const lines = String(/** @type {{ stderr?: string }} */ (error).stderr || error)
        .trim()
        .split('\n');
      return { missing: `${pyspark}, which cannot be installed from PyPI (${lines.at(-1)}).` };
    }
    writeFileSync(complete, '');
  }
  const [version = ''] = readdirSync(path.join(folder, 'lib'));
  return {
    SPARK_HOME: path.join(folder, 'lib', version, 'site-packages', 'pyspark'),
    PYSPARK_PYTHON: path.join(folder, 'bin', 'python'),
  };
}

/**
 * @param {string} program
 * @param {readonly string[]} programArguments
 */
function run(program, programArguments) {
  return promisify(execFile)(program, programArguments, { timeout: installMs, maxBuffer: 2 ** 26 });
}

/**
 * Returns both outputs of a program, or `undefined` if it cannot be run.
 *
 * @param {string} program
 * @param {readonly string[]} programArguments
 */
async function output(program, programArguments) {
  try {
    const { stdout, stderr } = await run(program, programArguments);
    return stdout + stderr;
  } catch {
    return undefined;
  }
}
