/**
 * Files that were read and have no comment that says anything about copies, with their stamps: they need not be read for that
 * again. Kept beside the index.
 */
import type { CheckedFile } from '../io/checkedFile.ts';
import { type FileStamp, isSameStamp } from '../io/sources.ts';

type Stamps = Readonly<Record<string, FileStamp>>;

export class CommentlessFiles {
  readonly #stored: Stamps;
  readonly #now = new Map<string, FileStamp>();
  /** The files that there are; undefined while nobody has said so. */
  #present: ReadonlySet<string> | undefined;

  /** @param stored  of the last time, as `contents` told them */
  constructor(stored: Stamps = {}) {
    this.#stored = stored;
  }

  /** What is stored of other files than these goes. */
  keepAmong(paths: ReadonlySet<string>): void {
    this.#present = paths;
  }

  /** Whether a file with this stamp is known to have none. */
  has(path: string, stamp: FileStamp): boolean {
    return isSameStamp(Object.hasOwn(this.#stored, path) ? this.#stored[path] : undefined, stamp);
  }

  /** A file with this stamp has none. */
  add(path: string, stamp: FileStamp): void {
    if (!Number.isNaN(stamp.mtimeMs)) this.#now.set(path, stamp);
  }

  /** What there is to be stored; undefined when that is stored already. */
  get changed(): Stamps | undefined {
    const all = new Map(Object.entries(this.#stored));
    for (const [path, stamp] of this.#now) all.set(path, stamp);
    const left = [...all].filter(([path]) => this.#present?.has(path) !== false).sort(([a], [b]) => (a < b ? -1 : 1));
    const stamps = Object.fromEntries(left);
    return JSON.stringify(stamps) === JSON.stringify(this.#stored) ? undefined : stamps;
  }
}

/** Undefined when the file is not what was written. */
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
