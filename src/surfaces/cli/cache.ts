/** Prepares the folder of `--cache`, in which indexes are stored between calls. */
import { accessSync, constants, mkdirSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { adoptIndex } from '../../scan/indexer/adoptIndex.ts';
import { causeOf } from '../../scan/io/systemErrors.ts';
import { placeOfIndex } from '../../scan/io/indexPlace.ts';
import { removeAbandoned } from '../../scan/io/temporaryFile.ts';

export interface Cache {
  /** Absolute path of the index files, without extension. It depends on which folders are scanned. */
  readonly place: string;
  /** Returns true if an absolute path is in the cache folder. Such files are not scanned. */
  readonly has: (file: string) => boolean;
}

/** Creates the cache folder if necessary. Returns an error message if it cannot be used, before other work. */
export function beginCache(folder: string, roots: readonly string[]): Cache | { readonly problem: string } {
  try {
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === false) {
      return { problem: `${folder} is a file; specify a folder.` };
    }
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const isInTheWay = (error as NodeJS.ErrnoException).code === 'ENOTDIR';
    const reason = isInTheWay ? 'a parent is a file' : causeOf(error);
    return { problem: `cannot write to ${folder} (${reason}); specify another folder.` };
  }
  const starts = [path.resolve(folder), realpathSync(folder)].map((start) => start + path.sep);
  // Scans exclude the cache folder, so they would find no files in a root inside it.
  const within = roots.find((root) => starts.some((start) => (realpathSync(root) + path.sep).startsWith(start)));
  if (within !== undefined) {
    return {
      problem: `the cache folder ${folder} contains ${within}, which is to be scanned; specify a separate folder, such as .kindred.`,
    };
  }
  removeAbandoned(folder);
  const names = roots.map((root) => path.resolve(root));
  const placeOf = (scanned: readonly string[]): string => placeOfIndex(path.resolve(folder), scanned);
  const place = placeOf(names);
  if (names.length === 1) adoptIndex(place, names[0]!, (other) => placeOf([other]));
  return {
    place,
    has: (file) => starts.some((start) => file.startsWith(start)),
  };
}
