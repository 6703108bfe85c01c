/** Reads the files of two trees, and pairs equal files: those with the same path, moved files, and copied files. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { append } from '../../../core/collections/lists.ts';
import { decodeText } from '../../../scan/io/decode.ts';
import type { SourceFile } from '../../../scan/io/sources.ts';

export interface TreeFile extends SourceFile {
  /** Hash of the file's bytes. `undefined` if the file cannot be read, which the scan will report. */
  readonly digest: string | undefined;
  /** Number of lines; 0 if the file is not text. */
  readonly lines: number;
}

export type FilePair = readonly [a: TreeFile, b: TreeFile];

/** Equal files of two trees, and all other files. Each file is in exactly one of these lists. */
export interface EqualFiles {
  /** Pairs of equal files with the same path. */
  readonly same: readonly FilePair[];
  /** Pairs of equal files with different paths. */
  readonly moved: readonly FilePair[];
  readonly restOfA: readonly TreeFile[];
  readonly restOfB: readonly TreeFile[];
  /** Files in `restOfA` and `restOfB` that equal an already paired file of the other tree, each with that file. */
  readonly copies: ReadonlyMap<TreeFile, TreeFile>;
}

/** Reads a file, and returns its hash and number of lines. */
export function readTreeFile(source: SourceFile): TreeFile {
  try {
    const bytes = readFileSync(source.file);
    const decoded = decodeText(bytes, (size) => new Uint8Array(size));
    const lines = 'bytes' in decoded ? countLines(decoded.bytes) : 0;
    return { ...source, digest: createHash('sha256').update(bytes).digest('base64'), lines };
  } catch {
    return { ...source, digest: undefined, lines: 0 };
  }
}

const [lineFeed, carriageReturn] = [10, 13];

/** Counts the lines of a text, including a last line without a line break. */
function countLines(text: Uint8Array): number {
  let lines = 0;
  for (let at = text.indexOf(lineFeed); at >= 0; at = text.indexOf(lineFeed, at + 1)) lines++;
  for (let at = text.indexOf(carriageReturn); at >= 0; at = text.indexOf(carriageReturn, at + 1)) {
    if (text[at + 1] !== lineFeed) lines++;
  }
  const last = text.at(-1);
  return last === undefined || last === lineFeed || last === carriageReturn ? lines : lines + 1;
}

/** Pairs equal files of two trees. Empty files are never paired as moved, because they are all equal. */
export function equalFiles(a: readonly TreeFile[], b: readonly TreeFile[]): EqualFiles {
  const ofB = new Map(b.map((file) => [file.path, file]));
  const same = a.flatMap((file): FilePair[] => {
    const other = ofB.get(file.path);
    return file.digest !== undefined && other?.digest === file.digest ? [[file, other]] : [];
  });
  const paired = new Set<TreeFile>(same.flat());
  const moved = movedFiles(unpaired(a, paired), unpaired(b, paired));
  for (const file of moved.flat()) paired.add(file);
  const [restOfA, restOfB] = [unpaired(a, paired), unpaired(b, paired)];
  return { same, moved, restOfA, restOfB, copies: new Map([...copiesOf(b, restOfA), ...copiesOf(a, restOfB)]) };
}

/** Removes the given files and the files equal to them from the lists. */
export function withoutFiles(equal: EqualFiles, left: ReadonlySet<TreeFile>): EqualFiles {
  const stays = (file: TreeFile): boolean => !left.has(file);
  return {
    same: equal.same.filter((pair) => pair.every(stays)),
    moved: equal.moved.filter((pair) => pair.every(stays)),
    restOfA: equal.restOfA.filter(stays),
    restOfB: equal.restOfB.filter(stays),
    copies: new Map([...equal.copies].filter((pair) => pair.every(stays))),
  };
}

/** Finds files that are equal to a file of the other tree. Omits empty files, because they are all equal. */
function copiesOf(others: readonly TreeFile[], files: readonly TreeFile[]): FilePair[] {
  const byDigest = new Map(others.map((file) => [file.digest, file]));
  return files.flatMap((file): FilePair[] => {
    const other = file.digest === undefined || file.lines === 0 ? undefined : byDigest.get(file.digest);
    return other ? [[file, other]] : [];
  });
}

function unpaired(files: readonly TreeFile[], paired: ReadonlySet<TreeFile>): TreeFile[] {
  return files.filter((file) => !paired.has(file));
}

/** Pairs equal files with different paths. Prefers files whose paths have the most in common. */
function movedFiles(a: readonly TreeFile[], b: readonly TreeFile[]): FilePair[] {
  const byDigest = new Map<string, TreeFile[]>();
  for (const file of b) if (file.digest !== undefined && file.lines > 0) append(byDigest, file.digest, file);
  const taken = new Set<TreeFile>();
  return a.flatMap((file): FilePair[] => {
    const others = (byDigest.get(file.digest ?? '') ?? []).filter((other) => !taken.has(other));
    const [nearest] = others.map((other) => ({ other, fit: commonSteps(file, other) })).sort((x, y) => y.fit - x.fit);
    if (nearest === undefined) return [];
    taken.add(nearest.other);
    return [[file, nearest.other]];
  });
}

/** Returns the number of leading folders that two paths share, plus a bonus if the file names are equal. */
function commonSteps({ path: left }: TreeFile, { path: right }: TreeFile): number {
  const [stepsLeft, stepsRight] = [left.split('/'), right.split('/')];
  let folders = 0;
  while (folders < stepsLeft.length - 1 && stepsLeft[folders] === stepsRight[folders]) folders++;
  return folders + (stepsLeft.at(-1) === stepsRight.at(-1) ? 1.5 : 0);
}
