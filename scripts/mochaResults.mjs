/** Reads the results file of `mochaRun.mjs` and decides if the run is valid. */
import { readFile } from 'node:fs/promises';

/**
 * Result of a run.
 *
 * @typedef {object} Outcome
 * @property {number} passed
 * @property {number} failed    number of failed tests, hooks, and `problems`
 * @property {string[]} failures  titles and errors of failed tests and hooks
 * @property {readonly string[]} repeated  titles of tests that failed and were run again, each with its error
 * @property {string[]} problems  descriptions of problems of the run itself
 * @property {readonly Duration[]} durations  of tests and hooks
 */

/**
 * @typedef {object} Duration
 * @property {string} title
 * @property {number} ms
 */

/**
 * A line of the results file.
 *
 * @typedef {object} Result
 * @property {string} type
 * @property {number} [total]
 * @property {string} [title]
 * @property {number} [ms]
 * @property {string} [error]
 * @property {string} [cause]  error of a test that is run again
 */

/**
 * Returns the outcome of a run. A missing file, an unfinished run, no tests, and tests that did not run are failures.
 *
 * @param {string} resultsFile
 * @returns {Promise<Outcome>}
 */
export async function readOutcome(resultsFile) {
  const text = await readFile(resultsFile, 'utf8').catch(() => '');
  const results = text
    .split('\n')
    .filter((line) => line.endsWith('}'))
    .map((line) => /** @type {Result} */ (JSON.parse(line)));
  const count = (/** @type {string} */ type) => results.filter((result) => result.type === type).length;
  const total = results.find((result) => result.type === 'start')?.total ?? 0;
  const passed = count('pass');
  const failed = count('fail');
  const problems = [];
  if (count('start') === 0) problems.push('The tests did not start.');
  else if (count('end') === 0) problems.push(`The run ended after ${passed + failed} of ${total} tests.`);
  else if (total === 0) problems.push('There were no tests.');
  else if (passed + failed < total) problems.push(`${total - passed - failed} of ${total} tests did not run.`);
  const durations = results.flatMap(({ title, ms }) =>
    title === undefined || ms === undefined ? [] : [{ title, ms }],
  );
  const failures = results.flatMap(({ title, error }) => (error === undefined ? [] : [`${title}\n${error}`]));
  const repeated = results.flatMap(({ title, cause }) => (cause === undefined ? [] : [`${title}\n${cause}`]));
  return { passed, failed: failed + problems.length, failures, repeated, problems, durations };
}
