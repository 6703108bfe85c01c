/** The files of two trees, and which of them are equal byte for byte: in the same place, moved, or copied. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { decodeText } from '../../io/decode.ts';
import type { SourceFile } from '../../io/sources.ts';

/** A file of a tree. */
export interface TreeFile extends SourceFile {
  /** Of its bytes; undefined when they cannot be read, which the scan tells. */
  readonly digest: string | undefined;
  /** 0 of a file that is no text. */
  readonly lines: number;
}

/** A file of each tree. */
export type FilePair = readonly [a: TreeFile, b: TreeFile];

/** What is equal in two trees, and what is left of both. Each file of a tree is in one list, once. */
export interface EqualFiles {
  /** Equal under the same path. */
  readonly same: readonly FilePair[];
  /** Equal under another path. */
  readonly moved: readonly FilePair[];
  readonly restOfA: readonly TreeFile[];
  readonly restOfB: readonly TreeFile[];
  /** Of the rest the files with the bytes of one of the other tree, which has a partner or partners enough; and that one. */
  readonly copies: ReadonlyMap<TreeFile, TreeFile>;
}

/** Reads what there is to say of a file without comparing it. */
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

/** How many lines a text has, the last one without a line break included. */
function countLines(text: Uint8Array): number {
  let lines = 0;
  for (let at = text.indexOf(lineFeed); at >= 0; at = text.indexOf(lineFeed, at + 1)) lines++;
  for (let at = text.indexOf(carriageReturn); at >= 0; at = text.indexOf(carriageReturn, at + 1)) {
    if (text[at + 1] !== lineFeed) lines++;
  }
  const last = text.at(-1);
  return last === undefined || last === lineFeed || last === carriageReturn ? lines : lines + 1;
}

/** Sorts the files of two trees by what is equal. A file without lines is never moved: it is like any other without. */
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

/** The same without some files, and without those that are equal to them. */
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

/** Which files of one tree have the bytes of one of the other. A file without lines is like any other without. */
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

/** Of several files of the same content those with the same name belong together, then the first ones. */
function movedFiles(a: readonly TreeFile[], b: readonly TreeFile[]): FilePair[] {
  const byDigest = new Map<string, TreeFile[]>();
  for (const file of b) if (file.digest !== undefined && file.lines > 0) add(byDigest, file.digest, file);
  const moved: FilePair[] = [];
  const taken = new Set<TreeFile>();
  for (const fits of [hasSameName, () => true]) {
    for (const file of a) {
      if (file.digest === undefined || taken.has(file)) continue;
      const other = byDigest.get(file.digest)?.find((one) => !taken.has(one) && fits(file, one));
      if (other === undefined) continue;
      taken.add(file).add(other);
      moved.push([file, other]);
    }
  }
  return moved.sort(([x], [y]) => (x.path < y.path ? -1 : 1));
}

function hasSameName(x: TreeFile, y: TreeFile): boolean {
  return path.posix.basename(x.path) === path.posix.basename(y.path);
}

/** Adds an item to the list of a key. */
export function add<Key, Item>(lists: Map<Key, Item[]>, key: Key, item: Item): void {
  const list = lists.get(key);
  if (list) list.push(item);
  else lists.set(key, [item]);
}
