/**
 * Files kept between sessions of a browser. The host reads and writes them. All are read before a scan, and stay in
 * memory, because the store of the index does not wait.
 */
import type { FileName } from '../../scan/indexer/indexStore.ts';
import { storeInMemory } from '../../scan/indexer/storeInMemory.ts';
import type { Channel } from '../protocol/channel.ts';
import type { HostMethods, WorkerMethods } from '../protocol/messages.ts';
import { configuredName } from './lastConfigured.ts';
import type { Storage } from './system.ts';

/** VS Code keeps files in a database of the browser, which reads and writes each as a whole. */
const maxBytes = 2 ** 26;

/** Files of an index. Only files on disk are noted as files without comments. */
const indexFiles: readonly FileName[] = ['documents', 'matches', 'findings'];

/** @param program  digest of the worker's script */
export function webStorage(host: Pick<Channel<WorkerMethods, HostMethods>, 'call'>, program: string): Storage {
  const files = new Map<string, Uint8Array>();
  let loaded: string | undefined;
  const indexName = (name: FileName): string => `index.${name}`;

  async function read(uri: string, path: string): Promise<void> {
    const answer = await host.call('readFile', { uri, path, known: undefined, maxSizeBytes: maxBytes });
    if ('bytes' in answer && answer.bytes) files.set(path, answer.bytes);
  }

  function write(uri: string, name: string, bytes: Uint8Array): Promise<string | undefined> {
    files.set(name, bytes);
    return host.call('writeFile', uri, name, bytes);
  }

  return {
    digests: () => ({ scanThread: program, program }),
    load: async (folder) => {
      if (folder === undefined || folder === loaded) return;
      loaded = folder;
      files.clear();
      await Promise.all([...indexFiles.map(indexName), configuredName].map((name) => read(folder, name)));
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
    writeText: (folder, name, text) => void write(folder, name, new TextEncoder().encode(text)),
  };
}
