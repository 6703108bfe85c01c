/** Registers the searches for near-duplicates of a text: in the workspace, and in an organization's index. */
import * as vscode from 'vscode';
import type { EngineClient } from '../../../session/client/engineClient.ts';
import type { FindingsModel } from '../findings/findings.ts';
import type { Platform } from '../platform.ts';
import type { Scanner } from '../scanning/scanner.ts';
import { organisationSetting } from '../settings.ts';
import { registerStoredPlaces } from './organisationPlaces.ts';
import { OrganisationSearch } from './organisationSearch.ts';
import { registerPasteEdits } from './pasteEdits.ts';
import { SimilarSearch } from './similarSearch.ts';

export interface SimilarNeeds {
  readonly context: vscode.ExtensionContext;
  readonly platform: Pick<Platform, 'realFile' | 'indexFolder'>;
  readonly client: EngineClient;
  readonly scanner: Scanner;
  readonly findings: FindingsModel;
}

export interface SimilarParts {
  readonly similar: SimilarSearch;
  readonly organisation: OrganisationSearch;
}

export function registerSimilar({ context, platform, client, scanner, findings }: SimilarNeeds): SimilarParts {
  const similar = new SimilarSearch(client, scanner, findings);
  const organisation = new OrganisationSearch(client, platform);
  // Older versions stored a database password here.
  void context.secrets.delete('organisation.database');
  context.subscriptions.push(
    registerPasteEdits(similar, () => scanner.settings.offerExistingCopy),
    registerStoredPlaces(),
    followIndex(organisation),
  );
  return { similar, organisation };
}

/** Keeps the context key up to date. The command line may create an index at any time. */
function followIndex(organisation: OrganisationSearch): vscode.Disposable {
  const update = (): void => {
    const hasIndex = organisation.folder() !== undefined;
    void vscode.commands.executeCommand('setContext', 'kindred.hasOrganisation', hasIndex);
  };
  update();
  return vscode.Disposable.from(
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(organisationSetting)) update();
    }),
    vscode.window.onDidChangeWindowState(({ focused }) => {
      if (focused) update();
    }),
  );
}
