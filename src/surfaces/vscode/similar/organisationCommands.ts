/** Implements the commands for the organization's index. */
import * as vscode from 'vscode';
import { asNotification } from '../markdown.ts';
import type { OrganisationSearch } from './organisationSearch.ts';
import { showNotification } from '../notifications.ts';
import { clipboardText, searchFor, selectedText, symbolText } from './searchedText.ts';
import type { Reach, SearchedText } from './similarSearch.ts';
import { showFound } from './similarTree.ts';

export function organisationCommands(
  search: OrganisationSearch,
): Readonly<Record<string, (choice: unknown, argument: unknown) => Promise<void>>> {
  return {
    'kindred.findSelectionInOrganisation': searchFor(selectedText, show),

    'kindred.findClipboardInOrganisation': searchFor(clipboardText, show),

    'kindred.findSymbolInOrganisation': searchFor(symbolText, show),
  };

  async function show(searched: SearchedText, reach: Reach): Promise<void> {
    const found = await search.find(searched, reach);
    if (found === undefined) return;
    if (found.total === 0 && !found.hasNoWindow) {
      return showNotification(
        vscode.l10n.t('No near-duplicates of {0} in the organization.', asNotification(searched.name)),
      );
    }
    await showFound(
      search,
      { ...searched, name: vscode.l10n.t('{0} in the organization', searched.name) },
      reach,
      found,
    );
  }
}
