/** Implements the commands that search for near-duplicates of a text, and those for the results. */
import * as vscode from 'vscode';
import type { Handlers } from '../choices.ts';
import type { FindingsModel } from '../findings/findings.ts';
import { showNotification } from '../notifications.ts';
import type { OrganisationSearch } from './organisationSearch.ts';
import { clipboardText, searchFor, selectedText, symbolText } from './searchedText.ts';
import type { Reach, SearchedText, SimilarSearch } from './similarSearch.ts';
import { compareWithSearched, openFound, searchAgain, showSimilar, showFound } from './similarTree.ts';
import { asNotification } from '../markdown.ts';

export function similarCommands(
  search: SimilarSearch,
  organisation: OrganisationSearch,
  findings: FindingsModel,
): Handlers {
  return {
    /** Asks the user which text to search for. */
    'kindred.find': async () => {
      const searchChoice = await vscode.window.showQuickPick(searchChoices(organisation.folder() !== undefined), {
        title: vscode.l10n.t('Find Near-Duplicates'),
        placeHolder: vscode.l10n.t('Select the text to search for'),
      });
      if (searchChoice !== undefined) await vscode.commands.executeCommand(searchChoice.command);
    },

    'kindred.findSelection': searchFor(selectedText, show),

    'kindred.findClipboard': searchFor(clipboardText, show),

    'kindred.findSymbol': searchFor(symbolText, show),

    'kindred.findSelectionInOrganisation': searchFor(selectedText, showInOrganisation),

    'kindred.findClipboardInOrganisation': searchFor(clipboardText, showInOrganisation),

    'kindred.findSymbolInOrganisation': searchFor(symbolText, showInOrganisation),

    /** VS Code runs this command for a row of the references view. */
    'kindred.openFound': async (_chosen, argument) => {
      if (argument instanceof vscode.Location) await openFound(argument);
    },

    'kindred.compareFound': async (_chosen, argument) => {
      if (!(await compareWithSearched(findings, argument))) notifyNoSearch();
    },

    'kindred.searchAgain': async () => {
      if (!(await searchAgain())) notifyNoSearch();
    },
  };

  function show(searched: SearchedText, reach: Reach): Promise<void> {
    return showSimilar(search, searched, reach);
  }

  async function showInOrganisation(searched: SearchedText, reach: Reach): Promise<void> {
    const found = await organisation.find(searched, reach);
    if (found === undefined) return;
    if (found.total === 0 && !found.hasNoWindow) {
      return showNotification(
        vscode.l10n.t('No near-duplicates of {0} in the organization.', asNotification(searched.name)),
      );
    }
    const name = vscode.l10n.t('{0} in the organization', searched.name);
    await showFound(organisation, { ...searched, name }, reach, found);
  }
}

/** Returns the searches that are currently possible. Includes the search in the organization if it has an index. */
function searchChoices(hasIndex: boolean): (vscode.QuickPickItem & { readonly command: string })[] {
  const editor = vscode.window.activeTextEditor;
  const texts = [
    ...(editor && !editor.selection.isEmpty ? [{ of: 'Selection', label: vscode.l10n.t('Selection') }] : []),
    ...(editor ? [{ of: 'Symbol', label: vscode.l10n.t('Symbol at the Cursor') }] : []),
    { of: 'Clipboard', label: vscode.l10n.t('Clipboard') },
  ];
  const here = texts.map(({ of, label }) => ({ label, command: `kindred.find${of}` }));
  if (!hasIndex) return here;
  const kind = vscode.QuickPickItemKind.Separator;
  return [
    ...here,
    { kind, label: vscode.l10n.t('In the Organization'), command: '' },
    ...texts.map(({ of, label }) => ({ label, command: `kindred.find${of}InOrganisation` })),
  ];
}

function notifyNoSearch(): void {
  showNotification(vscode.l10n.t('Run Find Near-Duplicates first.'));
}
