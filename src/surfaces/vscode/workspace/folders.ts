/**
 * Folders of the workspace, and conversion between report paths and URIs. With a single folder, report paths are
 * relative to it. With several folders, each path begins with the name of its folder.
 */
import * as vscode from 'vscode';
import type { Root } from '../../../session/protocol/messages.ts';
import type { SourceOptions } from '../../../scan/io/sources.ts';

interface Folder {
  readonly uri: vscode.Uri;
  readonly prefix: string;
  readonly sources: SourceOptions;
}

/**
 * The workspace folders at the start of a scan, and the open documents outside of them. The scan's report keeps using
 * the same object, even if the workspace changes.
 */
export class Folders {
  readonly #folders: readonly Folder[];
  readonly #loose: LooseDocuments;

  constructor(folders: readonly Folder[], loose: LooseDocuments) {
    this.#folders = folders;
    this.#loose = loose;
  }

  get isEmpty(): boolean {
    return this.#folders.length === 0;
  }

  /** @param maxFiles  maximum number of files to read from each folder that is not on disk; unlimited by default */
  roots(maxFiles?: number): Root[] {
    return this.#folders.map(({ uri, prefix, sources }): Root => {
      if (uri.scheme === 'file') return { folder: uri.fsPath, prefix, sources };
      const inner = this.#folders.map((other) => pathBelow(uri, other.uri)).filter((path) => path !== undefined);
      const virtual = { uri: uri.toString(), prefix, sources, inner: inner.map((path) => `${path}/`) };
      return maxFiles === undefined ? virtual : { ...virtual, maxFiles };
    });
  }

  uriOf(path: string): vscode.Uri {
    const loose = this.#loose.uriOf(path);
    if (loose) return loose;
    const folder = this.#folders.find(({ prefix }) => path.startsWith(prefix));
    if (folder === undefined) throw new RangeError(`${path} is in no folder of its report.`);
    return vscode.Uri.joinPath(folder.uri, path.slice(folder.prefix.length));
  }

  isInFolder(uri: vscode.Uri): boolean {
    return this.#pathInFolder(uri) !== undefined;
  }

  /** Returns the report path of a file; `undefined` if it is outside all folders and not an open document. */
  pathOf(uri: vscode.Uri): string | undefined {
    return this.#pathInFolder(uri) ?? this.#loose.pathOf(uri);
  }

  #pathInFolder(uri: vscode.Uri): string | undefined {
    let path: string | undefined;
    let length = 0;
    // If folders are nested, a file belongs to the innermost folder.
    for (const folder of this.#folders) {
      const below = pathBelow(folder.uri, uri);
      if (below === undefined || folder.uri.path.length < length) continue;
      path = folder.prefix + below;
      length = folder.uri.path.length;
    }
    return path;
  }
}

/** Returns a path relative to a folder; `undefined` if it is outside the folder, or is the folder itself. */
function pathBelow(folder: vscode.Uri, { scheme, authority, path }: vscode.Uri): string | undefined {
  const start = folder.path.endsWith('/') ? folder.path : `${folder.path}/`;
  if (scheme !== folder.scheme || authority !== folder.authority || !path.startsWith(start)) return undefined;
  return path === start ? undefined : path.slice(start.length);
}

/**
 * Open documents outside all folders, with their report paths. A path consists of the URI without the host. If it has
 * no extension, the language's extension is appended.
 */
export class LooseDocuments {
  readonly #uris = new Map<string, vscode.Uri>();
  readonly #paths = new Map<string, string>();

  /** Returns the report path of a document. It stays the same as long as the document's language does. */
  pathFor(uri: vscode.Uri, languageId: string): string {
    const hasEnding = /[^/]\.[^./]+$/.test(uri.path);
    const path = `${uri.scheme}:${uri.path}${hasEnding ? '' : endingOf(languageId)}`;
    this.#uris.set(path, uri);
    this.#paths.set(uri.toString(), path);
    return path;
  }

  uriOf(path: string): vscode.Uri | undefined {
    return this.#uris.get(path);
  }

  pathOf(uri: vscode.Uri): string | undefined {
    return this.#paths.get(uri.toString());
  }
}

interface LanguageContribution {
  readonly id?: unknown;
  readonly extensions?: readonly unknown[];
}

/** Returns the first file extension of a language, such as `.ts`; '' if it has none. */
function endingOf(languageId: string): string {
  for (const { packageJSON } of vscode.extensions.all) {
    const { contributes } = packageJSON as { contributes?: { languages?: readonly LanguageContribution[] } };
    const language = contributes?.languages?.find(({ id, extensions }) => id === languageId && extensions);
    const ending = language?.extensions?.[0];
    if (typeof ending === 'string') return ending;
  }
  return '';
}

export function readFolders(
  readSources: (folder: vscode.Uri) => SourceOptions,
  loose: LooseDocuments = new LooseDocuments(),
): Folders {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const prefixes = uniquePrefixes(folders.map(({ name }) => name));
  return new Folders(
    folders.map(({ uri }, place) => ({ uri, prefix: prefixes[place] ?? '', sources: readSources(uri) })),
    loose,
  );
}

/**
 * Returns a prefix of report paths for each folder; '' if there is only one folder. Folder names may be equal and may
 * contain slashes. The returned prefixes are unique, and none is the beginning of another.
 */
function uniquePrefixes(names: readonly string[]): string[] {
  if (names.length < 2) return names.map(() => '');
  const taken = new Set<string>();
  return names.map((name) => {
    const plain = name.replaceAll(/[\\/]/g, '-');
    let prefix = `${plain}/`;
    for (let copy = 2; taken.has(prefix); copy++) prefix = `${plain} (${copy})/`;
    taken.add(prefix);
    return prefix;
  });
}
