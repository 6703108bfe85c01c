/**
 * Runs mocha suites and writes the result of every test to a results file, one JSON object per line:
 *
 *   {"type":"start","total":12}  {"type":"pass","title":"…","ms":3}  {"type":"fail",…}  {"type":"hook",…}  …
 *   {"type":"end"}
 *
 * The file decides if a run passed, not the exit code. A process that is killed or exits early with 0 writes no end.
 * The suites in plain Node use this file as a program, and the suites in VS Code's extension host as a function.
 *
 *   KINDRED_RESULTS=<results file> node scripts/mochaRun.mjs --timeout <ms for one test> [--retries N] <built test>…
 *
 * Property tests use one seed, so that a property that passed once passes on every machine. KINDRED_SEED sets another
 * seed, or with `random` a new seed for each property. KINDRED_RUNS scales the number of runs
 * (scripts/scaled.mjs). Use `npm run fuzz` to search for rare failures.
 */
import { appendFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import Mocha from 'mocha';
import { scaled } from './scaled.mjs';

if (process.argv[1] === import.meta.filename) {
  const { values, positionals } = parseArgs({
    options: { timeout: { type: 'string' }, retries: { type: 'string', default: '0' } },
    allowPositionals: true,
  });
  const failures = await runMocha(positionals, Number(values.timeout), Number(values.retries));
  // Not process.exit: a test that leaves a handle open must run into its time limit.
  process.exitCode = failures === 0 ? 0 : 1;
}

/**
 * Runs suites. Writes the results to the console, and for the harness to the file in KINDRED_RESULTS.
 *
 * @param {readonly string[]} files  built test files
 * @param {number} timeoutMs         time limit of a test
 * @param {number} retries           number of times that a failed test is run again, which the results state
 * @returns {Promise<number>}        number of failures
 * @throws if a file cannot be loaded; then there is no results file
 */
export async function runMocha(files, timeoutMs, retries = 0) {
  const resultsFile = process.env['KINDRED_RESULTS'];
  if (resultsFile === undefined) throw new Error('KINDRED_RESULTS does not name a results file.');
  const seed = process.env['KINDRED_SEED'] ?? '1';
  // The default of fast-check, scaled.
  fc.configureGlobal({ numRuns: scaled(100), ...(seed === 'random' ? {} : { seed: Number(seed) }) });
  const mocha = new Mocha({
    ui: 'tdd',
    reporter: 'spec',
    color: false,
    timeout: timeoutMs,
    retries,
    // A test with `only` or `skip` would otherwise pass unnoticed.
    forbidOnly: true,
    forbidPending: true,
    failZero: true,
  });
  for (const file of files) mocha.addFile(path.resolve(file));
  await mocha.loadFilesAsync();
  writeFileSync(resultsFile, '');
  const write = (/** @type {object} */ result) => appendFileSync(resultsFile, JSON.stringify(result) + '\n');
  return new Promise((resolve) => {
    const runner = mocha.run((failures) => {
      write({ type: 'end' });
      resolve(failures);
    });
    write({ type: 'start', total: runner.total });
    const describe = (/** @type {Mocha.Runnable} */ of) => ({ title: of.fullTitle(), ms: of.duration });
    runner.on('pass', (test) => write({ type: 'pass', ...describe(test) }));
    runner.on('fail', (test, error) => write({ type: 'fail', ...describe(test), error: String(error) }));
    runner.on('retry', (test, error) => write({ type: 'retry', title: test.fullTitle(), cause: String(error) }));
    runner.on('hook end', (hook) => write({ type: 'hook', ...describe(hook) }));
  });
}
