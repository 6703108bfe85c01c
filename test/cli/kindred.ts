/** Runs the built command line as a person or a program does: as a process of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { root } from '../../scripts/project.mjs';
import type { Findings, Group } from '../../src/engine/report.ts';

export interface Outcome {
  /** The exit code; null when a signal ended the process. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Surroundings {
  readonly cwd: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** Starts dist/cli.js, with nothing in the environment that decides about colours. */
export function start(given: readonly string[], { cwd, env = {} }: Surroundings): ChildProcess {
  const inherited = { ...process.env };
  for (const name of ['NO_COLOR', 'FORCE_COLOR', 'NODE_OPTIONS']) delete inherited[name];
  return spawn(process.execPath, [path.join(root, 'dist/cli.js'), ...given], {
    cwd,
    env: { ...inherited, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Runs it to its end. */
export async function kindred(given: readonly string[], surroundings: Surroundings): Promise<Outcome> {
  return outcomeOf(start(given, surroundings));
}

/** What becomes of a process. */
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

/** The report as JSON has it. */
export interface JsonReport extends Findings {
  readonly schema: number;
  readonly tool: { readonly name: string; readonly version: string };
  readonly root: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly totals: Findings['totals'] & { readonly elapsedMs: number };
}

/** The groups of passages, without those of whole files. */
export function passageGroups(report: JsonReport): Group[] {
  return report.groups.filter(({ kind }) => kind !== 'file');
}

/** The places of every group of passages: "a.ts:1-12 b.ts:3-14". */
export function placesOf(report: JsonReport): string[] {
  return passageGroups(report).map(({ passages }) =>
    passages.map(({ path: name, startLine, endLine }) => `${name}:${startLine}-${endLine}`).join(' '),
  );
}
