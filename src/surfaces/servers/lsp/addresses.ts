/** Converts between a client's URIs and report paths. */
import { realpathSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Folders } from '../folders.ts';

/** A folder: its path as the client knows it, which may contain symbolic links, and its real path. */
interface ClientFolder {
  readonly clientPath: string;
  readonly real: string;
}

export class Addresses {
  readonly folders: Folders;
  readonly #client: readonly ClientFolder[];
  /** URIs of open documents exactly as the client wrote them, by report path. */
  readonly #written = new Map<string, string>();

  /** @param uris  URIs of folders. Folders that do not exist or are not on disk are ignored. */
  constructor(uris: readonly string[]) {
    const found = uris.flatMap((uri): ClientFolder[] => {
      const clientPath = fileOf(uri);
      try {
        return clientPath === undefined ? [] : [{ clientPath, real: realpathSync(clientPath) }];
      } catch {
        return [];
      }
    });
    this.#client = found.filter(({ real }, i) => found.findIndex((other) => other.real === real) === i);
    this.folders = new Folders(this.#client.map(({ real }) => real));
  }

  get isEmpty(): boolean {
    return this.#client.length === 0;
  }

  /** Returns the report path of a document; `undefined` if it is in none of the folders. */
  nameOf(uri: string): string | undefined {
    const file = fileOf(uri);
    if (file === undefined) return undefined;
    const folder = this.#client.find(({ clientPath }) => file === clientPath || file.startsWith(clientPath + path.sep));
    const name = this.folders.nameOf(folder ? path.join(folder.real, path.relative(folder.clientPath, file)) : file);
    if (name !== undefined && !this.#written.has(name)) this.#written.set(name, uri);
    return name;
  }

  /** Returns the client's URI for an open document or, for other files, one below the client's URI of the folder. */
  uriOf(name: string): string {
    const writtenUri = this.#written.get(name);
    if (writtenUri !== undefined) return writtenUri;
    const root = this.folders.roots.find(({ prefix }) => name.startsWith(prefix))!;
    const { clientPath } = this.#client.find(({ real }) => real === root.folder)!;
    return pathToFileURL(path.join(clientPath, ...name.slice(root.prefix.length).split('/'))).href;
  }
}

/** Returns the path for a `file:` URI; `undefined` for other URIs. */
export function fileOf(uri: string): string | undefined {
  try {
    return uri.startsWith('file:') ? path.normalize(fileURLToPath(uri)).replace(/(?<=.)[\\/]$/, '') : undefined;
  } catch {
    return undefined;
  }
}
