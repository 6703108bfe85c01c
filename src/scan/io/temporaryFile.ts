/**
 * Files that have a temporary name until they are complete. The name is random, because process ids may be the same in
 * different containers, and killed programs leave their files behind.
 */
import { closeSync, openSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';

export interface TemporaryFile {
  /** Absolute path of the temporary file. */
  readonly name: string;
  readonly descriptor: number;
  /**
   * Closes the file and moves it into place, where it replaces an existing file. If this fails, removes the temporary
   * file and throws the error.
   */
  readonly commit: () => void;
  /** Closes and removes the file. Does nothing after `commit`. */
  readonly discard: () => void;
}

const underWay = new Set<TemporaryFile>();

/**
 * Creates a temporary file in the folder of its final path.
 *
 * @throws the system's error if it cannot be created
 */
export function beginTemporary(place: string): TemporaryFile {
  // The name does not contain the final name, because that may already have the maximum length.
  const name = path.join(path.dirname(path.resolve(place)), `.kindred-${randomName()}.tmp`);
  const descriptor = openSync(name, 'wx');
  const end = (): boolean => {
    const isOpen = underWay.delete(file);
    if (isOpen) closeSync(descriptor);
    return isOpen;
  };
  const file: TemporaryFile = {
    name,
    descriptor,
    commit: () => {
      if (!end()) return;
      try {
        renameSync(name, place);
      } catch (error) {
        rmSync(name, { force: true });
        throw error;
      }
    },
    discard: () => {
      if (end()) rmSync(name, { force: true });
    },
  };
  underWay.add(file);
  return file;
}

/** Returns a random name. Uses Web Crypto, which Node loads on demand; `node:crypto` would add 4 ms to every start. */
function randomName(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(6))).toString('hex');
}

/** Removes all temporary files. To be called by a program that exits immediately. */
export function discardAll(): void {
  for (const file of underWay) file.discard();
}

/** Minimum age in milliseconds of a temporary file that a killed program has left behind. */
const abandonedMs = 60 * 60_000;

/** Removes temporary files from a folder that killed programs have left behind. */
export function removeAbandoned(folder: string): void {
  try {
    for (const name of readdirSync(folder)) {
      if (!/^\.kindred-[0-9a-f]{12}\.tmp$/.test(name)) continue;
      const file = path.join(folder, name);
      if (Date.now() - statSync(file).mtimeMs > abandonedMs) rmSync(file, { force: true });
    }
  } catch {
    // Another program has removed the file, or it cannot be removed, which does no harm.
  }
}
