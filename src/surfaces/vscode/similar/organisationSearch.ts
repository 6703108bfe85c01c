/** Searches an organization's index for near-duplicates. The worker reads the index. */
import * as vscode from 'vscode';
import type { FindInOrganisationParams } from '../../../session/protocol/calls.ts';
import type { EngineClient } from '../../../session/client/engineClient.ts';
import type { OrganisationAnswer } from '../../../core/engine/similar/findSimilar.ts';
import { inBrowser } from '../inBrowser.ts';
import { asNotification } from '../markdown.ts';
import type { Platform } from '../platform.ts';
import { isCell } from '../workspace/notebooks.ts';
import { withSearchProgress } from '../notifications.ts';
import { organisationSetting, readOrganisationFolder } from '../settings.ts';
import { namesOf, OrganisationPlaces } from './organisationPlaces.ts';
import { type FoundPlace, type FoundPlaces, maxPassages, type Reach, type SearchedText } from './similarSearch.ts';

/** Query without the location of the index. */
type Question = Omit<FindInOrganisationParams, 'folder' | 'setting'>;

export class OrganisationSearch {
  /** False, because an organization's index has a fixed distance. */
  readonly takesDistance: boolean = false;
  readonly #client: EngineClient;
  readonly #indexFolder: Platform['indexFolder'];
  /** Resolves symbolic links, because the index contains real paths. */
  readonly realFile: Platform['realFile'];

  constructor(client: EngineClient, { realFile, indexFolder }: Pick<Platform, 'realFile' | 'indexFolder'>) {
    this.#client = client;
    this.#indexFolder = indexFolder;
    this.realFile = realFile;
  }

  /** Returns the folder of the index, and the name of the setting for messages; `undefined` if there is none. */
  folder(): Pick<FindInOrganisationParams, 'folder' | 'setting'> | undefined {
    const written = readOrganisationFolder();
    const found = this.#indexFolder(written);
    return found && { folder: found.folder, setting: written === undefined ? found.variable : organisationSetting };
  }

  /** Returns `undefined` if there is no index. A problem in the answer is a message for the user. */
  async query(question: Question, signal?: AbortSignal): Promise<OrganisationAnswer | undefined> {
    if (inBrowser) {
      return {
        problem: vscode.l10n.t("An organization's index requires VS Code for the desktop."),
      };
    }
    if (!vscode.workspace.isTrusted) {
      return {
        problem: vscode.l10n.t(
          "In Restricted Mode, Kindred does not search an organization's index. Trust the workspace first.",
        ),
      };
    }
    const organisation = this.folder();
    return organisation && this.#client.callUntil(signal, 'findInOrganisation', { ...question, ...organisation });
  }

  /**
   * Returns the near-duplicates of a text. Returns `undefined` if the user canceled, or if the search failed, in which
   * case it reports the error.
   */
  async find(searched: SearchedText, reach: Reach = {}): Promise<FoundPlaces | undefined> {
    const controller = new AbortController();
    const cancelled = new Promise<'cancelled'>((resolve) => {
      controller.signal.addEventListener('abort', () => resolve('cancelled'));
    });
    const answer = await withSearchProgress(
      vscode.l10n.t('Searching for near-duplicates in the organization…'),
      Promise.race([this.#queryFor(searched, reach, controller.signal), cancelled]),
      () => controller.abort(),
    );
    if (answer === 'cancelled') return undefined;
    if (answer === undefined || 'problem' in answer) {
      void notifyProblem(answer?.problem);
      return undefined;
    }
    const { passages, total, hasNoWindow, leftOut } = answer.similar;
    const places = new OrganisationPlaces(answer.sources);
    const found = await Promise.all(
      passages.map(async (similar): Promise<FoundPlace> => {
        const { passage } = similar;
        return { ...similar, ...(await places.locationOf(passage)), where: folderOf(passage.path) };
      }),
    );
    // If the index was built on another machine, it cannot recognize the searched file and includes it in the result.
    const others = found.filter(({ uri, range }) => !isItself(searched, uri, range));
    return { places: others, total: total - (found.length - others.length), hasNoWindow, leftOut };
  }

  async #queryFor(
    { text, document, range }: SearchedText,
    { minSimilarity }: Reach,
    signal: AbortSignal,
  ): Promise<OrganisationAnswer | undefined> {
    const { languageId, uri, fileName } = document;
    const isFile = uri.scheme === 'file';
    try {
      const question: Question = {
        text,
        languageId,
        limit: maxPassages,
        // A cell is not a notebook. Its language determines the lexicon.
        path: isCell(uri) ? '' : fileName,
        minSimilarity,
        origin: range && isFile ? { file: await this.realFile(fileName), ...linesOf(range) } : undefined,
      };
      return await this.query(question, signal);
    } catch (error) {
      // The worker was terminated.
      return { problem: (error as Error).message };
    }
  }
}

/** The end of a selection is exclusive. If it is at the beginning of a line, that line is not included. */
function linesOf({ start, end }: vscode.Range): { readonly startLine: number; readonly endLine: number } {
  return { startLine: start.line + 1, endLine: end.line + (end.character > 0 ? 1 : 0) };
}

function isItself({ document, range: own }: SearchedText, uri: vscode.Uri, range: vscode.Range): boolean {
  return own !== undefined && uri.toString() === document.uri.toString() && own.intersection(range)?.isEmpty === false;
}

/** Returns the repository and the folder in it, such as "billing/src". */
function folderOf(path: string): string {
  const [repository, own] = namesOf(path);
  return own.includes('/') ? `${repository}/${own.slice(0, own.lastIndexOf('/'))}` : repository;
}

/** @param problem  message; `undefined` if no index is set */
async function notifyProblem(problem: string | undefined): Promise<void> {
  const openSettings = vscode.l10n.t('Open Settings');
  const button = await (problem === undefined
    ? vscode.window.showInformationMessage(
        vscode.l10n.t('Set the folder with the index of the organization in the settings.'),
        openSettings,
      )
    : vscode.window.showWarningMessage(
        asNotification(vscode.l10n.t('The organization cannot be searched. {0}', problem)),
        openSettings,
      ));
  if (button !== openSettings) return;
  await vscode.commands.executeCommand('workbench.action.openSettings', organisationSetting);
}
