/**
 * Creates the index of a new Git worktree from a copy of another worktree's index. If Git shows that a file is the same
 * object in both worktrees and unchanged, its stored state stays valid. Other files must be read, but are lexed only if
 * the digest of their content differs.
 */
import { constants, copyFileSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { beginTemporary } from '../io/temporaryFile.ts';
import { inOtherWorktrees } from '../io/worktrees.ts';
import { restamp, restamping } from './restamp.ts';

/**
 * If there is no index at `place`, copies the most recent index of the same folder in another worktree. Ignores
 * failures, because a scan can create the index from scratch.
 *
 * @param place    absolute path of the index, without extensions
 * @param folder   absolute path of the indexed folder
 * @param placeOf  returns the path of another folder's index, without extensions
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
    // Another program may have replaced or removed the files meanwhile.
  }
}

function filesOf(place: string): string[] {
  const folder = path.dirname(place);
  if (!existsSync(folder)) return [];
  const start = `${path.basename(place)}.`;
  return readdirSync(folder).flatMap((name) => (name.startsWith(start) ? [path.join(folder, name)] : []));
}

function timeOf(file: string): number {
  return statSync(file).mtimeMs;
}

/** Copies a file to a temporary file, changes it there, and moves it, so that nobody sees an incomplete copy. */
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
