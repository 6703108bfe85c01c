/**
 * Watches folders for changed files. Uses recursive watchers if the system supports them. On Linux, watches only
 * folders that contain compared files, so that node_modules costs nothing. Polling finds missed changes
 * (session/client/diskPolling.ts).
 */
import { existsSync, type FSWatcher, watch } from 'node:fs';
import path from 'node:path';

/** Kind of a reported change. `presence`: a file may have been added or removed. `content`: a file was written. */
export type ChangeKind = 'presence' | 'content';

const watchesTrees = process.platform === 'darwin' || process.platform === 'win32';

export class FolderWatch {
  readonly #roots: readonly string[];
  readonly #onChange: (file: string, what: ChangeKind) => void;
  readonly #warn: (message: string) => void;
  readonly #watchers = new Map<string, FSWatcher>();
  /** Folders to watch, which need not exist. */
  #folders: ReadonlySet<string>;
  #hasWarned = false;

  /**
   * @param roots     absolute paths
   * @param onChange  called with the absolute path of a changed file
   * @param warn      called with a message when watching fails for the first time
   */
  constructor(
    roots: readonly string[],
    onChange: (file: string, what: ChangeKind) => void,
    warn: (message: string) => void,
  ) {
    this.#roots = roots;
    this.#onChange = onChange;
    this.#warn = warn;
    this.#folders = new Set(roots);
    for (const root of roots) this.#add(root);
  }

  /**
   * Watches the folders that contain the given files, and their parent folders up to the roots.
   *
   * @param files  absolute paths
   */
  follow(files: readonly string[]): void {
    if (watchesTrees) return;
    const folders = new Set(this.#roots);
    for (const file of files) {
      let folder = path.dirname(file);
      while (!folders.has(folder) && folder.length > 1) {
        folders.add(folder);
        folder = path.dirname(folder);
      }
    }
    this.#folders = folders;
    this.#stop((folder) => !folders.has(folder));
    for (const folder of folders) this.#add(folder);
  }

  dispose(): void {
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  #add(folder: string): void {
    if (this.#watchers.has(folder)) return;
    try {
      const watcher = watch(folder, { persistent: false, recursive: watchesTrees }, (event, name) => {
        if (event === 'rename' && name !== null && !watchesTrees) {
          // A folder that is moved or removed reports its own name, which may also be that of an item in it.
          const item = path.join(folder, name);
          this.#renew(name === path.basename(folder) && !existsSync(item) ? folder : item);
        }
        this.#onChange(name === null ? folder : path.join(folder, name), event === 'change' ? 'content' : 'presence');
      });
      watcher.on('error', (error) => this.#drop(folder, error));
      this.#watchers.set(folder, watcher);
    } catch (error) {
      this.#drop(folder, error);
    }
  }

  /**
   * Watches a folder and those in it again. If a folder is removed and then created again, or is replaced by another
   * one, its watcher still watches the removed one.
   */
  #renew(folder: string): void {
    if (!this.#folders.has(folder)) return;
    const isInside = (name: string): boolean => name === folder || name.startsWith(folder + path.sep);
    this.#stop(isInside);
    for (const name of this.#folders) if (isInside(name)) this.#add(name);
  }

  #stop(isStopped: (folder: string) => boolean): void {
    for (const [folder, watcher] of this.#watchers) {
      if (!isStopped(folder)) continue;
      watcher.close();
      this.#watchers.delete(folder);
    }
  }

  /** Ignore the error if the folder was removed or became a file. The removal of its files is reported separately. */
  #drop(folder: string, error: unknown): void {
    this.#watchers.get(folder)?.close();
    this.#watchers.delete(folder);
    const { code } = error as NodeJS.ErrnoException;
    if (this.#hasWarned || code === 'ENOENT' || code === 'ENOTDIR' || code === 'EPERM') return;
    this.#hasWarned = true;
    this.#warn(`Cannot watch ${folder} (${code ?? String(error)}); changes are found by polling, a few seconds later.`);
  }
}
