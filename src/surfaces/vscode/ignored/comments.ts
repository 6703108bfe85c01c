/** Inserts and removes comments that make Kindred ignore a copy. */
import * as vscode from 'vscode';

/** Reason why comments cannot be inserted: the language has none, or the editor is read-only. */
export type CommentObstacle = 'language' | 'readOnly';

/**
 * Inserts comments above and below lines, counted from 0. If that is not possible, changes nothing and returns the
 * reason.
 */
export async function insertComments(
  uri: vscode.Uri,
  lines: vscode.Range,
  reason: string,
): Promise<CommentObstacle | undefined> {
  const editor = await vscode.window.showTextDocument(uri, { preview: false });
  const { document } = editor;
  const first = lines.start.line;
  const last = lines.end.character === 0 && lines.end.line > first ? lines.end.line - 1 : lines.end.line;
  const indent = /^\s*/.exec(document.lineAt(first).text)![0];
  const start = `${indent}kindred-ignore-start${reason === '' ? '' : `: ${reason}`}`;
  const end = `${indent}kindred-ignore-end`;
  const eol = document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
  const done = await editor.edit((edit) => {
    edit.insert(document.lineAt(last).range.end, `${eol}${end}`);
    edit.insert(new vscode.Position(first, 0), `${start}${eol}`);
  });
  // VS Code reports success even if the editor is read-only, so check the text.
  if (!done || document.lineAt(first).text !== start) return 'readOnly';
  const places = [first, last + 2];
  editor.selections = places.map((line) => new vscode.Selection(line, 0, line, document.lineAt(line).text.length));
  // VS Code knows the comment syntax of each language, but gives access to it only through this command.
  await vscode.commands.executeCommand('editor.action.addCommentLine');
  editor.selection = new vscode.Selection(first, 0, first, 0);
  if (document.lineAt(first).text !== start) return undefined;
  // Undo instead of deleting the text again, so that the document does not become dirty.
  await vscode.commands.executeCommand('undo');
  return 'language';
}

/**
 * Removes a comment and its end comment, if nothing else is on their lines. Otherwise, shows the comment to the user.
 * Returns true if it was removed.
 *
 * @param region  lines that the comment ignores, counted from 1
 */
export async function removeComments(
  uri: vscode.Uri,
  region: { readonly line: number; readonly endLine: number; readonly marker: string },
): Promise<boolean> {
  const editor = await vscode.window.showTextDocument(uri);
  const { document } = editor;
  const isStart = region.marker.endsWith('start') || region.marker === 'CPD-OFF';
  const lines = [region.line - 1, ...(isStart && region.endLine > region.line ? [region.endLine - 1] : [])];
  const removedLines = lines.filter((line) => line < document.lineCount && isAlone(document.lineAt(line).text));
  const place = new vscode.Position(region.line - 1, 0);
  editor.selection = new vscode.Selection(place, place);
  editor.revealRange(new vscode.Range(place, place), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  if (!removedLines.includes(region.line - 1)) return false;
  const before = document.lineCount;
  await editor.edit((edit) => {
    for (const line of removedLines) edit.delete(document.lineAt(line).rangeIncludingLineBreak);
  });
  // VS Code reports success even if the editor is read-only, so check the text.
  return document.lineCount < before;
}

/** Returns true if a line contains only an ignore comment. */
function isAlone(text: string): boolean {
  return /^\s*[^\w\s]*\s*(?:kindred-ignore-|jscpd:ignore-|CPD-O|noinspection\s)/.test(text) && !/^\s*\*\s/.test(text);
}
