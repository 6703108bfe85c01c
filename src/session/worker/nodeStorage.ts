/** Stores files on disk between sessions. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { adoptIndex } from '../../scan/indexer/adoptIndex.ts';
import { digestsOf, type Scripts, storeOnDisk } from '../../scan/indexer/storeOnDisk.ts';
import { placeOfIndex } from '../../scan/io/indexPlace.ts';
import { beginTemporary, removeAbandoned } from '../../scan/io/temporaryFile.ts';
import { readTextFile } from '../../scan/io/textFile.ts';
import type { Storage } from './system.ts';

const maxTextBytes = 2 ** 22;

/** @param warn  called with a message if a folder cannot be used */
export function nodeStorage(scripts: Scripts, warn: (problem: string) => void): Storage {
  let digests: ReturnType<Storage['digests']> | undefined;
  return {
    digests: () => (digests ??= digestsOf(scripts)),
    load: (folder, roots) => {
      const [only, ...others] = roots;
      if (folder !== undefined && only && others.length === 0 && 'folder' in only) {
        adoptIndex(placeIn(folder), only.folder, (other) => placeIn(placeOfIndex(path.dirname(folder), [other])));
      }
      return Promise.resolve();
    },
    indexIn: (folder) => {
      try {
        // Only the user may write to the folder. Otherwise, other users could place a forged index in it.
        mkdirSync(folder, { recursive: true, mode: 0o700 });
      } catch (error) {
        warn(`Cannot store the index in ${folder}: ${String(error)}.`);
      }
      removeAbandoned(folder);
      return storeOnDisk(placeIn(folder));
    },
    readText: (folder, name) => {
      const read = readTextFile(path.join(folder, name), maxTextBytes);
      return 'text' in read ? read.text : undefined;
    },
    writeText: (folder, name, text) => {
      try {
        mkdirSync(folder, { recursive: true });
        const file = beginTemporary(path.join(folder, name));
        try {
          writeFileSync(file.descriptor, text);
          file.commit();
        } finally {
          file.discard();
        }
      } catch {
        // Ignore the failure. The index store uses the same folder and reports the problem.
      }
    },
  };
}

/** Returns the path of the index in a folder, without extensions. */
function placeIn(folder: string): string {
  return path.join(folder, 'index');
}
