/**
 * Stores files between sessions in a browser. The host reads and writes them. Before a scan, all files are loaded into
 * memory, because the stored index is read synchronously.
 */
import type { FileName } from '../../scan/indexer/indexStore.ts';
import { storeInMemory } from '../../scan/indexer/storeInMemory.ts';
import type { Channel } from '../protocol/channel.ts';
import type { HostMethods, WorkerMethods } from '../protocol/messages.ts';
import { configuredName } from './lastConfigured.ts';
import type { Storage } from './system.ts';

/** Maximum bytes of a file of the index, about 8 million lines. It is in memory while it is written. */
const maxBytes = 2 ** 29;

/**
 * VS Code stores files in a browser database, which reads and writes each file as a whole. The content is sent there in
 * messages, which are copied. To limit the memory for these copies, larger files are divided into parts of this size.
 */
const partBytes = 2 ** 24;

/** Content of the head of a stored file. The parts of the file are separate files. */
interface Head {
  /** Number of the current set of parts. Of two sets, written in turn, one survives an interrupted write. */
  readonly generation: 0 | 1;
  readonly parts: number;
}

/** Files of an index. The list of files without comments is not needed, because it only contains files on disk. */
const indexFiles: readonly FileName[] = ['documents', 'matches', 'findings'];

/**
 * @param program   digest of the worker's script, on which stored files depend
 * @param partSize  maximum size of a part in bytes
 */
export function webStorage(
  host: Pick<Channel<WorkerMethods, HostMethods>, 'call'>,
  program: string,
  partSize = partBytes,
): Storage {
  const files = new Map<string, Uint8Array>();
  const heads = new Map<string, Head>();
  let loaded: string | undefined;
  const indexName = (name: FileName): string => `index.${name}`;

  async function readFile(uri: string, path: string): Promise<Uint8Array | undefined> {
    const answer = await host.call('readFile', { uri, path, knownStamp: undefined, maxSizeBytes: partSize });
    return 'bytes' in answer ? answer.bytes : undefined;
  }

  async function read(folder: string, name: string): Promise<void> {
    const bytes = await readFile(folder, name);
    if (bytes) files.set(name, bytes);
  }

  async function readParts(folder: string, name: string): Promise<void> {
    const head = headIn(await readFile(folder, name));
    if (head === undefined) return;
    const parts = await Promise.all(
      Array.from({ length: head.parts }, (_, part) => readFile(folder, partName(name, head, part))),
    );
    heads.set(name, head);
    // If another program has removed a part, the checksum of the remaining parts does not match, so the file is
    // ignored.
    files.set(name, joined(parts.filter((part) => part !== undefined)));
  }

  async function write(folder: string, name: string, bytes: Uint8Array): Promise<string | undefined> {
    files.set(name, bytes);
    const before = heads.get(name);
    const head: Head = { generation: before?.generation === 0 ? 1 : 0, parts: Math.ceil(bytes.length / partSize) };
    for (let part = 0; part < head.parts; part++) {
      // Copy the part, because a message copies all memory of a view.
      const own = bytes.slice(part * partSize, (part + 1) * partSize);
      const problem = await host.call('writeFile', folder, partName(name, head, part), own);
      if (problem !== undefined) return problem;
    }
    const problem = await host.call('writeFile', folder, name, new TextEncoder().encode(JSON.stringify(head)));
    if (problem !== undefined) return problem;
    heads.set(name, head);
    for (let part = 0; part < (before?.parts ?? 0); part++) {
      await host.call('writeFile', folder, partName(name, before!, part), new Uint8Array());
    }
    return undefined;
  }

  return {
    digests: () => ({ scanThread: program, program }),
    load: async (folder) => {
      if (folder === undefined || folder === loaded) return;
      loaded = folder;
      files.clear();
      heads.clear();
      await Promise.all([
        ...indexFiles.map((name) => readParts(folder, indexName(name))),
        read(folder, configuredName),
      ]);
    },
    indexIn: (folder) =>
      storeInMemory({
        maxBytes,
        nameOf: (name) => `${folder}/${indexName(name)}`,
        read: (name) => files.get(indexName(name)),
        write: (name, bytes) => write(folder, indexName(name), bytes),
      }),
    readText: (_, name) => {
      const bytes = files.get(name);
      return bytes && new TextDecoder().decode(bytes);
    },
    writeText: (folder, name, text) => {
      const bytes = new TextEncoder().encode(text);
      files.set(name, bytes);
      void host.call('writeFile', folder, name, bytes);
    },
  };
}

function partName(name: string, { generation }: Head, part: number): string {
  return `${name}.${generation}.${part}`;
}

/** Returns the head of a stored file, or `undefined` if the bytes have another format. */
function headIn(bytes: Uint8Array | undefined): Head | undefined {
  try {
    const head = JSON.parse(new TextDecoder().decode(bytes)) as Partial<Head>;
    return head.generation !== undefined && head.parts !== undefined ? (head as Head) : undefined;
  } catch {
    return undefined;
  }
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
