/** Parses the output of `git diff`: the files of `--raw -z`, and the hunks of `--unified=0`. */
import { parsePatch, type StructuredPatchHunk } from 'diff';
import type { Hunk } from './changes.ts';

/** A changed file, with its fields as git prints them. */
export interface RawChange {
  /** Current path; `undefined` for a removed file. */
  readonly path: string | undefined;
  /** Path in the base; `undefined` for an added file. */
  readonly basePath: string | undefined;
  /** Id of the git object with the old text; `undefined` if the path was no file before. */
  readonly baseObject: string | undefined;
  /** True if either side is a submodule. */
  readonly isSubmodule: boolean;
}

const submodule = '160000';
const regularFile = /^100/;

/** Parses `git diff --raw -z --no-abbrev`. */
export function parseRaw(text: string): RawChange[] {
  const fields = text.split('\0');
  const changes: RawChange[] = [];
  for (let at = 0; at < fields.length;) {
    const head = /^:(\d{6}) (\d{6}) ([0-9a-f]+) [0-9a-f]+ ([A-Z])\d*$/.exec(fields[at++]!);
    if (head === null) continue;
    const [, baseMode = '', mode = '', object = '', status = ''] = head;
    const first = fields[at++]!;
    const second = status === 'R' || status === 'C' ? fields[at++]! : first;
    const isSubmodule = baseMode === submodule || mode === submodule;
    const was = status !== 'A' && status !== 'C';
    changes.push({
      path: status === 'D' ? undefined : second,
      basePath: was ? first : undefined,
      baseObject: was && regularFile.test(baseMode) ? object : undefined,
      isSubmodule,
    });
  }
  return changes;
}

export interface FileHunks {
  readonly hunks: readonly Hunk[];
  /** True if git treats the file as binary, so that the whole file counts as changed. */
  readonly isBinary: boolean;
}

/** Parses the hunks of `git diff --unified=0`. Keys are current paths, or the old path of a removed file. */
export function parseHunks(text: string): Map<string, FileHunks> {
  const files = parsePatch(text).flatMap(({ oldFileName, newFileName, isBinary = false, hunks }) => {
    const name = newFileName === '/dev/null' ? oldFileName : newFileName;
    if (name === undefined || (hunks.length === 0 && !isBinary)) return [];
    return [[name.slice('b/'.length), { hunks: hunks.map(withoutContext), isBinary }] as const];
  });
  return new Map(files);
}

/**
 * Converts a hunk of the package `diff`. If a side is empty, the start of that side is the line after it in the
 * package, but the line before it in git.
 */
function withoutContext({ oldStart, oldLines, newStart, newLines, lines }: StructuredPatchHunk): Hunk {
  const linesWith = (sign: string): string[] =>
    lines.filter((line) => line.startsWith(sign)).map((line) => line.slice(1));
  return {
    baseStart: oldLines === 0 ? oldStart - 1 : oldStart,
    baseCount: oldLines,
    start: newLines === 0 ? newStart - 1 : newStart,
    count: newLines,
    removed: linesWith('-'),
    added: linesWith('+'),
  };
}
