/**
 * Locations in the organization's index: a file of the workspace if the repository is open, otherwise a document with
 * the repository, commit, and lines. The index has fingerprints and no texts.
 */
import * as vscode from 'vscode';
import type { OrganisationSource } from '../../../core/engine/similar/findSimilar.ts';
import type { Passage } from '../../../core/engine/report/report.ts';

const scheme = 'kindred-organisation';

/** Content of such a document, stored in its URI. */
interface StoredPlace {
  readonly repository: string;
  readonly path: string;
  readonly lines: string;
  readonly commit?: string;
  readonly folder?: string;
}

/**
 * Registers the provider of read-only documents about places in other repositories. They are created from their URIs.
 */
export function registerStoredPlaces(): vscode.Disposable {
  return vscode.workspace.registerTextDocumentContentProvider(scheme, {
    provideTextDocumentContent: ({ query }) => textOf(JSON.parse(query) as StoredPlace),
  });
}

/** True if the place is not in the workspace. */
export function isStoredPlace(uri: vscode.Uri): boolean {
  return uri.scheme === scheme;
}

/** Locates passages. Each file is looked up once. */
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

  /** Returns the file in the workspace; `undefined` if it does not exist. */
  async #fileOf(path: string): Promise<vscode.Uri | undefined> {
    const [repository, own] = namesOf(path);
    const origin = this.#sources.get(repository)?.origin;
    const candidates = [
      ...(origin === undefined ? [] : [vscode.Uri.joinPath(vscode.Uri.file(origin), own)]),
      ...(vscode.workspace.workspaceFolders ?? []).flatMap(({ uri }) => [
        // The repository may be a workspace folder or one of its subfolders.
        ...(uri.path.endsWith(`/${repository}`) ? [vscode.Uri.joinPath(uri, own)] : []),
        vscode.Uri.joinPath(uri, repository, own),
      ]),
    ];
    for (const candidate of candidates) {
      // Data from the index must not open files outside the workspace.
      if (vscode.workspace.getWorkspaceFolder(candidate) !== undefined && (await isFile(candidate))) return candidate;
    }
    return undefined;
  }

  #storedPlace({ path, startLine, endLine }: Passage): vscode.Uri {
    const [repository, own] = namesOf(path);
    const { commit, origin } = this.#sources.get(repository) ?? {};
    const lines = `${startLine}-${endLine}`;
    const place: StoredPlace = {
      repository,
      path: own,
      lines,
      ...(commit !== undefined && { commit }),
      ...(origin !== undefined && { folder: origin }),
    };
    return vscode.Uri.from({ scheme, path: `/${path}:${lines}`, query: JSON.stringify(place) });
  }
}

/** Splits a path of the index into the repository name, which has no slash, and the rest. */
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
      'The index does not store texts. Add a clone of the repository to the workspace, and search again to open the file.',
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

/** Quotes any file name for a shell. */
function quoted(word: string): string {
  return /^[\w./:@%+=-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
