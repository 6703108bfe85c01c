/** Watches for files that are written, created, renamed, or deleted, by VS Code or other programs. */
import * as vscode from 'vscode';

/** Calls `changed` for each event in the workspace folders. The caller should combine events in quick succession. */
export function watchFiles(changed: (files: readonly vscode.Uri[]) => void): vscode.Disposable {
  const watchers = new Map<string, vscode.Disposable>();
  const report = (file: vscode.Uri): void => {
    // Git writes to this folder even when it only reads the repository, so ignore these events.
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
    // Also report saves in VS Code, because file watchers may be slow, and ignore files in `files.watcherExclude`.
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
