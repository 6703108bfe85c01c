import * as vscode from 'vscode';

/**
 * Returns the distinct files with a tab, in tab order. Documents without a tab, which other extensions open
 * temporarily, are not included.
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
 * True if the document is the user's own text: a file, an untitled document, or one in a writable file system. The old
 * side of a diff and logs are not.
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
