/**
 * Runs the parts of the checks of the project (scripts/testParts.mjs) side by side. Ends with a table and the line
 * "N passed, N failed". The exit code is 1 if a test failed, was killed, hung or did not run.
 *
 *   node scripts/test.mjs [--check | --long] [--no-build] [--slowest] [part…]
 *
 * --check     only what needs no other program than Node (npm run check)
 * --long      random searches, soaks, large folders, and the ecosystem check, one at a time (npm run test:long)
 * --no-build  does not run the parts that the named ones need
 * --slowest   also prints the slowest tests and set-ups
 * --list      prints the names of the parts
 * part        only these parts and the parts they need
 *
 * Environment: KINDRED_LANES, the number of parts at a time; KINDRED_HANG_SECONDS, the time without a result after
 * which a part whose tests have started counts as hung; KINDRED_SABOTAGE, see test/harness.
 */
import { writeFileSync } from 'node:fs';
import { mkdtemp, open, readFile, rm, stat } from 'node:fs/promises';
import { availableParallelism, constants, getPriority, setPriority, tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { readOutcome } from './mochaResults.mjs';
import { endGroup, onStop, startGroup } from './processGroup.mjs';
import { asksForHelp, helpOf, root } from './project.mjs';
import { testParts } from './testParts.mjs';

/** @typedef {import('./testParts.mjs').Part} Part */
/** @typedef {import('./mochaResults.mjs').Outcome & { name: string, seconds: number }} Row */

/**
 * Number of windows at a time. A window waits for half of its time, and one after the other, the windows took longer
 * than everything else.
 */
const maxWindows = 2;
/** Length of the list of `--slowest`. */
const maxSlowest = 40;

const temporary = await mkdtemp(path.join(tmpdir(), 'kindred-test-'));
/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set();
let stopped = false;
onStop(async () => {
  stopped = true;
  await Promise.all([...running].map((child) => endGroup(child, 10_000)));
  await rm(temporary, { recursive: true, force: true });
});
if (asksForHelp) console.log(helpOf(import.meta.filename));
else process.exitCode = await main(process.argv.slice(2));
await rm(temporary, { recursive: true, force: true });

/** @param {readonly string[]} programArguments */
async function main(programArguments) {
  const has = (/** @type {string} */ option) => programArguments.includes(option);
  const parts = await testParts(has('--check') ? 'check' : has('--long') ? 'long' : 'full');
  const requestedParts = programArguments.filter((argument) => !argument.startsWith('--'));
  const partNames = parts.map((part) => part.name);
  const unknown = requestedParts.filter((name) => !partNames.includes(name));
  if (unknown.length > 0) {
    console.error(`There is no part ${unknown.join(', ')}. The parts are: ${partNames.join(', ')}.`);
    return 2;
  }
  if (has('--list')) {
    console.log(partNames.join('\n'));
    return 0;
  }
  const names = partNames.filter((name) =>
    requestedParts.some((folder) => name === folder || name.startsWith(`${folder}/`)),
  );
  const needed = has('--no-build') ? [] : names.flatMap((name) => needsOf(name, parts));
  const selectedParts = parts.filter(
    ({ name }) => requestedParts.length === 0 || names.includes(name) || needed.includes(name),
  );
  const rows = await runParts(selectedParts, has('--long') ? 1 : lanes());
  if (has('--slowest')) printSlowest(rows);
  return summarize(rows);
}

/**
 * Two more than there are cores, because windows often wait. More than four would be too much for the memory of most
 * machines.
 */
function lanes() {
  return Number(process.env['KINDRED_LANES'] ?? Math.min(4, availableParallelism() + 2));
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
 * Runs each part as soon as a lane is free and what it needs has passed.
 *
 * @param {readonly Part[]} parts
 * @param {number} laneCount
 * @returns {Promise<Row[]>}  in the order of `parts`
 */
async function runParts(parts, laneCount) {
  /** @type {Map<string, Row>} */
  const rows = new Map();
  /** @type {Map<string, Promise<void>>} */
  const started = new Map();
  const isOver = (/** @type {string} */ name) => rows.has(name) || !parts.some((part) => part.name === name);
  const print = parts.length === 1 || laneCount === 1 ? 'live' : 'at the end';
  for (;;) {
    const waiting = parts.filter(({ name }) => !rows.has(name) && !started.has(name));
    const missing = (/** @type {Part} */ part) => part.needs.find((need) => (rows.get(need)?.failed ?? 0) > 0);
    const hopeless = waiting.find((part) => missing(part) !== undefined);
    if (hopeless !== undefined) {
      rows.set(hopeless.name, leaveOut(hopeless, /** @type {string} */ (missing(hopeless))));
      continue;
    }
    const ready = waiting.filter((part) => [...part.needs, ...part.after].every(isOver));
    const windows = parts.filter(({ name, opensWindow }) => opensWindow && started.has(name)).length;
    const next = ready.find(({ opensWindow }) => !opensWindow || windows < maxWindows) ?? ready[0];
    if (next !== undefined && started.size < laneCount) {
      const run = runPart(next, print).then((row) => {
        rows.set(next.name, row);
        started.delete(next.name);
      });
      started.set(next.name, run);
      continue;
    }
    if (started.size === 0) break;
    await Promise.race(started.values());
  }
  return parts.map(({ name }) => /** @type {Row} */ (rows.get(name)));
}

/**
 * @param {Part} part
 * @param {'live' | 'at the end'} print  when its output is printed; of parts that run side by side it would be mixed up
 * @returns {Promise<Row>}
 */
async function runPart(part, print) {
  const heading = `\n── ${part.name} ──`;
  if (print === 'live') console.log(heading);
  const start = performance.now();
  const file = path.join(temporary, part.name.replaceAll('/', '-'));
  const output = print === 'live' ? undefined : await open(`${file}.log`, 'w');
  const problem = await runNode(part, `${file}.jsonl`, output?.fd ?? 'inherit');
  await output?.close();
  if (output !== undefined) console.log(`${heading}\n${await readFile(`${file}.log`, 'utf8')}`);
  /** @type {import('./mochaResults.mjs').Outcome} */
  const outcome = part.hasTests
    ? await readOutcome(`${file}.jsonl`)
    : { passed: 1, failed: 0, failures: [], repeated: [], problems: [], durations: [] };
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
 * Returns the row of a part that is not run, because it would fail for a reason that was reported before.
 *
 * @param {Part} part
 * @param {string} missing  a part that it needs and that has failed
 * @returns {Row}
 */
function leaveOut({ name }, missing) {
  const problem = `It was not run, since it needs ${missing}.`;
  console.error(`\n── ${name} ──\n${name}: ${problem}`);
  const nothing = { failures: [], repeated: [], durations: [] };
  return { name, seconds: 0, passed: 0, failed: 1, problems: [problem], ...nothing };
}

/**
 * Runs the command of a part in the project's folder, without input, until it ends or hangs.
 *
 * @param {Part} part
 * @param {string} resultsFile
 * @param {number | 'inherit'} output  where both of its streams go
 * @returns {Promise<string | undefined>}  the reason of a failure, as a sentence
 */
async function runNode(part, resultsFile, output) {
  const results = part.hasTests ? { KINDRED_RESULTS: resultsFile } : {};
  const child = startGroup(process.execPath, part.command, {
    cwd: root,
    stdio: ['ignore', output, output],
    env: { ...process.env, ...part.environment, ...results },
  });
  running.add(child);
  if (!part.isUrgent) yieldToOthers(child);
  const hasEnded = new AbortController();
  /** @type {string | undefined} */
  const problem = await Promise.race([
    new Promise((resolve) => {
      child.once('exit', (code, signal) => resolve(code === 0 ? undefined : `It ended with ${code ?? signal}.`));
    }),
    hang(resultsFile, part.limitSeconds, hasEnded.signal),
  ]);
  hasEnded.abort();
  // Nothing more is run or printed; onStop exits as soon as all parts have ended.
  if (stopped) await new Promise(() => {});
  // Also when it ended by itself: nothing that a part started may outlive it.
  await endGroup(child, 10_000);
  running.delete(child);
  return problem;
}

/**
 * Lowers the priority of a part, so that it takes only the processor time that urgent parts leave.
 *
 * @param {import('node:child_process').ChildProcess} child
 */
function yieldToOthers({ pid }) {
  if (pid === undefined) return;
  // The part may have ended already, and only a privileged user may raise a priority.
  try {
    const niceness = Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL);
    setPriority(pid, niceness);
    // Linux divides the processors among sessions first, of which each part is one, and then within a session.
    if (process.platform === 'linux') writeFileSync(`/proc/${pid}/autogroup`, String(niceness));
  } catch {
    // The part runs at the priority of the others.
  }
}

/**
 * Resolves when a part has made no progress for too long. A slow part that makes progress does not hang.
 *
 * @param {string} resultsFile   grows with each test; parts without tests have none
 * @param {number} limitSeconds
 * @param {AbortSignal} ended    aborted when the part has ended
 * @returns {Promise<string>}    a sentence
 */
async function hang(resultsFile, limitSeconds, ended) {
  let size = 0;
  let seconds = limitSeconds;
  let since = performance.now();
  while (performance.now() - since < seconds * 1000) {
    await delay(200, undefined, { signal: ended });
    const now = await stat(resultsFile).then(
      (found) => found.size,
      () => 0,
    );
    if (now === size) continue;
    size = now;
    // A program may need longer until its first test has ended.
    const short = process.env['KINDRED_HANG_SECONDS'];
    if (short !== undefined && /"(?:pass|fail)"/.test(await readFile(resultsFile, 'utf8'))) seconds = Number(short);
    since = performance.now();
  }
  return `It made no progress for ${seconds} s.`;
}

/**
 * Prints the tests and set-ups that took the longest.
 *
 * @param {readonly Row[]} rows
 */
function printSlowest(rows) {
  const durations = rows.flatMap(({ name, durations }) => durations.map((each) => ({ ...each, name })));
  durations.sort((a, b) => b.ms - a.ms);
  console.log('\nseconds  test');
  for (const { name, title, ms } of durations.slice(0, maxSlowest))
    console.log(`${(ms / 1000).toFixed(1).padStart(7)}  ${name}: ${title}`);
}

/**
 * Prints the results of all parts, the reasons for failures, and the tests that were run again. Comes last, because
 * often only the end of a long output is kept.
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
  for (const { name, failures, problems } of rows)
    for (const text of [...failures, ...problems]) console.log(`\n${name}: ${text}`);
  for (const { name, repeated } of rows) for (const text of repeated) console.log(`\n${name}, run again: ${text}`);
  const passed = rows.reduce((sum, row) => sum + row.passed, 0);
  const failed = rows.reduce((sum, row) => sum + row.failed, 0);
  console.log(`\n${passed} passed, ${failed} failed`);
  return failed === 0 && passed > 0 ? 0 : 1;
}
