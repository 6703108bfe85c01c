/** Determines the text to search for: the selection, the clipboard, or the symbol at the cursor. */
import * as vscode from 'vscode';
import { showNotification } from '../notifications.ts';
import type { Reach, SearchedText } from './similarSearch.ts';
import { reachOf } from './similarTree.ts';

/** Message for the user if there is no text to search for. */
export interface MissingText {
  readonly missing: string;
}

/** Returns a command handler that determines the text and searches for it. If there is no text, it shows a message. */
export function searchFor(
  read: () => SearchedText | MissingText | Promise<SearchedText | MissingText>,
  show: (searched: SearchedText, reach: Reach) => Promise<void>,
): (choice: unknown, argument: unknown) => Promise<void> {
  return async (_chosen, argument) => {
    const searched = await read();
    if ('missing' in searched) return showNotification(searched.missing);
    await show(searched, reachOf(argument));
  };
}

/** Returns the selected text of the active editor. If nothing is selected, returns the entire text. */
export function selectedText(): SearchedText | MissingText {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) return { missing: vscode.l10n.t('Open a file and select what to search for.') };
  const { document, selection } = editor;
  const range = selection.isEmpty ? wholeOf(document) : selection;
  const name = selection.isEmpty ? vscode.l10n.t('the file') : vscode.l10n.t('the selection');
  return { text: document.getText(range), document, range, name };
}

/** Returns the text in the clipboard, with the language of the active editor. */
export async function clipboardText(): Promise<SearchedText | MissingText> {
  const text = await vscode.env.clipboard.readText();
  const document = vscode.window.activeTextEditor?.document;
  if (document === undefined || text.trim() === '') {
    return { missing: vscode.l10n.t('Copy some text and open a file of its language to search for it.') };
  }
  return { text, document, range: undefined, name: vscode.l10n.t('the clipboard') };
}

/** Returns the text of the innermost symbol at the cursor that spans several lines. */
export async function symbolText(): Promise<SearchedText | MissingText> {
  const missing = vscode.l10n.t('No function, class, or other symbol at the cursor.');
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) return { missing };
  const { document, selection } = editor;
  const symbols = await vscode.commands.executeCommand<
    (vscode.DocumentSymbol | vscode.SymbolInformation)[] | undefined
  >('vscode.executeDocumentSymbolProvider', document.uri);
  const symbol = innermost(symbols ?? [], selection.active);
  if (symbol === undefined) return { missing };
  const range = rangeOf(symbol);
  return { text: document.getText(range), document, range, name: symbol.name };
}

function innermost(
  symbols: readonly (vscode.DocumentSymbol | vscode.SymbolInformation)[],
  position: vscode.Position,
): vscode.DocumentSymbol | vscode.SymbolInformation | undefined {
  let found: vscode.DocumentSymbol | vscode.SymbolInformation | undefined;
  for (const symbol of symbols) {
    if (!rangeOf(symbol).contains(position)) continue;
    const inner = ('children' in symbol ? innermost(symbol.children, position) : undefined) ?? symbol;
    // A symbol on a single line, such as a variable, is too short to search for.
    if (rangeOf(inner).isSingleLine) continue;
    if (found === undefined || rangeOf(found).contains(rangeOf(inner))) found = inner;
  }
  return found;
}

function rangeOf(symbol: vscode.DocumentSymbol | vscode.SymbolInformation): vscode.Range {
  return 'location' in symbol ? symbol.location.range : symbol.range;
}

function wholeOf(document: vscode.TextDocument): vscode.Range {
  return document.validateRange(new vscode.Range(0, 0, document.lineCount, 0));
}
