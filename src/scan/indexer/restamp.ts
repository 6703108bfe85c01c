/**
 * Updates a copied index for another worktree: replaces the stamp of each file with the stamp of the same file in the
 * new worktree. It does so only for files with the same content, which then need not be read. Git's index files show
 * which files these are: both worktrees have the same object, and the stamps match.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { hashBytes64 } from '../../core/methods/hash64.ts';
import { openAnyChecked, replacePiece } from '../io/checkedFile.ts';
import { readGitIndex } from '../io/gitIndex.ts';
import { stampOf } from '../io/readSource.ts';
import { type FileStamp, isSameStamp, settled } from '../io/sources.ts';
import { rootOf } from '../io/worktrees.ts';
import { readStamps, stampPieces } from './commentlessFiles.ts';
import { restampedNumbers } from './documentsFile.ts';

/** Returns the stamp of a file in the new worktree, or `undefined` if its content differs or is unknown. */
export type StampTranslation = (name: string, stamp: FileStamp) => FileStamp | undefined;

/**
 * Maximum number of files whose contents are compared. Contents are compared if Git's index is inconclusive, which is
 * the case for files written at the same time as the index. Comparing many files would take too long.
 */
const maxCompared = 50;

/**
 * Returns a function that finds the stamps of files in another worktree if their content is the same.
 *
 * @param from  absolute path of the folder
 * @param to    absolute path of the same folder in another worktree
 */
export function restamping(from: string, to: string): StampTranslation {
  const [top, otherTop] = [rootOf(from), rootOf(to)];
  const [index, otherIndex] = [readGitIndex(top), readGitIndex(otherTop)];
  const prefix = path.relative(top, from).split(path.sep).join('/');
  const stamps = new Map<string, FileStamp | undefined>();
  let compared = 0;

  const find = (name: string, stamp: FileStamp): FileStamp | undefined => {
    const [file, otherFile] = [from, to].map((folder) => path.join(folder, name)) as [string, string];
    const other = stampOf({ file: otherFile, path: name });
    // Even if both files have the same object in Git, their sizes differ if the worktrees use different line endings or
    // filters.
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

/**
 * Replaces the stamps in one file of an index. If the file is damaged or belongs to another program, this does nothing,
 * and the file will be ignored later.
 */
export function restamp(copy: string, extension: string, stampFor: StampTranslation): void {
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
