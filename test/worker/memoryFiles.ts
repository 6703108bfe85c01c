/** An in-memory folder that only the host can read, and the host's answers for it. */
import type {
  FileContent,
  FileQuestion,
  FileSystem,
  FolderContent,
  Unreadable,
} from '../../src/session/protocol/messages.ts';

const encoder = new TextEncoder();

export class MemoryFiles implements FileSystem {
  /** Files by path in the folder. */
  readonly files = new Map<string, { readonly bytes: Uint8Array; readonly mtimeMs: number }>();
  /** Files that were read, not only checked. */
  read: string[] = [];
  /** Listed files that cannot be read. */
  readonly locked = new Set<string>();
  #time = 1_700_000_000_000;

  /** @param mtimeMs by default, later than all previous ones */
  write(path: string, content: string | Uint8Array, mtimeMs = ++this.#time): void {
    this.files.set(path, { bytes: typeof content === 'string' ? encoder.encode(content) : content, mtimeMs });
  }

  delete(path: string): void {
    this.files.delete(path);
  }

  readFolder(_uri: string, path: string): FolderContent {
    const below = [...this.files.keys()]
      .filter((file) => file.startsWith(path))
      .map((file) => file.slice(path.length).split('/'));
    const entries = new Map(below.map(([first, ...rest]) => [first, rest.length > 0 ? 'folder' : 'file'] as const));
    return { entries: [...entries] };
  }

  readFile({ path, knownStamp, maxSizeBytes }: FileQuestion): FileContent | Unreadable {
    const file = this.files.get(path);
    if (file === undefined) return { reason: 'missing' };
    if (this.locked.has(path)) return { reason: 'unreadable (permission denied)' };
    const stamp = { sizeBytes: file.bytes.length, mtimeMs: file.mtimeMs, ctimeMs: 0, inode: 0 };
    const isKnown = knownStamp?.sizeBytes === stamp.sizeBytes && knownStamp.mtimeMs === stamp.mtimeMs;
    const isUnneeded = isKnown || stamp.sizeBytes > maxSizeBytes;
    if (!isUnneeded) this.read.push(path);
    return { stamp, bytes: isUnneeded ? undefined : file.bytes };
  }
}
