/**
 * Saves the positions of the dials (the sensitivity options). If the configuration file sets a dial, changes it there,
 * because the file overrides the settings. Saves the others as workspace settings.
 */
import * as vscode from 'vscode';
import type { DialName, DialValues } from '../../../core/engine/dials.ts';

export function namesThatDiffer(before: DialValues, after: DialValues): DialName[] {
  return (Object.keys(after) as DialName[]).filter((name) => before[name] !== after[name]);
}

interface FileDecisions {
  readonly file: vscode.Uri;
  readonly names: readonly DialName[];
}

/**
 * Saves the positions. Returns true if all were written; otherwise reports the error.
 *
 * @param change  returns the text of the configuration file with the new values
 */
export async function applyDials(
  before: DialValues,
  after: DialValues,
  decided: FileDecisions | undefined,
  change: (text: string, values: Partial<DialValues>) => Promise<string | undefined>,
): Promise<boolean> {
  const names = namesThatDiffer(before, after);
  const inFile = names.filter((name) => decided?.names.includes(name));
  if (decided && inFile.length > 0) {
    const values = Object.fromEntries(inFile.map((name) => [name, after[name]]));
    if (!(await writeFile(decided.file, (text) => change(text, values)))) {
      void vscode.window.showErrorMessage(
        vscode.l10n.t('The configuration file cannot be written: {0}', decided.file.fsPath),
      );
      return false;
    }
  }
  const configuration = vscode.workspace.getConfiguration('kindred');
  for (const name of names) {
    if (!inFile.includes(name)) await configuration.update(name, after[name], vscode.ConfigurationTarget.Workspace);
  }
  return true;
}

/** Edits a file as an open document, so that unsaved changes are kept and the edit can be undone. */
async function writeFile(file: vscode.Uri, change: (text: string) => Promise<string | undefined>): Promise<boolean> {
  const document = await vscode.workspace.openTextDocument(file);
  const text = await change(document.getText());
  if (text === undefined) return false;
  const edit = new vscode.WorkspaceEdit();
  const end = document.lineAt(document.lineCount - 1).range.end;
  edit.replace(file, new vscode.Range(new vscode.Position(0, 0), end), text);
  return (await vscode.workspace.applyEdit(edit)) && (await document.save());
}
