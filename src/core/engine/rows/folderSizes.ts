/** Counts the files and lines of each folder, including its subfolders, by path. The root is ''. */
import { type NamedDocument, type ReplacedDocument, textsOf } from '../documents/namedDocument.ts';

export interface FolderSize {
  files: number;
  lines: number;
}

export class FolderSizes {
  readonly #sizes = new Map<string, FolderSize>();
  readonly #lines = new Map<string, number>();
  readonly #changed = { folders: new Set<string>(), files: new Set<string>() };

  replace(replaced: readonly ReplacedDocument[]): void {
    const [before, after] = [textsOf(replaced, 'before'), textsOf(replaced, 'after')];
    for (const { path } of before) {
      this.#lines.delete(path);
      this.#changed.files.add(path);
    }
    for (const { path, index } of after) this.#lines.set(path, index.totalLines);
    this.#countAll(before, -1);
    this.#countAll(after, 1);
  }

  linesOf(path: string): number {
    return this.#lines.get(path)!;
  }

  /** Returns the path and the number of lines of each file. */
  files(): Iterable<readonly [path: string, lines: number]> {
    return this.#lines;
  }

  /** Returns the folders whose size may have changed since the last call, and the files that were replaced. */
  takeChanged(): { folders: string[]; files: string[] } {
    const { folders, files } = this.#changed;
    const changed = { folders: [...folders], files: [...files] };
    folders.clear();
    files.clear();
    return changed;
  }

  /** Returns the size of a folder. Precondition: it contains files. */
  of(folder: string): Readonly<FolderSize> {
    return this.#sizes.get(folder)!;
  }

  /** Adds or subtracts files. If consecutive files are in the same folder, updates its ancestors only once. */
  #countAll(texts: readonly NamedDocument[], sign: 1 | -1): void {
    let [folder, files, lines] = ['', 0, 0];
    for (const { path, index } of texts) {
      const own = folderOf(path);
      if (own !== folder) {
        this.#count(folder, files, lines);
        [folder, files, lines] = [own, 0, 0];
      }
      files += sign;
      lines += sign * index.totalLines;
    }
    this.#count(folder, files, lines);
  }

  #count(innermost: string, files: number, lines: number): void {
    if (files === 0) return;
    for (let folder: string | undefined = innermost; folder !== undefined; folder = parentOf(folder)) {
      this.#changed.folders.add(folder);
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

/** Returns the path of the folder that contains a file or folder. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** Returns the parent folder, or `undefined` for the root. */
export function parentOf(folder: string): string | undefined {
  return folder === '' ? undefined : folderOf(folder);
}

/** Returns true if a path is in a folder, at any depth, or is the folder itself. */
export function isIn(path: string, folder: string): boolean {
  return folder === '' || path === folder || (path.startsWith(folder) && path[folder.length] === '/');
}
