/** Stored index whose files are on disk. */
import { readFileSync } from 'node:fs';
import { hashBytes64 } from '../../core/methods/hash64.ts';
import { openChecked, writeChecked } from '../io/checkedFile.ts';
import { type FileName, IndexStore, type StoreFiles, type StoreIdentity } from './indexStore.ts';

/** @param place  absolute path of the index, without extensions */
export function storeOnDisk(place: string): StoreFiles {
  const nameOf = (name: FileName): string => `${place}.${name}`;
  return {
    nameOf,
    open: (name, key) => openChecked(nameOf(name), key, hashBytes64),
    write: (name, content, cancelled) => writeChecked(nameOf(name), content, hashBytes64, cancelled),
  };
}

/** Scripts on which an index depends: the one that indexes files, and the one that makes reports. */
export interface Scripts {
  readonly scanThread: URL;
  readonly program: URL;
}

/**
 * Opens a stored index.
 *
 * @param warn  receives messages about files that cannot be read or written
 */
export function openIndexStore(
  place: string,
  identity: Omit<StoreIdentity, keyof Scripts>,
  scripts: Scripts,
  warn: (problem: string) => void,
): IndexStore {
  return new IndexStore(storeOnDisk(place), { ...identity, ...digestsOf(scripts) }, warn);
}

/** Returns the digests of the scripts and, as the names of imported files have digests, of their imports. */
export function digestsOf({ scanThread, program }: Scripts): Pick<StoreIdentity, keyof Scripts> {
  return { scanThread: digestOf(scanThread), program: digestOf(program) };
}

function digestOf(script: URL): string {
  return hashBytes64(readFileSync(script)).toString(16);
}
