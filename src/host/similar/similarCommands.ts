/** Commands that search for near-duplicates of a text, and commands on the results; commands.ts registers them. */
import * as vscode from 'vscode';
import type { FindingsModel } from '../findings/findings.ts';
import { say } from '../say.ts';
import { clipboardText, searchFor, selectedText, symbolText } from './searchedText.ts';
import type { Reach, SearchedText, SimilarSearch } from './similarSearch.ts';
import { compareWithSearched, openFound, searchAgain, showSimilar } from './similarTree.ts';

export function similarCommands(
  search: SimilarSearch,
  findings: FindingsModel,
): Readonly<Record<string, (chosen: unknown, given: unknown) => Promise<void>>> {
  return {
    'kindred.findSelection': searchFor(selectedText, show),

    'kindred.findClipboard': searchFor(clipboardText, show),

    'kindred.findSymbol': searchFor(symbolText, show),

    /** Command of a row in the references view. */
    'kindred.openFound': async (_chosen, given) => {
      if (given instanceof vscode.Location) await openFound(given);
    },

    'kindred.compareFound': async (_chosen, given) => {
      if (!(await compareWithSearched(findings, given))) sayNothingShown();
    },

    'kindred.searchAgain': async () => {
      if (!(await searchAgain())) sayNothingShown();
    },
  };

  function show(searched: SearchedText, reach: Reach): Promise<void> {
    return showSimilar(search, searched, reach);
  }
}

function sayNothingShown(): void {
  say(vscode.l10n.t('Run Find Near-Duplicates of Selection first.'));
}
