/**
 * Applies an edit that was made in one copy to the other copies of its group. VS Code first shows its refactoring
 * preview, in which the user can deselect files.
 */
import * as vscode from 'vscode';
import { transportEdit } from '../../../presentation/copies/transportEdit.ts';
import { sharedLanguages } from '../workspace/languages.ts';
import { oneLine, place, quantity } from '../wording.ts';
import type { EditedCopy } from './editedCopies.ts';

/** Applies the edit. Returns the number of changed files, which is 0 if the user deselected all files or canceled. */
export async function applyToCopies(copy: EditedCopy): Promise<number> {
  const edit = await editOfOthers(copy);
  const changed = new Set<string>();
  const subscription = vscode.workspace.onDidChangeTextDocument(({ document }) => {
    const uri = document.uri.toString();
    if (copy.outdated.some((other) => other.uri.toString() === uri)) changed.add(uri);
  });
  try {
    return (await vscode.workspace.applyEdit(edit, { isRefactoring: true })) ? changed.size : 0;
  } finally {
    subscription.dispose();
  }
}

/** Returns the workspace edit that changes the other copies. Every change in it needs the user's confirmation. */
export async function editOfOthers(copy: EditedCopy): Promise<vscode.WorkspaceEdit> {
  const own = await vscode.workspace.openTextDocument(copy.uri);
  const after = linesOf(own, copy.passage.startLine, copy.passage.endLine).text;
  const sharedLanguage = sharedLanguages();
  const edit = new vscode.WorkspaceEdit();
  for (const { uri, passage } of copy.outdated) {
    const document = await vscode.workspace.openTextDocument(uri);
    const { text, offset } = linesOf(document, passage.startLine, passage.endLine);
    const { replacements, names, missed } = transportEdit(copy.before, after, text, sharedLanguage(copy.uri, uri));
    const notes = [
      ...(names.length > 0 ? [names.map(([mine, its]) => `${mine} → ${its}`).join(', ')] : []),
      ...(missed > 0 ? [vscode.l10n.t('{0} changes have no counterpart here', quantity(missed))] : []),
    ];
    const metadata: vscode.WorkspaceEditEntryMetadata = {
      needsConfirmation: true,
      label: place(passage),
      ...(notes.length > 0 ? { description: oneLine(notes.join('; ')) } : {}),
    };
    for (const { start, end, text: inserted } of replacements) {
      const range = new vscode.Range(document.positionAt(offset + start), document.positionAt(offset + end));
      edit.replace(uri, range, inserted, metadata);
    }
  }
  return edit;
}

/** Returns the text of whole lines, counted from 1, and the offset of the text in the document. */
function linesOf(document: vscode.TextDocument, startLine: number, endLine: number): { text: string; offset: number } {
  const range = new vscode.Range(startLine - 1, 0, endLine - 1, Number.MAX_SAFE_INTEGER);
  return { text: document.getText(range), offset: document.offsetAt(range.start) };
}
