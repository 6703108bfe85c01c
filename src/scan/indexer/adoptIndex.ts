/**
 * The index of a new worktree begins as a copy of that of another worktree of the same repository. Files that are the
 * same object of Git in both, and unchanged, keep their state; others have digests of their content, so they are read,
 * but not lexed again if it is the same.
 */
import { constants, copyFileSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { beginTemporary } from '../io/temporaryFile.ts';
import { inOtherWorktrees } from '../io/worktrees.ts';
import { restamp, restamping } from './restamp.ts';

/**
 * Copies the most recent index of the same folder in another worktree, if there is none at the place. Failures are
 * ignored: the index is then made from nothing.
 *
 * @param place    absolute path of the index, without extensions
 * @param folder   absolute path of the indexed folder
 * @param placeOf  returns the place of the index of another folder
 */
export function adoptIndex(place: string, folder: string, placeOf: (folder: string) => string): void {
  try {
    if (filesOf(place).length > 0) return;
    const [newest] = inOtherWorktrees(folder)
      .flatMap((sibling) => {
        const other = placeOf(sibling);
        const files = filesOf(other);
        return files.length === 0 ? [] : [{ sibling, other, files, time: Math.max(...files.map(timeOf)) }];
      })
      .sort((a, b) => b.time - a.time);
    if (newest === undefined) return;
    mkdirSync(path.dirname(place), { recursive: true });
    const stampFor = restamping(newest.sibling, folder);
    for (const file of newest.files) {
      const extension = file.slice(newest.other.length);
      copyWhole(file, place + extension, (copy) => restamp(copy, extension, stampFor));
    }
  } catch {
    // Another program may replace or remove the files meanwhile.
  }
}

/** Returns the files of an index. */
function filesOf(place: string): string[] {
  const folder = path.dirname(place);
  if (!existsSync(folder)) return [];
  const start = `${path.basename(place)}.`;
  return readdirSync(folder).flatMap((name) => (name.startsWith(start) ? [path.join(folder, name)] : []));
}

function timeOf(file: string): number {
  return statSync(file).mtimeMs;
}

/** Copies a file, and changes the copy, so that another program never sees a part of it. */
function copyWhole(from: string, to: string, change: (copy: string) => void): void {
  const file = beginTemporary(to);
  try {
    copyFileSync(from, file.name, constants.COPYFILE_FICLONE);
    change(file.name);
    file.commit();
  } finally {
    file.discard();
  }
}
