/** Submits the program of a scan (scan.py) to Spark, and waits until it has written all matches. */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { programOnPath } from '../../scan/io/programOnPath.ts';
import { CancellationError } from '../folder/cancellation.ts';
import { IndexError } from '../folder/indexError.ts';

export interface Submission {
  readonly program: string;
  readonly plan: object;
  /** URL of the master; `undefined` to use the one in Spark's configuration. */
  readonly master: string | undefined;
  readonly environment: NodeJS.ProcessEnv;
  readonly onStep: (done: number) => void;
  /** Called if the program continues with the candidate pairs of an interrupted one. */
  readonly onContinue: () => void;
  /** Called if Spark has no free executor. */
  readonly onWaiting: () => void;
  readonly cancelled: () => boolean;
}

/**
 * Runs the program to its end.
 *
 * @throws IndexError if Spark cannot run it
 * @throws CancellationError
 */
export async function submit(submission: Submission): Promise<void> {
  const { master, environment } = submission;
  const program = sparkSubmit(environment);
  if (master !== undefined) await checkMaster(master);
  const folder = mkdtempSync(path.join(tmpdir(), 'kindred-spark-'));
  try {
    const plan = path.join(folder, 'plan.json');
    writeFileSync(plan, JSON.stringify(submission.plan));
    const masterArguments = master === undefined ? [] : ['--master', master];
    const failure = await run(program, [...masterArguments, submission.program, plan], submission);
    if (submission.cancelled()) throw new CancellationError();
    if (failure !== undefined) throw new IndexError(failure);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the path of spark-submit, in `SPARK_HOME` or on `PATH`. */
function sparkSubmit(environment: NodeJS.ProcessEnv): string {
  const { SPARK_HOME: home } = environment;
  const found = home ? path.join(home, 'bin/spark-submit') : programOnPath('spark-submit', environment);
  if (found !== undefined && existsSync(found)) return found;
  throw new IndexError(
    home
      ? `SPARK_HOME is ${home}, which has no bin/spark-submit: set it to the folder of a Spark 3.5 or newer.`
      : 'There is no spark-submit on PATH: install Spark 3.5 or newer (for example with "pip install pyspark"), or set SPARK_HOME.',
  );
}

const knownMaster = /^(?:spark:\/\/[^\s/:,]+:\d+(?:,[^\s/:,]+:\d+)*|k8s:\/\/\S+|yarn|local(?:\[[^\s\]]+\])?)$/;
const connectMs = 5_000;

/**
 * Checks the URL of a master. A standalone master must answer, because Spark itself waits for a minute.
 *
 * @throws IndexError
 */
async function checkMaster(master: string): Promise<void> {
  if (!knownMaster.test(master)) {
    throw new IndexError(
      `--master must be the URL of a Spark master, such as spark://host:7077, yarn, k8s://https://host:6443, or local[2], not "${master}".`,
    );
  }
  if (!master.startsWith('spark://')) return;
  const servers = master.slice('spark://'.length).split(',');
  const answers = await Promise.all(servers.map(isListening));
  if (!answers.includes(true)) {
    throw new IndexError(`No Spark master answers at ${master}: check the address, or start the master.`);
  }
}

function isListening(server: string): Promise<boolean> {
  const { hostname, port } = new URL(`http://${server}`);
  const socket = connect({ host: hostname, port: Number(port || 80), timeout: connectMs });
  return new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true));
    for (const event of ['error', 'timeout']) socket.once(event, () => resolve(false));
  }).finally(() => socket.destroy());
}

/** Messages for failures of Spark before the program starts, by a pattern that matches the output of Spark. */
const knownFailures: readonly (readonly [RegExp, string])[] = [
  [
    /JAVA_HOME is not set|java: (?:command )?not found|UnsupportedClassVersionError/,
    'Spark has found no Java that it can use: install Java 17 or newer, or set JAVA_HOME.',
  ],
  [
    /All masters are unresponsive|Spark context stopped while waiting for backend/,
    'The program at the address of --master does not answer like a Spark master: check the address, and that both have the same version of Spark.',
  ],
  [
    /Cannot run program "[^"]*python|python3?: (?:command )?not found/,
    'Spark has found no Python: install Python 3.9 or newer, or set PYSPARK_PYTHON.',
  ],
];

const keptLines = 200;
const pollMs = 200;

/** Runs Spark to its end. Returns the reason if it fails. */
async function run(
  program: string,
  programArguments: readonly string[],
  { environment, onStep, onContinue, onWaiting, cancelled }: Submission,
): Promise<string | undefined> {
  const child = spawn(program, programArguments, { env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
  const kept: string[] = [];
  let problem: string | undefined;
  let failure: string | undefined;
  let isWaiting = false;
  // Spark writes its log, and the output of the program, to either stream.
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      const [, kind, text] = /^kindred (progress|continued|error:|failure:) ?(.*)$/.exec(line) ?? [];
      if (kind === 'progress') onStep(Number(text));
      else if (kind === 'continued') onContinue();
      else if (kind === 'error:') problem = text!.charAt(0).toUpperCase() + text!.slice(1);
      else if (kind === 'failure:') failure = text!;
      else if (line.includes('Initial job has not accepted any resources') && !isWaiting) {
        isWaiting = true;
        onWaiting();
      }
      if (kept.push(line) > keptLines) kept.shift();
    });
  }
  const poll = setInterval(() => {
    if (cancelled()) child.kill();
  }, pollMs);
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    return code === 0 ? undefined : (problem ?? explainedFailure(kept, failure));
  } catch (error) {
    return `${program} cannot be run (${String(error)}): check the installation of Spark.`;
  } finally {
    clearInterval(poll);
  }
}

function explainedFailure(output: readonly string[], failure: string | undefined): string {
  const text = output.join('\n');
  const knownFailure = knownFailures.find(([pattern]) => pattern.test(text));
  if (knownFailure) return knownFailure[1];
  const line = failure ?? output.find((each) => /(?:Exception|Error)\b/.test(each)) ?? output.at(-1) ?? 'no output';
  return `Spark failed: ${line.trim()}`;
}
