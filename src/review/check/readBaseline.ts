/** Reads a baseline file from disk or from a commit. */
import path from 'node:path';
import { type BaselineEntry, parseBaseline } from '../gate/baseline.ts';
import type { Git } from '../../scan/io/git.ts';
import { readTextFile } from '../../scan/io/textFile.ts';

export type ReadBaseline = readonly BaselineEntry[] | { readonly problem: string; readonly isMissing: boolean };

/** Maximum size of a baseline in bytes. It has room for some hundred thousand entries. */
const maxBytes = 2 ** 26;

export function readBaseline(file: string): ReadBaseline {
  const read = readTextFile(file, maxBytes);
  if ('text' in read) return entriesIn(read.text, file);
  if (!read.isMissing) return { problem: `${file} ${read.problem}.`, isMissing: false };
  return { problem: `there is no baseline ${file}; kindred baseline write creates one.`, isMissing: true };
}

/** Reads a baseline file from a commit. Returns `undefined` if the commit does not contain it. */
export async function readBaselineAt(git: Git, commit: string, file: string): Promise<ReadBaseline | undefined> {
  const top = (await git.must('rev-parse', '--show-toplevel')).replace(/\n$/, '');
  const prefix = path.relative(top, path.resolve(file)).split(path.sep).join('/');
  if (prefix.startsWith('../') || path.isAbsolute(prefix)) return readBaseline(file);
  const object = await git.text('rev-parse', '--verify', '--quiet', '--end-of-options', `${commit}:${prefix}`);
  return object === undefined ? undefined : entriesIn(await git.must('cat-file', 'blob', object.trim()), file);
}

function entriesIn(text: string, file: string): ReadBaseline {
  const entries = parseBaseline(text);
  if (!('problem' in entries)) return entries;
  return { problem: `${file}:${entries.line} ${entries.problem}.`, isMissing: false };
}
