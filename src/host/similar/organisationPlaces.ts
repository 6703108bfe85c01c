/**
 * Where a place of the organisation's index is: in a file of the workspace, when the repository is open here; otherwise in a
 * document that says in which repository, commit, and lines it is. The index has fingerprints and no texts.
 */
import * as vscode from 'vscode';
import type { OrganisationSource } from '../../engine/similar/findSimilar.ts';
import type { Passage } from '../../engine/report/report.ts';

const scheme = 'kindred-organisation';

/** What such a document is made of: all of it is in its address. */
interface StoredPlace {
  readonly repository: string;
  readonly path: string;
  readonly lines: string;
  readonly commit?: string;
  readonly folder?: string;
}

/** Documents about places that are not here: read-only, and written anew from their addresses whenever they are opened. */
export function registerStoredPlaces(): vscode.Disposable {
  return vscode.workspace.registerTextDocumentContentProvider(scheme, {
    provideTextDocumentContent: ({ query }) => textOf(JSON.parse(query) as StoredPlace),
  });
}

/** Whether a place is one of those that are not here. */
export function isStoredPlace(uri: vscode.Uri): boolean {
  return uri.scheme === scheme;
}

/** Looks once for each file of the passages. */
export class OrganisationPlaces {
  readonly #sources: ReadonlyMap<string, OrganisationSource>;
  readonly #files = new Map<string, Promise<vscode.Uri | undefined>>();

  constructor(sources: readonly OrganisationSource[]) {
    this.#sources = new Map(sources.map((source) => [source.name, source]));
  }

  async locationOf(passage: Passage): Promise<vscode.Location> {
    let file = this.#files.get(passage.path);
    if (file === undefined) this.#files.set(passage.path, (file = this.#fileOf(passage.path)));
    const uri = await file;
    if (uri === undefined) return new vscode.Location(this.#storedPlace(passage), new vscode.Position(0, 0));
    const { startLine, startColumn, endLine, endColumn } = passage;
    return new vscode.Location(uri, new vscode.Range(startLine - 1, startColumn - 1, endLine - 1, endColumn - 1));
  }

  /** The file in the workspace; undefined when it is not there. */
  async #fileOf(path: string): Promise<vscode.Uri | undefined> {
    const [repository, own] = namesOf(path);
    const origin = this.#sources.get(repository)?.origin;
    const candidates = [
      ...(origin === undefined ? [] : [vscode.Uri.joinPath(vscode.Uri.file(origin), own)]),
      ...(vscode.workspace.workspaceFolders ?? []).flatMap(({ uri }) => [
        // The repository is a folder of the workspace, or beside others in one.
        ...(uri.path.endsWith(`/${repository}`) ? [vscode.Uri.joinPath(uri, own)] : []),
        vscode.Uri.joinPath(uri, repository, own),
      ]),
    ];
    for (const candidate of candidates) {
      // What the database says opens nothing outside of the workspace.
      if (vscode.workspace.getWorkspaceFolder(candidate) !== undefined && (await isFile(candidate))) return candidate;
    }
    return undefined;
  }

  #storedPlace({ path, startLine, endLine }: Passage): vscode.Uri {
    const [repository, own] = namesOf(path);
    const { commit, origin } = this.#sources.get(repository) ?? {};
    const lines = `${startLine}-${endLine}`;
    const place: StoredPlace = {
      ...{ repository, path: own, lines },
      ...(commit !== undefined && { commit }),
      ...(origin !== undefined && { folder: origin }),
    };
    return vscode.Uri.from({ scheme, path: `/${path}:${lines}`, query: JSON.stringify(place) });
  }
}

/** A path of the index begins with the name of its repository, which has no slash. */
export function namesOf(path: string): readonly [repository: string, own: string] {
  const end = path.indexOf('/');
  return [path.slice(0, end), path.slice(end + 1)];
}

async function isFile(uri: vscode.Uri): Promise<boolean> {
  try {
    return ((await vscode.workspace.fs.stat(uri)).type & vscode.FileType.File) !== 0;
  } catch {
    return false;
  }
}

function textOf({ repository, path, lines, commit, folder }: StoredPlace): string {
  const rows = [
    [vscode.l10n.t('Repository'), repository],
    [vscode.l10n.t('Path'), path],
    [vscode.l10n.t('Lines'), lines],
    ...(commit === undefined ? [] : [[vscode.l10n.t('Commit'), commit]]),
    ...(folder === undefined ? [] : [[vscode.l10n.t('Added from'), folder]]),
  ] as const;
  const shown = [
    `${repository}/${path}:${lines}`,
    '',
    ...rows.map(([name, value]) => `${name}: ${value}`),
    '',
    vscode.l10n.t(
      'The index has no texts. Add a clone of the repository to the workspace, and search again to open the file.',
    ),
  ];
  if (commit !== undefined) {
    shown.push(
      vscode.l10n.t('In a clone, this shows the file as it was added:'),
      '',
      `git show ${quoted(`${commit}:${path}`)}`,
    );
  }
  return `${shown.join('\n')}\n`;
}

/** A word of a command as shells read it, whatever is in the name of a file. */
function quoted(word: string): string {
  return /^[\w./:@%+=-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
