/** How many files and lines there are in each folder and below it. Folders are named as paths are; the root is ''. */
import { type ReplacedDocument, textsOf } from '../documents/namedDocument.ts';

export interface FolderSize {
  files: number;
  lines: number;
}

export class FolderSizes {
  readonly #sizes = new Map<string, FolderSize>();
  readonly #lines = new Map<string, number>();

  /** Takes documents out that were put in, and puts others in. */
  replace(replaced: readonly ReplacedDocument[]): void {
    for (const { path, index } of textsOf(replaced, 'before')) {
      this.#lines.delete(path);
      this.#count(path, -1, -index.totalLines);
    }
    for (const { path, index } of textsOf(replaced, 'after')) {
      this.#lines.set(path, index.totalLines);
      this.#count(path, 1, index.totalLines);
    }
  }

  /** The lines of a file that is there. */
  linesOf(path: string): number {
    return this.#lines.get(path)!;
  }

  /** The files that are there, with their lines. */
  files(): Iterable<readonly [path: string, lines: number]> {
    return this.#lines;
  }

  /** Of a folder with files. */
  of(folder: string): Readonly<FolderSize> {
    return this.#sizes.get(folder)!;
  }

  #count(path: string, files: number, lines: number): void {
    for (let folder: string | undefined = folderOf(path); folder !== undefined; folder = parentOf(folder)) {
      const size = this.#sizes.get(folder);
      if (size === undefined) {
        this.#sizes.set(folder, { files, lines });
        continue;
      }
      size.files += files;
      size.lines += lines;
      if (size.files === 0) this.#sizes.delete(folder);
    }
  }
}

/** The folder that a file or folder is in. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** The folder above; undefined of the root. */
export function parentOf(folder: string): string | undefined {
  return folder === '' ? undefined : folderOf(folder);
}

/** Whether a file or folder is in a folder, at any depth, or is it. */
export function isIn(path: string, folder: string): boolean {
  return folder === '' || path === folder || (path.startsWith(folder) && path[folder.length] === '/');
}
