/** Runs the built command line, in this process or in a separate one. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { lchownSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { root } from '../../scripts/project.mjs';
import type * as CommandLine from '../../src/surfaces/cli/main.ts';
import type { Findings, Group } from '../../src/core/engine/report/report.ts';
import { reportProblems, textOfBytes } from '../reportProblems.ts';

export interface Outcome {
  /** Exit code. Null if a signal ended the process. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Surroundings {
  readonly cwd: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Standard input. */
  readonly input?: string;
  /** User that runs it. If undefined, the user of the tests. */
  readonly user?: number | undefined;
  /** Arguments of `ulimit`, such as `-n 24`. */
  readonly limit?: string;
  /** Open file for its standard output. If undefined, a pipe. */
  readonly stdout?: number;
}

/** Unprivileged user for programs, if the tests run as root; otherwise undefined. */
export const plainUser = process.getuid?.() === 0 ? 65_534 : undefined;

/** Gives a folder and its contents to the unprivileged user. Links are not followed, because they may lead anywhere. */
export function giveToPlainUser(folder: string): void {
  if (plainUser === undefined) return;
  lchownSync(folder, plainUser, plainUser);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) giveToPlainUser(file);
    else lchownSync(file, plainUser, plainUser);
  }
}

/**
 * Returns the environment of a process that runs statements at a defined time: when it opens its first source.
 *
 * @param folder  folder of the script signal.mjs, which is created
 * @param deed    the statements
 * @param ending  end of the name of the source
 */
export function whenReadingBegins(folder: string, deed: string, ending = '.ts'): NodeJS.ProcessEnv {
  const preload = path.join(folder, 'signal.mjs');
  writeFileSync(
    preload,
    `
      import fs from 'node:fs';
      import { syncBuiltinESMExports } from 'node:module';
      import { isMainThread } from 'node:worker_threads';
      const { openSync } = fs;
      let done = false;
      fs.openSync = (file, ...others) => {
        if (isMainThread && !done && String(file).endsWith('${ending}')) {
          done = true;
          ${deed}
        }
        return openSync(file, ...others);
      };
      syncBuiltinESMExports();
    `,
  );
  return { NODE_OPTIONS: `--import ${pathToFileURL(preload).href}` };
}

/** Starts the program of the package as a process. */
export function start(
  commandArguments: readonly string[],
  { cwd, env = {}, input, user, stdout, limit }: Surroundings,
): ChildProcess {
  const call = [process.execPath, path.join(root, 'dist/kindred.cjs'), ...commandArguments];
  const [program, ...rest] = limit === undefined ? call : ['sh', '-c', `ulimit ${limit}; exec "$0" "$@"`, ...call];
  const child = spawn(program, rest, {
    cwd,
    env: environmentWith(env),
    stdio: [input === undefined ? 'ignore' : 'pipe', stdout ?? 'pipe', 'pipe'],
    ...(user === undefined ? {} : { uid: user, gid: user }),
  });
  if (input !== undefined) child.stdin?.end(input);
  return child;
}

/** Returns the environment of this process without the variables that control colors, and with other variables. */
function environmentWith(others: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const inherited = { ...process.env };
  for (const name of ['NO_COLOR', 'FORCE_COLOR', 'NODE_OPTIONS']) delete inherited[name];
  return { ...inherited, ...others };
}

/**
 * Runs the command line to its end, and checks the report if it is JSON. Runs in this process, which saves the start of
 * Node, unless the surroundings require a separate process.
 */
export async function kindred(commandArguments: readonly string[], surroundings: Surroundings): Promise<Outcome> {
  if (needsProcess(surroundings)) return kindredProcess(commandArguments, surroundings);
  return checked(commandArguments, surroundings.cwd, await runHere(commandArguments, surroundings));
}

/** Does the same in a separate process. */
export async function kindredProcess(
  commandArguments: readonly string[],
  surroundings: Surroundings,
): Promise<Outcome> {
  return checked(commandArguments, surroundings.cwd, await outcomeOf(start(commandArguments, surroundings)));
}

