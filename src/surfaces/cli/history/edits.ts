/**
 * Reads small edits from a repository's history. An edit is a run of consecutive lines that a commit removed, added, or
 * replaced in a file. First, Git lists the commits and their files. Then, the patches are read of commits that are not
 * too large and that change a relevant file.
 */
import { parsePatch } from 'diff';
import type { Git } from '../../../scan/io/git.ts';

export interface Commit {
  readonly id: string;
  /** Date of the commit, such as 2026-11-27. */
  readonly day: string;
  readonly subject: string;
  readonly body: string;
  /** Number of files that the commit has modified. */
  readonly files: number;
}

export interface Edit {
  readonly commit: Commit;
  readonly path: string;
  readonly removed: readonly string[];
  readonly added: readonly string[];
  /** Unchanged lines directly before (`before`) and after (`after`) the edit. */
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** Maximum number of modified files. Larger commits usually move, rename, or reformat code. */
export const maxFiles = 40;
/** Maximum number of lines of an edit. Longer ones are rarely fixes, and make the copies too different to compare. */
const maxLines = 15;
const context = 3;
/** Number of commits per call of git, so that its output stays small. */
const batch = 400;
/** Maximum number of concurrent git processes. */
const maxCalls = 2;

/** Selects the commits and files to read. */
interface EditSelection {
  readonly isSought: (commit: Commit) => boolean;
  /** @param path  path relative to the root of the repository */
  readonly isWanted: (path: string) => boolean;
}

/** Numbers of commits that modify files, without merge commits. */
export interface CommitCounts {
  readonly all: number;
  /** Number of commits that modify one of the files, but for which `isSought` returns false. */
  readonly notSought: number;
  /** Number of commits that modify one of the files, but modify more than `maxFiles` files in total. */
  readonly tooLarge: number;
}

/**
 * Reads all commits, or those after a ref, and calls `receive` with the edits of each. Skips merge commits.
 *
 * @param cancelled  polled between calls of git
 */
export async function readEdits(
  git: Git,
  since: string | undefined,
  { isSought, isWanted }: EditSelection,
  receive: (edits: readonly Edit[]) => void,
  cancelled: () => boolean,
): Promise<CommitCounts> {
  const { count, tooLarge, commits } = parseLog(await git.modifications(since), isWanted);
  const sought = commits.filter(isSought);
  const batches = Array.from({ length: Math.ceil(sought.length / batch) }, (_, i) =>
    sought.slice(i * batch, (i + 1) * batch),
  );
  const read = async (): Promise<void> => {
    for (let some = batches.shift(); some !== undefined && !cancelled(); some = batches.shift()) {
      const patches = await git.patches(
        some.map(({ id }) => id),
        context,
      );
      receive(parsePatches(patches, new Map(some.map((commit) => [commit.id, commit])), isWanted));
    }
  };
  await Promise.all(Array.from({ length: maxCalls }, read));
  return { all: count, notSought: commits.length - sought.length, tooLarge };
}

/**
 * Parses the output of `Git.modifications`. Returns the relevant commits, the number of all commits, and the number of
 * commits that are relevant, but too large.
 */
export function parseLog(
  text: string,
  isWanted: (path: string) => boolean,
): { readonly count: number; readonly tooLarge: number; readonly commits: readonly Commit[] } {
  const commits: Commit[] = [];
  let [count, tooLarge] = [0, 0];
  for (const record of text.split('\x01').slice(1)) {
    const [id = '', day = '', subject = '', body = '', ...entries] = record.split('\0');
    if (!/^[0-9a-f]{40,64}$/.test(id)) continue;
    count++;
    // An entry with object ids is followed by an entry with the path.
    const paths = entries.filter((_, i) => entries[i - 1]?.trimStart().startsWith(':'));
    if (!paths.some(isWanted)) continue;
    if (paths.length > maxFiles) tooLarge++;
    else commits.push({ id, day, subject, body, files: paths.length });
  }
  return { count, tooLarge, commits };
}

/** Parses the output of `Git.patches`: the patch of each commit after a line with its id. */
export function parsePatches(
  text: string,
  commits: ReadonlyMap<string, Commit>,
  isWanted: (path: string) => boolean,
): Edit[] {
  const edits: Edit[] = [];
  // Inside a patch, no line begins with an id, because lines of texts follow a sign.
  const [, ...parts] = text.split(/(?<![^\n])([0-9a-f]{40,64})(?=\n)/);
  for (let at = 0; at < parts.length; at += 2) {
    const commit = commits.get(parts[at]!);
    if (!commit) continue;
    for (const { newFileName = '', hunks } of parsePatch(parts[at + 1]!)) {
      const path = newFileName.slice('b/'.length);
      if (isWanted(path)) edits.push(...hunks.flatMap(({ lines }) => editsIn(lines, commit, path)));
    }
  }
  return edits;
}

function editsIn(hunk: readonly string[], commit: Commit, path: string): Edit[] {
  const edits: Edit[] = [];
  for (let at = 0; at < hunk.length; at++) {
    const start = at;
    const removed: string[] = [];
    const added: string[] = [];
    for (; at < hunk.length && hunk[at]![0] !== ' '; at++) {
      const line = hunk[at]!;
      if (line.startsWith('-')) removed.push(line.slice(1));
      if (line.startsWith('+')) added.push(line.slice(1));
    }
    const isSmall = removed.length <= maxLines && added.length <= maxLines;
    if (at === start || !isSmall || areEqual(removed, added)) continue;
    const [before, after] = [unchangedBefore(hunk, start), unchangedAfter(hunk, at)];
    edits.push({ commit, path, removed, added, before, after });
  }
  return edits;
}

/** Returns true if removed and added lines differ only in white space. */
function areEqual(removed: readonly string[], added: readonly string[]): boolean {
  const [old, now] = [removed, added].map((lines) => lines.join('').replaceAll(/\s/g, ''));
  return old === now;
}

function unchangedBefore(hunk: readonly string[], end: number): string[] {
  let start = end;
  while (start > 0 && hunk[start - 1]!.startsWith(' ')) start--;
  return hunk.slice(start, end).map((line) => line.slice(1));
}

function unchangedAfter(hunk: readonly string[], start: number): string[] {
  let end = start;
  while (end < hunk.length && hunk[end]!.startsWith(' ')) end++;
  return hunk.slice(start, end).map((line) => line.slice(1));
}
