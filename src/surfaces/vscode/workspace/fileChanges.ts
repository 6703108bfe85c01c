/** Watches for files that are written, created, renamed or deleted, in the editor or elsewhere. */
import * as vscode from 'vscode';

/** Calls `changed` for each event in a workspace folder. The caller is responsible for debouncing. */
export function watchFiles(changed: (files: readonly vscode.Uri[]) => void): vscode.Disposable {
  const watchers = new Map<string, vscode.Disposable>();
  const report = (file: vscode.Uri): void => {
    // Git writes there even for queries.
    if (!file.path.includes('/.git/')) changed([file]);
  };
  const renew = (): void => {
    const folders = new Map((vscode.workspace.workspaceFolders ?? []).map((folder) => [folder.uri.toString(), folder]));
    for (const [key, watcher] of watchers) {
      if (folders.has(key)) continue;
      watcher.dispose();
      watchers.delete(key);
    }
    for (const [key, folder] of folders) {
      if (!watchers.has(key)) watchers.set(key, watch(folder, report));
    }
  };
  renew();
  const subscriptions = vscode.Disposable.from(
    vscode.workspace.onDidChangeWorkspaceFolders(renew),
    // Watchers may be slow, and ignore `files.watcherExclude`, so saves are also reported directly.
    vscode.workspace.onDidSaveTextDocument(({ uri }) => report(uri)),
    vscode.workspace.onDidSaveNotebookDocument(({ uri }) => report(uri)),
  );
  return new vscode.Disposable(() => {
    subscriptions.dispose();
    for (const watcher of watchers.values()) watcher.dispose();
  });
}

function watch(folder: vscode.WorkspaceFolder, report: (file: vscode.Uri) => void): vscode.Disposable {
  const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, '**'));
  watcher.onDidChange(report);
  watcher.onDidCreate(report);
  watcher.onDidDelete(report);
  return watcher;
}
