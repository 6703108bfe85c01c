/** Opens passages in a text editor or in the cell of a notebook. */
import * as vscode from 'vscode';
import type { Passage } from '../../../core/engine/report/report.ts';
import type { FindingsModel } from './findings.ts';
import { isCell, isNotebookPath, notebookOf, placeBefore, placeBehind, readNotebook } from '../workspace/notebooks.ts';

type Options = Pick<vscode.TextDocumentShowOptions, 'preview' | 'preserveFocus' | 'viewColumn' | 'selection'>;

/**
 * Opens a passage with the cursor at its beginning. The passage is not selected, because the next key would replace it.
 */
export async function showPassage(
  findings: FindingsModel,
  passage: Passage,
  options: Options,
): Promise<vscode.TextEditor> {
  return showLocation(await shownLocation(findings, passage), options);
}

/** Returns the location of a passage. For a notebook, loads it to find the cell. */
export async function shownLocation(findings: FindingsModel, passage: Passage): Promise<vscode.Location> {
  if (isNotebookPath(passage.path)) {
    try {
      await vscode.workspace.openNotebookDocument(findings.uriOf(passage));
      await findings.notebooks.read(passage.path);
    } catch {
      // Without a notebook editor for this file, it is shown as text.
    }
  }
  return findings.locationOf(passage);
}

/**
 * Converts a location in the file of a notebook to the location in its cell; loads the notebook. Returns any other
 * location unchanged.
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
    // Without a notebook editor for this file, it is shown as text.
    return location;
  }
}

function endOf(document: vscode.TextDocument): vscode.Position {
  return document.lineAt(document.lineCount - 1).range.end;
}

/** Opens a location. The cursor is at its beginning, unless the options contain a selection. */
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
 * Returns the command that VS Code runs for a row with a place: it shows a preview on a click or Space, and moves the
 * focus on a double-click or Enter.
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
