/** Opens passages in a text editor or in the cell of a notebook. */
import * as vscode from 'vscode';
import type { Passage } from '../../../core/engine/report/report.ts';
import type { FindingsModel } from './findings.ts';
import { isCell, isNotebookPath, notebookOf, placeBefore, placeBehind, readNotebook } from '../workspace/notebooks.ts';

type Options = Pick<vscode.TextDocumentShowOptions, 'preview' | 'preserveFocus' | 'viewColumn' | 'selection'>;

/**
 * Opens a passage with the cursor at its beginning. Does not select it, because the next keystroke would then replace
 * it.
 */
export async function showPassage(
  findings: FindingsModel,
  passage: Passage,
  options: Options,
): Promise<vscode.TextEditor> {
  return showLocation(await shownLocation(findings, passage), options);
}

/** Returns the location of a passage. For a notebook, opens the document to find the cell. */
export async function shownLocation(findings: FindingsModel, passage: Passage): Promise<vscode.Location> {
  if (isNotebookPath(passage.path)) {
    try {
      await vscode.workspace.openNotebookDocument(findings.uriOf(passage));
      await findings.notebooks.read(passage.path);
    } catch {
      // Fall through if no notebook editor supports this file: show it as text.
    }
  }
  return findings.locationOf(passage);
}

/**
 * Converts a location in a notebook's file to a location in a cell, for which it loads the notebook. Returns other
 * locations unchanged.
 */
export async function inCell(location: vscode.Location): Promise<vscode.Location> {
  const { uri, range } = location;
  if (isCell(uri) || !isNotebookPath(uri.path)) return location;
  try {
    const notebook = readNotebook(new TextDecoder().decode(await vscode.workspace.fs.readFile(uri)));
    const start = placeBehind(notebook, range.start.line, range.start.character);
    const end = placeBefore(notebook, range.end.line, range.end.character);
    if (start === undefined || end === undefined) return location;
    const { document } = (await vscode.workspace.openNotebookDocument(uri)).cellAt(start.cell);
    const last = end.cell === start.cell ? new vscode.Position(end.line, end.character) : endOf(document);
    return new vscode.Location(document.uri, new vscode.Range(start.line, start.character, last.line, last.character));
  } catch {
    // If no notebook editor supports this file, show it as text.
    return location;
  }
}

function endOf(document: vscode.TextDocument): vscode.Position {
  return document.lineAt(document.lineCount - 1).range.end;
}

/** Opens a location. Puts the cursor at its beginning, unless `options` has a selection. */
export async function showLocation({ uri, range }: vscode.Location, options: Options): Promise<vscode.TextEditor> {
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
  return vscode.window.showTextDocument(uri, { selection: beginningOf(range), ...options });
}

/**
 * Returns the command for a row with a location. A click or Space shows a preview; a double-click or Enter also moves
 * the focus.
 */
export function openCommand({ uri, range }: vscode.Location): vscode.Command {
  return {
    command: 'vscode.open',
    title: vscode.l10n.t('Open'),
    arguments: [uri, { selection: beginningOf(range) } satisfies vscode.TextDocumentShowOptions],
  };
}

function beginningOf({ start }: vscode.Range): vscode.Range {
  return new vscode.Range(start, start);
}
