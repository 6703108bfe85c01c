/**
 * File tree of dropped folders. Never reads folders that the ignore rules exclude. Uses file handles in Chromium, which
 * also work if the page was opened from disk, and file system entries in other browsers.
 */
import type { FileTree } from '../../../scan/io/listTree.ts';
import { entryOf, maxFiles, ruleText } from './fileTree.ts';

/** A dropped file or folder, or an entry of a dropped folder. */
export interface DroppedEntry {
  readonly name: string;
  /** Reads the entries. Only folders have this function. */
  readonly members?: () => Promise<readonly DroppedEntry[]>;
  /** Returns the content. Only files have this function. */
  readonly file?: () => Promise<File>;
}

/** Parts of the File System API that are missing in TypeScript's type definitions. */
type Handle = FileSystemHandle & {
  readonly values?: () => AsyncIterable<Handle>;
  readonly getFile?: () => Promise<File>;
};

/** Returns the dropped files and folders. Must be called in the event handler: the browser clears them afterwards. */
export function droppedItems(items: DataTransferItemList): Promise<readonly DroppedEntry[]> {
  const dropped = [...items].map(async (item): Promise<DroppedEntry | undefined> => {
    const entry = item.webkitGetAsEntry();
    const { getAsFileSystemHandle } = item as { getAsFileSystemHandle?: () => Promise<Handle | null> };
    const handle = await getAsFileSystemHandle?.call(item).catch(() => null);
    if (handle) return ofHandle(handle);
    return entry ? ofEntry(entry) : undefined;
  });
  return Promise.all(dropped).then((all) => all.filter((one) => one !== undefined));
}

function ofHandle(handle: Handle): DroppedEntry {
  const { name } = handle;
  if (handle.kind === 'file') return { name, file: () => handle.getFile!() };
  return {
    name,
    members: async () => {
      const all: DroppedEntry[] = [];
      for await (const member of handle.values!()) all.push(ofHandle(member));
      return all;
    },
  };
}

function ofEntry(entry: FileSystemEntry): DroppedEntry {
  const { name } = entry;
  if (!entry.isDirectory) {
    return { name, file: () => new Promise((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject)) };
  }
  return {
    name,
    members: async () => {
      const reader = (entry as FileSystemDirectoryEntry).createReader();
      const all: DroppedEntry[] = [];
      // `readEntries` returns the entries in batches. An empty batch means the end.
      for (;;) {
        const part = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
        if (part.length === 0) return all;
        all.push(...part.map(ofEntry));
      }
    },
  };
}

export class DroppedTree implements FileTree {
  readonly #top: () => Promise<readonly DroppedEntry[]>;
  readonly #folders = new Map<string, Promise<ReadonlyMap<string, DroppedEntry>>>();
  /** Number of entries read so far. */
  size = 0;

  /** @param top  reads the entries of the root folder */
  constructor(top: () => Promise<readonly DroppedEntry[]>) {
    this.#top = top;
  }

  readonly readFolder: FileTree['readFolder'] = async (path) => {
    // The caller rejects trees with more than `maxFiles` entries, so there is no need to continue.
    if (this.size > maxFiles) return [];
    try {
      const members = await this.#membersOf(path);
      return Array.from(members.values(), ({ name, file }) => entryOf(name, file ? 'file' : 'folder'));
    } catch {
      return { reason: 'unreadable' };
    }
  };

  readonly readText: FileTree['readText'] = async (path) => ruleText(await this.fileAt(path));

  /** Returns the file at a path; `undefined` if it does not exist or cannot be read. */
  async fileAt(path: string): Promise<File | undefined> {
    try {
      const slash = path.lastIndexOf('/') + 1;
      return await (await this.#membersOf(path.slice(0, slash))).get(path.slice(slash))?.file?.();
    } catch {
      return undefined;
    }
  }

  /** Reads the entries of a folder and of its parent folders. Reads each folder only once. */
  #membersOf(path: string): Promise<ReadonlyMap<string, DroppedEntry>> {
    let members = this.#folders.get(path);
    if (members === undefined) this.#folders.set(path, (members = this.#read(path)));
    return members;
  }

  async #read(path: string): Promise<ReadonlyMap<string, DroppedEntry>> {
    let members: readonly DroppedEntry[];
    if (path === '') members = await this.#top();
    else {
      const slash = path.lastIndexOf('/', path.length - 2) + 1;
      const folder = (await this.#membersOf(path.slice(0, slash))).get(path.slice(slash, -1));
      members = (await folder?.members?.()) ?? [];
    }
    this.size += members.length;
    return new Map(members.map((member) => [member.name, member]));
  }
}
