/** Files of two trees, and pairs of equal files: with the same path, moved, or copied. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { append } from '../../../core/collections/lists.ts';
import { decodeText } from '../../../scan/io/decode.ts';
import type { SourceFile } from '../../../scan/io/sources.ts';

export interface TreeFile extends SourceFile {
  /** Digest of the bytes; `undefined` if the file cannot be read, which the scan will report. */
  readonly digest: string | undefined;
  /** Number of lines; 0 for a file that is not text. */
  readonly lines: number;
}

export type FilePair = readonly [a: TreeFile, b: TreeFile];

/** Equal files of two trees, and the other files. Each file is in exactly one list. */
export interface EqualFiles {
  /** Equal files with the same path. */
  readonly same: readonly FilePair[];
  /** Equal files with different paths. */
  readonly moved: readonly FilePair[];
  readonly restOfA: readonly TreeFile[];
  readonly restOfB: readonly TreeFile[];
  /** Among the other files, those that equal a file of the other tree which is already paired, with that file. */
  readonly copies: ReadonlyMap<TreeFile, TreeFile>;
}

/** Reads the properties of a file. */
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

/** Counts the lines of a text. A last line without a line break also counts. */
function countLines(text: Uint8Array): number {
  let lines = 0;
  for (let at = text.indexOf(lineFeed); at >= 0; at = text.indexOf(lineFeed, at + 1)) lines++;
  for (let at = text.indexOf(carriageReturn); at >= 0; at = text.indexOf(carriageReturn, at + 1)) {
    if (text[at + 1] !== lineFeed) lines++;
  }
  const last = text.at(-1);
  return last === undefined || last === lineFeed || last === carriageReturn ? lines : lines + 1;
}

/**
 * Sorts the files of two trees by equality. Files without lines never count as moved, because all of them are equal.
 */
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

/** Removes some files, and the files that equal them. */
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

/** Finds files that equal a file of the other tree. Files without lines do not count, because all of them are equal. */
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

/** Pairs equal files. Files whose paths have more in common at the end are paired first. */
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

/** Returns the number of common leading folders, plus a bonus for equal names. */
function commonSteps({ path: left }: TreeFile, { path: right }: TreeFile): number {
  const [stepsLeft, stepsRight] = [left.split('/'), right.split('/')];
  let folders = 0;
  while (folders < stepsLeft.length - 1 && stepsLeft[folders] === stepsRight[folders]) folders++;
  return folders + (stepsLeft.at(-1) === stepsRight.at(-1) ? 1.5 : 0);
}
