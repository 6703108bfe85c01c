/** How benches run programs beside each other, and how their tables look. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, openSync, closeSync, readFileSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../scripts/project.mjs';

/**
 * One run of a program: wall time, processor time of all its threads, greatest resident memory (NaN where /usr/bin/time of
 * GNU is missing).
 *
 * @typedef {{ wall: number, user: number, system: number, peakMB: number, output: string }} Run
 */

const gnuTime = '/usr/bin/time';
/** What a program ends with that `timeout` has killed. */
const killed = 137;
const hasTime = existsSync(gnuTime) && spawnSync(gnuTime, ['--version']).status === 0;

/**
 * Runs a program to its end.
 *
 * @param {string} program
 * @param {readonly string[]} given  its arguments
 * @param {{ input?: string, env?: Record<string, string>, accept?: readonly number[], limitMs?: number }} [how]
 *   a file for its standard input, variables, the exit codes beside 0 that are no failure, and when to end it
 * @returns {Run | undefined}  undefined when it did not end in time
 * @throws when it fails
 */
export function runProgram(program, given, { input, env = {}, accept = [], limitMs } = {}) {
  const stdin = input === undefined ? undefined : openSync(input, 'r');
  const folder = mkdtempSync(path.join(tmpdir(), 'kindred-bench-'));
  const figures = path.join(folder, 'figures');
  // In front of the program, not around it: the limit has to reach the program itself.
  const limited = limitMs === undefined ? [] : ['timeout', '--signal=KILL', String(limitMs / 1000)];
  const measured = hasTime ? [gnuTime, '-o', figures, '-f', '%e %U %S %M'] : [];
  const command = [...measured, ...limited, program, ...given];
  try {
    const start = performance.now();
    const { status, signal, stdout, stderr, error } = spawnSync(/** @type {string} */ (command[0]), command.slice(1), {
      stdio: [stdin ?? 'ignore', 'pipe', 'pipe'],
      encoding: 'utf8',
      maxBuffer: 2 ** 30,
      env: { ...process.env, ...env },
    });
    const wall = (performance.now() - start) / 1000;
    if (error) throw error;
    if (limitMs !== undefined && (status === killed || signal === 'SIGKILL')) return undefined;
    if (status !== 0 && !accept.includes(status ?? -1)) {
      throw new Error(`${program} ended with ${signal ?? status}: ${stderr.slice(-500)}`);
    }
    const line = hasTime ? readFileSync(figures, 'utf8').trim().split('\n').at(-1) : undefined;
    const [, user = NaN, system = NaN, peak = NaN] = (line ?? '').split(' ').map(Number);
    return { wall, user, system, peakMB: peak / 1024, output: stdout };
  } finally {
    if (stdin !== undefined) closeSync(stdin);
    rmSync(folder, { recursive: true });
  }
}

/**
 * When the stages of a scan ended, as bench/stageClock.mjs noted them.
 *
 * @typedef {{ stage: string, ms: number, userMs: number, cpuMs: number, residentBytes: number, bytes?: number }} StageEnd
 */

/**
 * A scan by dist/cli.js, or by another build of it, with its JSON report, and when its stages ended.
 *
 * @param {string} tree
 * @param {readonly string[]} [options]
 * @param {{ whole?: boolean, program?: string }} [how]
 *   whether the whole report is wanted, not only its totals, and the path of the other build
 * @returns {Run & { stages: StageEnd[], totals: Record<string, number>, report: any }}
 */
export function runKindred(tree, options = [], { whole = false, program = path.join(root, 'dist/cli.js') } = {}) {
  const folder = mkdtempSync(path.join(tmpdir(), 'kindred-bench-'));
  try {
    const [report, stages] = [path.join(folder, 'report.json'), path.join(folder, 'stages.json')];
    const clock = pathToFileURL(path.join(root, 'bench/stageClock.mjs')).href;
    const command = ['--import', clock, program, 'scan', tree];
    const run = runProgram(
      process.execPath,
      [...command, '--format', 'json', '--output', report, '--no-progress', ...options],
      { env: { KINDRED_STAGES: stages } },
    );
    if (run === undefined) throw new Error('There was no limit.');
    const { totals } = readHead(report);
    return {
      ...run,
      stages: JSON.parse(readFileSync(stages, 'utf8')),
      totals,
      report: whole ? JSON.parse(readFileSync(report, 'utf8')) : undefined,
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * The totals of a report, which stand before its groups; a large one is not parsed whole.
 *
 * @param {string} file
 * @returns {{ totals: Record<string, number> }}
 */
function readHead(file) {
  const head = readFileSync(file).subarray(0, 65_536).toString('utf8');
  // Their names and numbers have no braces; two levels lie within: the categories, and each of them.
  const totals = /"totals":\s*(\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\})/.exec(head)?.[1];
  if (totals === undefined) throw new Error(`${file} has no totals.`);
  return { totals: JSON.parse(totals) };
}

/**
 * The time of each stage: from the end of the one before it.
 *
 * @param {readonly StageEnd[]} ends
 * @returns {{ stage: string, ms: number, userMs: number, cpuMs: number }[]}
 */
export function stageTimes(ends) {
  return ends.map(({ stage, ms, userMs, cpuMs }, i) => ({
    stage,
    ms: ms - (ends[i - 1]?.ms ?? 0),
    userMs: userMs - (ends[i - 1]?.userMs ?? 0),
    cpuMs: cpuMs - (ends[i - 1]?.cpuMs ?? 0),
  }));
}

/** @param {readonly number[]} values */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return ((sorted[(sorted.length - 1) >> 1] ?? NaN) + (sorted[sorted.length >> 1] ?? NaN)) / 2;
}

/**
 * The least of them that a share of them does not exceed (nearest rank); NaN of none.
 *
 * @param {readonly number[]} values
 * @param {number} share  in [0, 1]
 */
export function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? NaN;
}

/**
 * @param {number} value
 * @param {number} [digits]
 */
export function round(value, digits = 2) {
  return Number.isFinite(value) ? Number(value.toFixed(digits)) : null;
}

/**
 * A Markdown table. The first column is text, the others are numbers.
 *
 * @param {readonly string[]} head
 * @param {readonly (readonly (string | number | null)[])[]} rows
 */
export function table(head, rows) {
  const line = (/** @type {readonly unknown[]} */ cells) => `| ${cells.map((cell) => cell ?? '–').join(' | ')} |`;
  return [line(head), line(head.map((_, i) => (i === 0 ? '---' : '--:'))), ...rows.map(line)].join('\n');
}

/** The machine and the version of Node, for the head of a table. */
export function machine() {
  const { length, 0: first } = cpus();
  return `${first?.model ?? 'unknown processor'}, ${length} processors, Node ${process.version}`;
}