/** Returns an outcome after checking its report, if that is JSON. */
function checked(commandArguments: readonly string[], cwd: string, outcome: Outcome): Outcome {
  const output = commandArguments[commandArguments.indexOf('--output') + 1];
  const isInFile = commandArguments.includes('--output') && outcome.code === 0;
  const text = isInFile ? readFileSync(path.resolve(cwd, output), 'utf8') : outcome.stdout;
  // Explanations are JSON too.
  if (text.startsWith('{\n  "schema":')) {
    const report = JSON.parse(text) as JsonReport;
    const problems = reportProblems(report, (name) => textOfFile(path.join(report.root, name)));
    assert.deepEqual(problems, []);
  }
  return outcome;
}

/** True for a user, a limit, a descriptor, standard input, or options of Node. */
function needsProcess({ env, input, user, stdout, limit }: Surroundings): boolean {
  return [env?.['NODE_OPTIONS'], input, user, stdout, limit].some((surrounding) => surrounding !== undefined);
}

/** Calls in this process run one after the other, because it has only one current folder and environment. */
let earlierCalls: Promise<unknown> = Promise.resolve();

/** Runs the command line in this process. */
export function runHere(commandArguments: readonly string[], { cwd, env = {} }: Surroundings): Promise<Outcome> {
  const call = earlierCalls.then(async () => {
    const { runCommandLine } = await commandLine();
    const before = { folder: process.cwd(), env: process.env };
    const [stdout, stderr] = [new Collected(), new Collected()];
    process.chdir(cwd);
    process.env = environmentWith(env);
    try {
      const code = await runCommandLine(commandArguments, { stdout, stderr, env: process.env });
      return { code, stdout: stdout.text(), stderr: stderr.text() };
    } finally {
      process.chdir(before.folder);
      process.env = before.env;
    }
  });
  earlierCalls = call.catch(() => undefined);
  return call;
}

/** Returns the module that dist/cli.js loads: the same code as that of a process. */
async function commandLine(): Promise<typeof CommandLine> {
  const program = path.join(root, 'dist/cli.js');
  const chunk = /import\("(.+?)"\)/.exec(readFileSync(program, 'utf8'))?.[1];
  assert.ok(chunk !== undefined, 'dist/cli.js loads no module');
  return (await import(new URL(chunk, pathToFileURL(program)).href)) as typeof CommandLine;
}

/** Standard output or standard error of a call in this process. */
class Collected extends Writable {
  readonly #pieces: Buffer[] = [];

  override _write(piece: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#pieces.push(piece);
    done();
  }

  text(): string {
    return Buffer.concat(this.#pieces).toString('utf8');
  }
}

/** Returns the text of a file, or undefined if it was removed or is not text. */
export function textOfFile(file: string): string | undefined {
  try {
    return textOfBytes(readFileSync(file));
  } catch {
    return undefined;
  }
}

/** Waits for a process and returns its outcome. */
export async function outcomeOf(child: ChildProcess): Promise<Outcome> {
  const read = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => (read[name] += text));
  }
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  return { code, ...read };
}

/** Report in JSON. */
export interface JsonReport extends Findings {
  readonly schema: number;
  readonly tool: { readonly name: string; readonly version: string };
  readonly root: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly totals: Findings['totals'] & { readonly elapsedMs: number };
}

/** Returns the groups of passages, without those of whole files. */
export function passageGroups(report: JsonReport): Group[] {
  return report.groups.filter(({ kind }) => kind !== 'file');
}

/** Returns the places of every group of passages: "a.ts:1-12 b.ts:3-14". */
export function placesOf(report: JsonReport): string[] {
  return passageGroups(report).map(({ passages }) =>
    passages.map(({ path: name, startLine, endLine }) => `${name}:${startLine}-${endLine}`).join(' '),
  );
}
