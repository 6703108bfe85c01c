/** Running and measuring programs, and formatting tables. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, openSync, closeSync, readFileSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../scripts/project.mjs';

/**
 * One run of a program: wall time, processor time of all its threads, and maximum resident memory (NaN without GNU
 * /usr/bin/time).
 *
 * @typedef {{ wall: number, user: number, system: number, peakMB: number, output: string }} Run
 */

const gnuTime = '/usr/bin/time';
/** Exit code of a program that `timeout` has killed. */
const killed = 137;
const hasTime = existsSync(gnuTime) && spawnSync(gnuTime, ['--version']).status === 0;

/**
 * Runs a program to its end.
 *
 * @param {string} program
 * @param {readonly string[]} programArguments  arguments of the program
 * @param {{ input?: string, env?: Record<string, string>, accept?: readonly number[], limitMs?: number }} [how]
 *   file for standard input, environment variables, accepted exit codes other than 0, and time limit
 * @returns {Run | undefined}  undefined if it exceeded the time limit
 * @throws if the program fails
 */
export function runProgram(program, programArguments, { input, env = {}, accept = [], limitMs } = {}) {
  const stdin = input === undefined ? undefined : openSync(input, 'r');
  const folder = mkdtempSync(path.join(tmpdir(), 'kindred-bench-'));
  const figures = path.join(folder, 'figures');
  // `timeout` comes directly before the program, because the limit must apply to the program itself.
  const limited = limitMs === undefined ? [] : ['timeout', '--signal=KILL', String(limitMs / 1000)];
  const measured = hasTime ? [gnuTime, '-o', figures, '-f', '%e %U %S %M'] : [];
  const command = [...measured, ...limited, program, ...programArguments];
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
 * The end of a stage of a scan, recorded by bench/stageClock.mjs.
 *
 * @typedef {{ ms: number, userMs: number, cpuMs: number }} StageTimes
 * @typedef {StageTimes & { stage: string, residentBytes: number, bytes?: number }} StageEnd
 */

/**
 * Scans a tree with dist/cli.js or another build. Returns the JSON report and the ends of the stages.
 *
 * @param {string} tree
 * @param {readonly string[]} [options]
 * @param {{ whole?: boolean, program?: string }} [how]
 *   `whole` reads the complete report and not only its totals; `program` is the path of another build
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
 * Reads the totals of a report, which precede its groups, because parsing a large report is slow.
 *
 * @param {string} file
 * @returns {{ totals: Record<string, number> }}
 */
function readHead(file) {
  const head = readFileSync(file).subarray(0, 65_536).toString('utf8');
  // The names and numbers contain no braces. There are two nested levels: the categories, and each category.
  const totals = /"totals":\s*(\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\})/.exec(head)?.[1];
  if (totals === undefined) throw new Error(`${file} has no totals.`);
  return { totals: JSON.parse(totals) };
}

/**
 * Returns the duration of each stage, from the end of the previous one.
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
 * Returns a quantile by the nearest-rank method, or NaN for an empty list.
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
 * Formats a Markdown table. The first column is text, and the others are numbers.
 *
 * @param {readonly string[]} head
 * @param {readonly (readonly (string | number | null)[])[]} rows
 */
export function table(head, rows) {
  const line = (/** @type {readonly unknown[]} */ cells) => `| ${cells.map((cell) => cell ?? '–').join(' | ')} |`;
  return [line(head), line(head.map((_, i) => (i === 0 ? '---' : '--:'))), ...rows.map(line)].join('\n');
}

/** Describes the machine and the version of Node, for the heading of a table. */
export function machine() {
  const { length, 0: first } = cpus();
  return `${first?.model ?? 'unknown processor'}, ${length} processors, Node ${process.version}`;
}
