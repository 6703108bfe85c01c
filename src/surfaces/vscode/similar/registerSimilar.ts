/** Registers the searches for near-duplicates of a text: in the workspace, and in an organization's index. */
import type * as vscode from 'vscode';
import type { EngineClient } from '../../../session/client/engineClient.ts';
import type { FindingsModel } from '../findings/findings.ts';
import type { Platform } from '../platform.ts';
import type { Scanner } from '../scanning/scanner.ts';
import { registerStoredPlaces } from './organisationPlaces.ts';
import { OrganisationSearch } from './organisationSearch.ts';
import { registerPasteEdits } from './pasteEdits.ts';
import { SimilarSearch } from './similarSearch.ts';

export interface SimilarNeeds {
  readonly context: vscode.ExtensionContext;
  readonly platform: Pick<Platform, 'realFile'>;
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
  const organisation = new OrganisationSearch(client, platform.realFile);
  // Older versions stored a database password here.
  void context.secrets.delete('organisation.database');
  context.subscriptions.push(
    registerPasteEdits(similar, () => scanner.settings.offerExistingCopy),
    registerStoredPlaces(),
  );
  return { similar, organisation };
}
