/**
 * Locations of passages in the organization's index. If the repository is open, this is a file in the workspace.
 * Otherwise, it is a generated document that states the repository, commit, and lines, because the index contains no
 * texts.
 */
import * as vscode from 'vscode';
import type { OrganisationSource } from '../../../core/engine/similar/findSimilar.ts';
import type { Passage } from '../../../core/engine/report/report.ts';
import { shellArgument } from '../../../presentation/wording/shellArgument.ts';
import { isOfType } from '../workspace/files.ts';

const scheme = 'kindred-organisation';

/** Contents of a generated document, stored in its URI. */
interface StoredPlace {
  readonly repository: string;
  readonly path: string;
  readonly lines: string;
  readonly commit?: string | undefined;
  readonly folder?: string | undefined;
}

/** Registers the provider that generates read-only documents about places in other repositories, from their URIs. */
export function registerStoredPlaces(): vscode.Disposable {
  return vscode.workspace.registerTextDocumentContentProvider(scheme, {
    provideTextDocumentContent: ({ query }) => textOf(JSON.parse(query) as StoredPlace),
  });
}

/** Returns true if a URI belongs to a generated document. */
export function isStoredPlace(uri: vscode.Uri): boolean {
  return uri.scheme === scheme;
}

/** Finds the locations of passages. Looks up each file only once. */
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

  async #fileOf(path: string): Promise<vscode.Uri | undefined> {
    const [repository, own] = namesOf(path);
    const origin = this.#sources.get(repository)?.origin;
    const candidates = [
      ...(origin === undefined ? [] : [vscode.Uri.joinPath(vscode.Uri.file(origin), own)]),
      ...(vscode.workspace.workspaceFolders ?? []).flatMap(({ uri }) => [
        // The repository may be the workspace folder itself, or a subfolder.
        ...(uri.path.endsWith(`/${repository}`) ? [vscode.Uri.joinPath(uri, own)] : []),
        vscode.Uri.joinPath(uri, repository, own),
      ]),
    ];
    for (const candidate of candidates) {
      // Data in the index must not cause files outside the workspace to be opened.
      const isInside = vscode.workspace.getWorkspaceFolder(candidate) !== undefined;
      if (isInside && (await isOfType(candidate, vscode.FileType.File))) return candidate;
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
      commit,
      folder: origin,
    };
    return vscode.Uri.from({ scheme, path: `/${path}:${lines}`, query: JSON.stringify(place) });
  }
}

/** Splits a path in the index into the repository's name, which contains no slash, and the rest. */
export function namesOf(path: string): readonly [repository: string, own: string] {
  const end = path.indexOf('/');
  return [path.slice(0, end), path.slice(end + 1)];
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
      `git show ${shellArgument(`${commit}:${path}`)}`,
    );
  }
  return `${shown.join('\n')}\n`;
}
