import * as vscode from 'vscode';

/**
 * Returns the distinct files that have a tab, in the order of the tabs. Documents without a tab are not included:
 * extensions open them temporarily.
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
 * True if the user writes the document: a file, an untitled document, or a document of a writable file system. False
 * for the old side of a diff, and for logs.
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
