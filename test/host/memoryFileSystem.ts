/** In-memory file system, as another extension may provide it. */
import * as vscode from 'vscode';

interface StoredFile {
  readonly bytes: Uint8Array;
  readonly mtime: number;
}

export class MemoryFileSystem implements vscode.FileSystemProvider {
  readonly #changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.#changed.event;
  readonly #files = new Map<string, StoredFile>();
  /** Paths of files that were read, in order. */
  readonly read: string[] = [];
  /** Paths without read permission. */
  readonly shut = new Set<string>();
  /** Called before each write, which waits for it. */
  beforeWrite: () => Promise<void> = () => Promise.resolve();

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  stat({ path }: vscode.Uri): vscode.FileStat {
    const file = this.#files.get(path);
    if (file) return { type: vscode.FileType.File, ctime: 0, mtime: file.mtime, size: file.bytes.length };
    if (this.#below(path).length === 0 && path !== '/') throw vscode.FileSystemError.FileNotFound(path);
    return { type: vscode.FileType.Directory, ctime: 0, mtime: 0, size: 0 };
  }

  readDirectory({ path }: vscode.Uri): [string, vscode.FileType][] {
    // Many providers look up the exact path of a folder.
    if (path.length > 1 && path.endsWith('/')) throw vscode.FileSystemError.FileNotFound(path);
    const start = path.endsWith('/') ? path : `${path}/`;
    const members = new Map<string, vscode.FileType>();
    for (const name of this.#below(path)) {
      const [member, ...others] = name.slice(start.length).split('/');
      members.set(member, others.length > 0 ? vscode.FileType.Directory : vscode.FileType.File);
    }
    return [...members];
  }

  readFile({ path }: vscode.Uri): Uint8Array {
    const file = this.#files.get(path);
    if (file === undefined) throw vscode.FileSystemError.FileNotFound(path);
    if (this.shut.has(path)) throw vscode.FileSystemError.NoPermissions(path);
    this.read.push(path);
    return file.bytes;
  }

  /** Writes a file without an event, because a provider's `writeFile` has to fire it itself. */
  put(path: string, text: string, mtime = Date.now()): void {
    this.#files.set(path, { bytes: new TextEncoder().encode(text), mtime });
  }

  async writeFile(uri: vscode.Uri, bytes: Uint8Array): Promise<void> {
    await this.beforeWrite();
    const type = this.#files.has(uri.path) ? vscode.FileChangeType.Changed : vscode.FileChangeType.Created;
    this.#files.set(uri.path, { bytes, mtime: Date.now() });
    this.#changed.fire([{ type, uri }]);
  }

  delete(uri: vscode.Uri): void {
    for (const path of [uri.path, ...this.#below(uri.path)]) this.#files.delete(path);
    this.#changed.fire([{ type: vscode.FileChangeType.Deleted, uri }]);
  }

  async rename(from: vscode.Uri, to: vscode.Uri): Promise<void> {
    const bytes = this.readFile(from);
    this.delete(from);
    await this.writeFile(to, bytes);
  }

  createDirectory(): void {
    // A folder exists as soon as it contains a file.
  }

  #below(path: string): string[] {
    const start = path.endsWith('/') ? path : `${path}/`;
    return [...this.#files.keys()].filter((name) => name.startsWith(start));
  }
}
