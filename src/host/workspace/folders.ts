/**
 * The folders of the workspace that can be compared, and the one place that knows how the paths of a report and the URIs
 * of VS Code belong together. With one folder the paths are relative to it; with several each begins with the folder's name.
 */
import * as vscode from 'vscode';
import type { Root } from '../../protocol/messages.ts';
import type { SourceOptions } from '../../io/sources.ts';

interface Folder {
  readonly uri: vscode.Uri;
  readonly prefix: string;
  readonly sources: SourceOptions;
}

/** The folders as they were when a scan began, and the documents beside them: its report is read with the same value, whatever the workspace does. */
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

  /** The folders as the worker takes them. */
  get roots(): Root[] {
    return this.#folders.map(({ uri, prefix, sources }): Root => {
      if (uri.scheme === 'file') return { folder: uri.fsPath, prefix, sources };
      const inner = this.#folders.map((other) => pathBelow(uri, other.uri)).filter((path) => path !== undefined);
      return { uri: uri.toString(), prefix, sources, inner: inner.map((path) => `${path}/`) };
    });
  }

  /** The URI of a path of the report. */
  uriOf(path: string): vscode.Uri {
    const loose = this.#loose.uriOf(path);
    if (loose) return loose;
    const folder = this.#folders.find(({ prefix }) => path.startsWith(prefix));
    if (folder === undefined) throw new RangeError(`${path} is in no folder of its report.`);
    return vscode.Uri.joinPath(folder.uri, path.slice(folder.prefix.length));
  }

  /** Whether a file lies in one of the folders. */
  isInFolder(uri: vscode.Uri): boolean {
    return this.#pathInFolder(uri) !== undefined;
  }

  /** The path a file has in the report if it is in one; undefined for what is in no folder and no open document. */
  pathOf(uri: vscode.Uri): string | undefined {
    return this.#pathInFolder(uri) ?? this.#loose.pathOf(uri);
  }

  #pathInFolder(uri: vscode.Uri): string | undefined {
    let path: string | undefined;
    let length = 0;
    // Of folders inside each other, the inner one owns the file.
    for (const folder of this.#folders) {
      const below = pathBelow(folder.uri, uri);
      if (below === undefined || folder.uri.path.length < length) continue;
      path = folder.prefix + below;
      length = folder.uri.path.length;
    }
    return path;
  }
}

/** The path from a folder to what lies in it; undefined for all else, and for the folder itself. */
function pathBelow(folder: vscode.Uri, { scheme, authority, path }: vscode.Uri): string | undefined {
  const start = folder.path.endsWith('/') ? folder.path : `${folder.path}/`;
  if (scheme !== folder.scheme || authority !== folder.authority || !path.startsWith(start)) return undefined;
  return path === start ? undefined : path.slice(start.length);
}

/**
 * Open documents that lie in no folder, and the paths that a report has for them: their URI without the host, and an
 * ending that tells their language where they have none.
 */
export class LooseDocuments {
  readonly #uris = new Map<string, vscode.Uri>();
  readonly #paths = new Map<string, string>();

  /** The path of a document: the same as before, while its language is the same. */
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

/** What an extension says of a language. */
interface LanguageContribution {
  readonly id?: unknown;
  readonly extensions?: readonly unknown[];
}

/** The first ending that an extension gives for files of a language: `.ts`; empty when none does. */
function endingOf(languageId: string): string {
  for (const { packageJSON } of vscode.extensions.all) {
    const { contributes } = packageJSON as { contributes?: { languages?: readonly LanguageContribution[] } };
    const language = contributes?.languages?.find(({ id, extensions }) => id === languageId && extensions);
    const ending = language?.extensions?.[0];
    if (typeof ending === 'string') return ending;
  }
  return '';
}

/** The folders of the workspace, each with the settings that hold in it. */
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
 * One prefix for each folder: nothing when there is but one. Names may repeat and may hold slashes, prefixes may not, so
 * that none is the beginning of another.
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
