/**
 * Files that lie under a name of their own until they are whole. The name is made by chance: in containers each program
 * has the same process number, and one that was killed leaves its file.
 */
import { closeSync, openSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';

/** A file under way. */
export interface TemporaryFile {
  /** Where it lies meanwhile: absolute. */
  readonly name: string;
  readonly descriptor: number;
  /** Closes it and puts it in its place, over what was there. When that fails it is removed, and the error thrown. */
  readonly commit: () => void;
  /** Closes and removes it. Does nothing after `commit`. */
  readonly discard: () => void;
}

const underWay = new Set<TemporaryFile>();

/**
 * Begins a file beside its place.
 *
 * @throws the system's error when nothing can be written there
 */
export function beginTemporary(place: string): TemporaryFile {
  // Not made of the other name, which may be as long as names can be.
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

/** By the crypto of the web, which Node loads when it is asked for something; `node:crypto` takes 4 ms of every start. */
function randomName(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(6))).toString('hex');
}

/** Removes all files that are under way, for a program that ends at once. */
export function discardAll(): void {
  for (const file of underWay) file.discard();
}

/** What lies there longer was left by a program that was killed. */
const abandonedMs = 60 * 60_000;

/** Removes what writers that were killed have left in a folder. */
export function removeAbandoned(folder: string): void {
  try {
    for (const name of readdirSync(folder)) {
      if (!/^\.kindred-[0-9a-f]{12}\.tmp$/.test(name)) continue;
      const file = path.join(folder, name);
      if (Date.now() - statSync(file).mtimeMs > abandonedMs) rmSync(file, { force: true });
    }
  } catch {
    // Somebody else has removed it, or nothing may be removed there: it only takes room.
  }
}
