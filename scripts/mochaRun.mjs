/**
 * Runs mocha suites and writes what became of every test to a results file, one JSON object a line:
 *
 *   {"type":"start","total":12}  {"type":"pass","title":"…","ms":3}  {"type":"fail",…}  {"type":"hook",…}  …  {"type":"end"}
 *
 * The file, not an exit code, decides whether a run passed: a process that is killed, or leaves early with 0, writes no
 * end. Used for the suites in plain Node (as a program) and for those in VS Code's extension host (as a function).
 *
 *   KINDRED_RESULTS=<results file> node scripts/mochaRun.mjs --timeout <ms for one test> <built test file>…
 *
 * Property tests draw from one seed, so that what passed once passes on every machine. KINDRED_SEED sets another one, or
 * `random` a new one for each property; searching for rare failures is what `npm run fuzz` is for.
 */
import { appendFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import Mocha from 'mocha';

if (process.argv[1] === import.meta.filename) {
  const { values, positionals } = parseArgs({ options: { timeout: { type: 'string' } }, allowPositionals: true });
  const failures = await runMocha(positionals, Number(values.timeout));
  // Not process.exit: a test that leaves a handle open shall be seen, as a part that runs into its time limit.
  process.exitCode = failures === 0 ? 0 : 1;
}

/**
 * Runs suites, tells a person on the console, and the harness in the file that KINDRED_RESULTS names.
 *
 * @param {readonly string[]} files  built test files
 * @param {number} timeoutMs         for one test
 * @returns {Promise<number>}        how many failed
 * @throws when a file cannot be loaded; then there is no results file
 */
export async function runMocha(files, timeoutMs) {
  const resultsFile = process.env['KINDRED_RESULTS'];
  if (resultsFile === undefined) throw new Error('KINDRED_RESULTS does not name a results file.');
  const seed = process.env['KINDRED_SEED'] ?? '1';
  if (seed !== 'random') fc.configureGlobal({ seed: Number(seed) });
  const mocha = new Mocha({
    ui: 'tdd',
    reporter: 'spec',
    color: false,
    timeout: timeoutMs,
    // A test left alone or switched off would pass unseen.
    forbidOnly: true,
    forbidPending: true,
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
    runner.on('fail', (test) => write({ type: 'fail', ...describe(test) }));
    runner.on('hook end', (hook) => write({ type: 'hook', ...describe(hook) }));
  });
}
