/**
 * The tree of dropped folders, which is read only where the rules do not hide it. Chromium gives handles, which work in
 * pages that are opened as files. Other browsers give entries.
 */
import type { FileTree } from '../../../scan/io/listTree.ts';
import { entryOf, maxFiles, ruleText } from './fileTree.ts';

/** A dropped file or folder, or a member of one. */
export interface Dropped {
  readonly name: string;
  /** Only of a folder: reads its members. */
  readonly members?: () => Promise<readonly Dropped[]>;
  /** Only of a file. */
  readonly file?: () => Promise<File>;
}

/** The parts of the File System API that TypeScript does not know yet. */
type Handle = FileSystemHandle & {
  readonly values?: () => AsyncIterable<Handle>;
  readonly getFile?: () => Promise<File>;
};

/** Returns the dropped files and folders. Must be called during the event, which empties the list at its end. */
export function droppedItems(items: DataTransferItemList): Promise<readonly Dropped[]> {
  const dropped = [...items].map(async (item): Promise<Dropped | undefined> => {
    const entry = item.webkitGetAsEntry();
    const { getAsFileSystemHandle } = item as { getAsFileSystemHandle?: () => Promise<Handle | null> };
    const handle = await getAsFileSystemHandle?.call(item).catch(() => null);
    if (handle) return ofHandle(handle);
    return entry ? ofEntry(entry) : undefined;
  });
  return Promise.all(dropped).then((all) => all.filter((one) => one !== undefined));
}

function ofHandle(handle: Handle): Dropped {
  const { name } = handle;
  if (handle.kind === 'file') return { name, file: () => handle.getFile!() };
  return {
    name,
    members: async () => {
      const all: Dropped[] = [];
      for await (const member of handle.values!()) all.push(ofHandle(member));
      return all;
    },
  };
}

function ofEntry(entry: FileSystemEntry): Dropped {
  const { name } = entry;
  if (!entry.isDirectory) {
    return { name, file: () => new Promise((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject)) };
  }
  return {
    name,
    members: async () => {
      const reader = (entry as FileSystemDirectoryEntry).createReader();
      const all: Dropped[] = [];
      // A reader returns the members in parts.
      for (;;) {
        const part = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
        if (part.length === 0) return all;
        all.push(...part.map(ofEntry));
      }
    },
  };
}

export class DroppedTree implements FileTree {
  readonly #top: () => Promise<readonly Dropped[]>;
  readonly #folders = new Map<string, Promise<ReadonlyMap<string, Dropped>>>();
  /** Number of members that were read. */
  size = 0;

  /** @param top  reads the members of the top folder */
  constructor(top: () => Promise<readonly Dropped[]>) {
    this.#top = top;
  }

  readonly readFolder: FileTree['readFolder'] = async (path) => {
    // The caller rejects a tree of this size.
    if (this.size > maxFiles) return [];
    try {
      const members = await this.#membersOf(path);
      return Array.from(members.values(), ({ name, file }) => entryOf(name, file ? 'file' : 'folder'));
    } catch {
      return { reason: 'unreadable' };
    }
  };

  readonly readText: FileTree['readText'] = async (path) => ruleText(await this.fileAt(path));

  /** Returns a file; `undefined` if it is missing or cannot be read. */
  async fileAt(path: string): Promise<File | undefined> {
    try {
      const slash = path.lastIndexOf('/') + 1;
      return await (await this.#membersOf(path.slice(0, slash))).get(path.slice(slash))?.file?.();
    } catch {
      return undefined;
    }
  }

  /** Reads a folder once, and those around it. */
  #membersOf(path: string): Promise<ReadonlyMap<string, Dropped>> {
    let members = this.#folders.get(path);
    if (members === undefined) this.#folders.set(path, (members = this.#read(path)));
    return members;
  }

  async #read(path: string): Promise<ReadonlyMap<string, Dropped>> {
    let members: readonly Dropped[];
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
