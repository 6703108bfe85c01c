/** Which files a person has open. */
import * as vscode from 'vscode';

/**
 * The files that have a tab, each once, in the order of the tabs. Documents without one, which other extensions open in
 * passing, do not count.
 */
export function openFiles(): vscode.Uri[] {
  const files = new Map<string, vscode.Uri>();
  for (const { tabs } of vscode.window.tabGroups.all) {
    for (const uri of tabs.flatMap(({ input }) => filesOf(input))) {
      if (isWritable(uri)) files.set(uri.toString(), uri);
    }
  }
  return [...files.values()];
}

/**
 * Whether a document is somebody's own text: a file, an untitled one, or one of a file system that can be written to. The
 * old side of a diff is none, nor is a log.
 */
export function isWritable({ scheme }: vscode.Uri): boolean {
  if (scheme === 'file' || scheme === 'untitled') return true;
  return !scheme.startsWith('vscode-userdata') && vscode.workspace.fs.isWritableFileSystem(scheme) === true;
}

function filesOf(input: unknown): vscode.Uri[] {
  if (input instanceof vscode.TabInputText) return [input.uri];
  if (input instanceof vscode.TabInputTextDiff) return [input.original, input.modified];
  return [];
}
