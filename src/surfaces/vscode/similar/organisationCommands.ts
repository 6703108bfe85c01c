/** Commands for the organization's index; commands.ts registers them. */
import * as vscode from 'vscode';
import { asNotification } from '../markdown.ts';
import { type OrganisationDatabase, problemOfSecret } from './organisationDatabase.ts';
import type { OrganisationSearch } from './organisationSearch.ts';
import { say } from '../say.ts';
import { clipboardText, searchFor, selectedText, symbolText } from './searchedText.ts';
import type { Reach, SearchedText } from './similarSearch.ts';
import { showFound } from './similarTree.ts';

export function organisationCommands(
  search: OrganisationSearch,
  database: OrganisationDatabase,
): Readonly<Record<string, (chosen: unknown, given: unknown) => Promise<void>>> {
  return {
    'kindred.findSelectionInOrganisation': searchFor(selectedText, show),

    'kindred.findClipboardInOrganisation': searchFor(clipboardText, show),

    'kindred.findSymbolInOrganisation': searchFor(symbolText, show),

    'kindred.setOrganisationPassword': async () => {
      const typed = await vscode.window.showInputBox({
        title: vscode.l10n.t('Database of the Organisation'),
        prompt: vscode.l10n.t(
          'The password for kindred.organisation.database, or a complete address such as postgres://USER:PASSWORD@HOST/DATABASE. It is kept in the secret storage of VS Code.',
        ),
        password: true,
        ignoreFocusOut: true,
        validateInput: problemOfSecret,
      });
      if (typed === undefined || typed.trim() === '') return;
      await database.keep(typed.trim());
      say(vscode.l10n.t('The secret for the database of the organisation was stored.'));
    },

    'kindred.forgetOrganisationPassword': async () => {
      const wasKnown = await database.forget();
      say(
        wasKnown
          ? vscode.l10n.t('The secret for the database of the organisation was deleted.')
          : vscode.l10n.t('There is no secret for the database of the organisation.'),
      );
    },
  };

  async function show(searched: SearchedText, reach: Reach): Promise<void> {
    const found = await search.find(searched, reach);
    if (found === undefined) return;
    if (found.total === 0 && !found.hasNoWindow) {
      return say(vscode.l10n.t('No near-duplicates of {0} in the organisation.', asNotification(searched.name)));
    }
    await showFound(
      search,
      { ...searched, name: vscode.l10n.t('{0} in the organisation', searched.name) },
      reach,
      found,
    );
  }
}
