import * as vscode from 'vscode';

/**
 * Returns the files that are open in a tab, without duplicates, in the order of the tabs. Documents without a tab are
 * left out, because extensions open them temporarily.
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

/** Returns the files that an editor shows, without duplicates, in the order of the editors. */
export function visibleFiles(): vscode.Uri[] {
  const uris = vscode.window.visibleTextEditors.map(({ document }) => document.uri).filter(isWritable);
  return [...new Map(uris.map((uri) => [uri.toString(), uri])).values()];
}

/**
 * Returns true if users write the document: a file, an untitled document, or a document of a writable file system.
 * Returns false for logs and for the old side of a diff.
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
