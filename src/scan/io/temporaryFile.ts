/**
 * Files with a temporary name, which get their final name when they are complete. The temporary name is random, because
 * process ids may be the same in different containers, and killed programs leave their files behind.
 */
import { closeSync, openSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';

export interface TemporaryFile {
  /** Absolute path of the temporary file. */
  readonly name: string;
  readonly descriptor: number;
  /**
   * Closes the file and moves it to its final path, where it replaces an existing file. If this fails, removes the
   * temporary file and throws the error.
   */
  readonly commit: () => void;
  /** Closes and removes the file. Does nothing after `commit`. */
  readonly discard: () => void;
}

const underWay = new Set<TemporaryFile>();

/**
 * Creates a temporary file in the folder of the final path.
 *
 * @throws the system's error if it cannot be created
 */
export function beginTemporary(place: string): TemporaryFile {
  // Do not use the final name in the temporary one, because it may already have the maximum length.
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

/** Returns a random name. Uses Web Crypto, because importing `node:crypto` would add 4 ms to every start. */
function randomName(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(6))).toString('hex');
}

/** Removes all temporary files. For programs that are about to exit without calling `discard`. */
export function discardAll(): void {
  for (const file of underWay) file.discard();
}

/** Age in milliseconds from which a temporary file counts as left behind by a killed program. */
const abandonedMs = 60 * 60_000;

/** Removes the temporary files of killed programs from a folder. */
export function removeAbandoned(folder: string): void {
  try {
    for (const name of readdirSync(folder)) {
      if (!/^\.kindred-[0-9a-f]{12}\.tmp$/.test(name)) continue;
      const file = path.join(folder, name);
      if (Date.now() - statSync(file).mtimeMs > abandonedMs) rmSync(file, { force: true });
    }
  } catch {
    // Another program has removed the file, or it cannot be removed. Both cases are harmless.
  }
}
