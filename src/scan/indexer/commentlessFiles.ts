/**
 * Caches which files contain no ignore comments, by path and stamp (size and time). Such files need not be read again
 * to search for such comments. Stored beside the index.
 */
import type { CheckedFile } from '../io/checkedFile.ts';
import { type FileStamp, isSameStamp } from '../io/sources.ts';

type Stamps = Readonly<Record<string, FileStamp>>;

export class CommentlessFiles {
  readonly #stored: Stamps;
  readonly #now = new Map<string, FileStamp>();
  /** Paths of all existing files, or `undefined` until `keepAmong` has been called. */
  #present: ReadonlySet<string> | undefined;

  /** @param stored  paths and stamps that an earlier run has stored */
  constructor(stored: Stamps = {}) {
    this.#stored = stored;
  }

  /** Removes the entries of all paths except the given ones. */
  keepAmong(paths: ReadonlySet<string>): void {
    this.#present = paths;
  }

  /** Returns true if the file is known to contain no ignore comments. Its stamp must be unchanged. */
  has(path: string, stamp: FileStamp): boolean {
    return isSameStamp(Object.hasOwn(this.#stored, path) ? this.#stored[path] : undefined, stamp);
  }

  /** Returns true if the file contained no ignore comments when it was read last. It may have changed since. */
  contains(path: string): boolean {
    return Object.hasOwn(this.#stored, path);
  }

  add(path: string, stamp: FileStamp): void {
    if (!Number.isNaN(stamp.mtimeMs)) this.#now.set(path, stamp);
  }

  /** Returns the entries to store, or `undefined` if the stored ones are up to date. */
  changed(): Stamps | undefined {
    const all = new Map(Object.entries(this.#stored));
    for (const [path, stamp] of this.#now) all.set(path, stamp);
    const left = [...all].filter(([path]) => this.#present?.has(path) !== false).sort(([a], [b]) => (a < b ? -1 : 1));
    const stamps = Object.fromEntries(left);
    return JSON.stringify(stamps) === JSON.stringify(this.#stored) ? undefined : stamps;
  }
}

/** Returns the stored entries, or `undefined` if the stored file is invalid. */
export function readStamps(file: CheckedFile): Stamps | undefined {
  const [size] = file.sizes;
  if (size === undefined) return undefined;
  const bytes = new Uint8Array(size);
  if (!file.read(0, bytes)) return undefined;
  const stamps = JSON.parse(new TextDecoder().decode(bytes)) as Stamps;
  return Object.values(stamps).every((stamp) => typeof stamp === 'object' && (stamp as unknown) !== null)
    ? stamps
    : undefined;
}

export function stampPieces(stamps: Stamps): Uint8Array[] {
  return [new TextEncoder().encode(JSON.stringify(stamps))];
}
