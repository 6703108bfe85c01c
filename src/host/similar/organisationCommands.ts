/** The commands about the organisation's index, as commands.ts registers them beside the others. */
import * as vscode from 'vscode';
import { asNotification } from '../markdown.ts';
import { type OrganisationDatabase, problemOfSecret } from './organisationDatabase.ts';
import type { OrganisationSearch } from './organisationSearch.ts';
import { clipboardText, type SearchedText, selectedText, symbolText } from './similarSearch.ts';
import { reachOf, showFound } from './similarTree.ts';

export function organisationCommands(
  search: OrganisationSearch,
  database: OrganisationDatabase,
): Readonly<Record<string, (chosen: unknown, given: unknown) => Promise<void>>> {
  return {
    'kindred.findSelectionInOrganisation': async (_chosen, given) =>
      show(selectedText(), vscode.l10n.t('Open a file and select what to search for.'), given),

    'kindred.findClipboardInOrganisation': async (_chosen, given) =>
      show(
        await clipboardText(),
        vscode.l10n.t('Copy some text and open a file of its language to search for it.'),
        given,
      ),

    'kindred.findSymbolInOrganisation': async (_chosen, given) =>
      show(await symbolText(), vscode.l10n.t('No function, class, or other symbol at the cursor.'), given),

    'kindred.setOrganisationPassword': async () => {
      const typed = await vscode.window.showInputBox({
        title: vscode.l10n.t('Database of the Organisation'),
        prompt: vscode.l10n.t(
          'The password for kindred.organisation.database, or a whole address such as postgres://USER:PASSWORD@HOST/DATABASE. It is kept in the secret storage of VS Code.',
        ),
        password: true,
        ignoreFocusOut: true,
        validateInput: problemOfSecret,
      });
      if (typed === undefined || typed.trim() === '') return;
      await database.keep(typed.trim());
      say(vscode.l10n.t('The secret for the database of the organisation is kept.'));
    },

    'kindred.forgetOrganisationPassword': async () => {
      const wasKnown = await database.forget();
      say(
        wasKnown
          ? vscode.l10n.t('The secret for the database of the organisation is forgotten.')
          : vscode.l10n.t('There is no secret for the database of the organisation.'),
      );
    },
  };

  async function show(searched: SearchedText | undefined, missing: string, given: unknown): Promise<void> {
    if (searched === undefined) return say(missing);
    const reach = reachOf(given);
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

function say(sentence: string): void {
  void vscode.window.showInformationMessage(sentence);
}
