/** Opening passages: in a text editor, or in the cell of a notebook. */
import * as vscode from 'vscode';
import type { Passage } from '../../engine/report/report.ts';
import type { FindingsModel } from '../findings/findings.ts';
import { isCell, isNotebookPath, notebookOf } from '../workspace/notebooks.ts';

type Options = Pick<vscode.TextDocumentShowOptions, 'preview' | 'preserveFocus' | 'viewColumn' | 'selection'>;

/** Opens a passage; it is selected unless the options say otherwise. */
export async function showPassage(
  findings: FindingsModel,
  passage: Passage,
  options: Options,
): Promise<vscode.TextEditor> {
  const location = await shownLocation(findings, passage);
  return showLocation(location, { selection: location.range, ...options });
}

/** Where VS Code shows a passage. A notebook is loaded, so that it is in a cell. */
export async function shownLocation(findings: FindingsModel, passage: Passage): Promise<vscode.Location> {
  if (isNotebookPath(passage.path)) {
    try {
      await vscode.workspace.openNotebookDocument(findings.uriOf(passage));
      await findings.notebooks.read(passage.path);
    } catch {
      // Nothing here reads notebooks, or not this one: it is shown as text.
    }
  }
  return findings.locationOf(passage);
}

/** Opens a place in a document. */
export async function showLocation({ uri }: vscode.Location, options: Options): Promise<vscode.TextEditor> {
  const notebook = isCell(uri) ? notebookOf(uri) : undefined;
  if (notebook) {
    const { preview = true, preserveFocus = false, viewColumn = vscode.ViewColumn.Active } = options;
    const cell = notebook.getCells().find(({ document }) => document.uri.toString() === uri.toString());
    const at = cell?.index ?? 0;
    await vscode.window.showNotebookDocument(notebook, {
      preview,
      preserveFocus,
      viewColumn,
      selections: [new vscode.NotebookRange(at, at + 1)],
    });
  }
  return vscode.window.showTextDocument(uri, options);
}
