/**
 * Replaces stamps in a copied index by those of the same files in another worktree. Git's indexes tell which files have
 * the same content in both: the same object, as far as their stamps tell, so they need not be read.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { hashBytes64 } from '../../core/methods/hash64.ts';
import { openAnyChecked, replacePiece } from '../io/checkedFile.ts';
import { readGitIndex } from '../io/gitIndex.ts';
import { stampOf } from '../io/readSource.ts';
import { type FileStamp, isSameStamp, settled } from '../io/sources.ts';
import { topOf } from '../io/worktrees.ts';
import { readStamps, stampPieces } from './commentlessFiles.ts';
import { restampedNumbers } from './documentsFile.ts';

/** Returns the stamp of a file in the other worktree; `undefined` if its content is another one, or unknown. */
export type StampFor = (name: string, stamp: FileStamp) => FileStamp | undefined;

/** Files that are compared by content: Git cannot tell about those that it wrote last. Reading all would take long. */
const maxCompared = 50;

/**
 * Returns the function that finds the stamps of the equal files in the other worktree.
 *
 * @param from  absolute path of the folder
 * @param to    absolute path of the same folder in another worktree
 */
export function restamping(from: string, to: string): StampFor {
  const [top, otherTop] = [topOf(from), topOf(to)];
  const [index, otherIndex] = [readGitIndex(top), readGitIndex(otherTop)];
  const prefix = path.relative(top, from).split(path.sep).join('/');
  const stamps = new Map<string, FileStamp | undefined>();
  let compared = 0;

  const find = (name: string, stamp: FileStamp): FileStamp | undefined => {
    const [file, otherFile] = [from, to].map((folder) => path.join(folder, name)) as [string, string];
    const other = stampOf({ file: otherFile, path: name });
    // Line ends and filters may differ between worktrees, but then the size does too.
    if (other?.sizeBytes !== stamp.sizeBytes) return undefined;
    const inTop = path.posix.join(prefix, name);
    const object = index?.objectOf(inTop, stamp);
    if (object !== undefined && otherIndex?.objectOf(inTop, other) === object) return other;
    const isStored = isSameStamp(stampOf({ file, path: name }), stamp);
    return isStored && ++compared <= maxCompared && readFileSync(file).equals(readFileSync(otherFile))
      ? other
      : undefined;
  };

  return (name, stamp) => {
    if (!stamps.has(name)) {
      const found = find(name, stamp);
      stamps.set(name, found && settled(found));
    }
    return stamps.get(name);
  };
}

/** Replaces the stamps in a file of an index. Damaged files, and those of other programs, are ignored later anyway. */
export function restamp(copy: string, extension: string, stampFor: StampFor): void {
  if (extension !== '.documents' && extension !== '.comments') return;
  const file = openAnyChecked(copy, hashBytes64);
  if (file.type !== 'file') return;
  let change: { readonly piece: number; readonly bytes: Uint8Array } | undefined;
  try {
    if (extension === '.documents') change = restampedNumbers(file, stampFor);
    else {
      const stamps = Object.entries(readStamps(file) ?? {});
      const [bytes] = stampPieces(Object.fromEntries(stamps.map(([name, one]) => [name, stampFor(name, one) ?? one])));
      change = { piece: 0, bytes: bytes! };
    }
  } finally {
    file.close();
  }
  if (change) replacePiece(copy, change.piece, change.bytes, hashBytes64);
}
