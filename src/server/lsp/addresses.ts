/** The URIs by which a client names files, and the names that these have in reports. */
import { realpathSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Folders } from '../folders.ts';

/** A folder as the client has it, which may be a link. */
interface ClientFolder {
  readonly given: string;
  readonly real: string;
}

export class Addresses {
  readonly folders: Folders;
  readonly #client: readonly ClientFolder[];
  /** URIs of open documents as the client has written them, by name. */
  readonly #written = new Map<string, string>();

  /** @param uris  of folders; those that are not on disk, or not there, do not count */
  constructor(uris: readonly string[]) {
    const found = uris.flatMap((uri): ClientFolder[] => {
      const given = fileOf(uri);
      try {
        return given === undefined ? [] : [{ given, real: realpathSync(given) }];
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

  /** The name of a document; undefined when it is in none of the folders. */
  nameOf(uri: string): string | undefined {
    const file = fileOf(uri);
    if (file === undefined) return undefined;
    const folder = this.#client.find(({ given }) => file === given || file.startsWith(given + path.sep));
    const name = this.folders.nameOf(folder ? path.join(folder.real, path.relative(folder.given, file)) : file);
    if (name !== undefined && !this.#written.has(name)) this.#written.set(name, uri);
    return name;
  }

  /** As the client has written it, else as it follows from the folder. */
  uriOf(name: string): string {
    const known = this.#written.get(name);
    if (known !== undefined) return known;
    const root = this.folders.roots.find(({ prefix }) => name.startsWith(prefix))!;
    const { given } = this.#client.find(({ real }) => real === root.folder)!;
    return pathToFileURL(path.join(given, ...name.slice(root.prefix.length).split('/'))).href;
  }
}

/** The path of a file on disk; undefined for any other URI. */
export function fileOf(uri: string): string | undefined {
  try {
    return uri.startsWith('file:') ? path.normalize(fileURLToPath(uri)).replace(/(?<=.)[\\/]$/, '') : undefined;
  } catch {
    return undefined;
  }
}
