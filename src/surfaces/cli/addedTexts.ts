/** Finds the texts that a unified diff adds: runs of added lines, and where they are in the changed files. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parsePatch } from 'diff';

export interface AddedText {
  /** Path as in the diff, but without a prefix such as `b/`. */
  readonly path: string;
  /** First line in the changed file, counted from 1. */
  readonly startLine: number;
  readonly endLine: number;
  readonly text: string;
  /** Absolute path of the file if it already contains the added lines, which the search then omits. */
  readonly file: string | undefined;
}

/** Maximum number of unchanged lines inside a run. Otherwise, a bracket could split a new function in two. */
const maxKept = 2;

/**
 * Returns the added texts of a diff, or an error message.
 *
 * @param folder  folder in which the diff was created. Paths in the diff are relative to it or to one of its parents
 */
export function addedTexts(diff: string, folder: string): readonly AddedText[] | { readonly problem: string } {
  const { files, problem } = parse(diff);
  if (problem !== undefined) return { problem };
  return files.flatMap(({ newFileName = '/dev/null', hunks }) => {
    if (newFileName === '/dev/null') return [];
    const name = newFileName.replace(/^[a-z]\//, '');
    const runs = hunks.flatMap((hunk) => runsOf(hunk.lines, hunk.newStart));
    const file = fileWith(name, runs, folder);
    return runs.map((run) => ({ path: name, file, ...run }));
  });
}

function parse(diff: string): { files: ReturnType<typeof parsePatch>; problem?: string } {
  try {
    const files = parsePatch(diff);
    const hasHunks = files.some(({ hunks, isBinary }) => hunks.length > 0 || isBinary);
    if (hasHunks || !diff.trim() || /^diff --git /m.test(diff)) return { files };
    return { files: [], problem: '--diff needs a unified diff on standard input, such as the output of git diff.' };
  } catch (error) {
    return { files: [], problem: `--diff: the diff cannot be read (${(error as Error).message}).` };
  }
}

type Run = Pick<AddedText, 'startLine' | 'endLine' | 'text'>;

function runsOf(lines: readonly string[], start: number): Run[] {
  const runs: { startLine: number; lines: string[] }[] = [];
  let number = start;
  let kept: string[] | undefined;
  for (const line of lines) {
    const sign = line[0];
    if (sign === '+') {
      const run = runs.at(-1);
      if (run && kept && kept.length <= maxKept) run.lines.push(...kept, line.slice(1));
      else runs.push({ startLine: number, lines: [line.slice(1)] });
      kept = [];
    } else if (sign === ' ') kept?.push(line.slice(1));
    if (sign === '+' || sign === ' ') number++;
  }
  return runs.map(({ startLine, lines: all }) => ({
    startLine,
    endLine: startLine + all.length - 1,
    text: all.join('\n'),
  }));
}

/** Finds the file of a diff: relative to the folder or one of its parents, and containing the added lines. */
function fileWith(name: string, runs: readonly Run[], folder: string): string | undefined {
  for (let around = path.resolve(folder); ; around = path.dirname(around)) {
    const file = path.join(around, name);
    if (existsSync(file) && hasRuns(file, runs)) return file;
    if (path.dirname(around) === around) return undefined;
  }
}

function hasRuns(file: string, runs: readonly Run[]): boolean {
  try {
    const lines = readFileSync(file, 'utf8').split(/\r?\n/);
    return runs.every(({ startLine, endLine, text }) => {
      const here = lines.slice(startLine - 1, endLine).join('\n');
      return here === text.replaceAll('\r', '');
    });
  } catch {
    return false;
  }
}
