/**
 * Files with a temporary name until they are complete. The name is random, because process ids may be equal in
 * containers, and killed programs leave their files.
 */
import { closeSync, openSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';

export interface TemporaryFile {
  /** Absolute temporary path. */
  readonly name: string;
  readonly descriptor: number;
  /**
   * Closes the file and moves it into place, replacing an existing one. On failure, removes it and throws the error.
   */
  readonly commit: () => void;
  /** Closes and removes the file. Does nothing after `commit`. */
  readonly discard: () => void;
}

const underWay = new Set<TemporaryFile>();

/**
 * Creates a temporary file beside its final path.
 *
 * @throws the system's error if it cannot be created
 */
export function beginTemporary(place: string): TemporaryFile {
  // The name does not contain the final name, which may already have the maximum length.
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

/** Uses Web Crypto, which Node loads on demand. `node:crypto` would add 4 ms to every start. */
function randomName(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(6))).toString('hex');
}

/** Removes all temporary files, for a program that exits immediately. */
export function discardAll(): void {
  for (const file of underWay) file.discard();
}

/** Older files were left by killed programs. */
const abandonedMs = 60 * 60_000;

/** Removes temporary files of killed writers from a folder. */
export function removeAbandoned(folder: string): void {
  try {
    for (const name of readdirSync(folder)) {
      if (!/^\.kindred-[0-9a-f]{12}\.tmp$/.test(name)) continue;
      const file = path.join(folder, name);
      if (Date.now() - statSync(file).mtimeMs > abandonedMs) rmSync(file, { force: true });
    }
  } catch {
    // It was removed by another program, or cannot be removed, which is harmless.
  }
}
