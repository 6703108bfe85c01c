/** Files and folders that are not compared from now on: a glob more in the project file that has `exclude`, else in the settings. */
import { applyEdits, modify, parse } from 'jsonc-parser';
import * as vscode from 'vscode';
import { findConfiguration } from '../workspace/newConfiguration.ts';
import { baseName } from '../wording.ts';

/** Excludes a file or folder. Returns where that is written now; undefined when it cannot be, which somebody was told. */
export async function exclude(uri: vscode.Uri): Promise<string | undefined> {
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  if (folder === undefined) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('{0} is in no folder of the workspace.', baseName(uri.path)),
    );
    return undefined;
  }
  const glob = globOf(uri.path.slice(folder.uri.path.replace(/\/$/, '').length + 1));
  const file = await findConfiguration(folder.uri);
  return file === undefined ? inSettings(folder, glob) : inFile(file, glob);
}

/** What matches a path and nothing else. */
export function globOf(path: string): string {
  return `/${path.replaceAll(/[\\*?[\]{}!]/g, '\\$&')}`;
}

async function inSettings({ uri }: vscode.WorkspaceFolder, glob: string): Promise<string | undefined> {
  const configuration = vscode.workspace.getConfiguration('kindred', uri);
  const { workspaceFolderValue, workspaceValue } = configuration.inspect<readonly string[]>('exclude') ?? {};
  const isOfFolder = workspaceFolderValue !== undefined || (vscode.workspace.workspaceFolders?.length ?? 0) > 1;
  const target = isOfFolder ? vscode.ConfigurationTarget.WorkspaceFolder : vscode.ConfigurationTarget.Workspace;
  const before =
    (isOfFolder ? workspaceFolderValue : workspaceValue) ?? configuration.get<readonly string[]>('exclude', []);
  try {
    await configuration.update('exclude', [...before.filter((it) => it !== glob), glob], target);
    return 'kindred.exclude';
  } catch (error) {
    tellFailure('kindred.exclude', error);
    return undefined;
  }
}

async function inFile(file: vscode.Uri, glob: string): Promise<string | undefined> {
  const name = baseName(file.path);
  try {
    const document = await vscode.workspace.openTextDocument(file);
    const text = document.getText();
    const excluded: unknown = (parse(text) as { readonly exclude?: unknown } | undefined)?.exclude;
    const place = ['exclude', ...(Array.isArray(excluded) ? [excluded.length] : [])];
    const value = Array.isArray(excluded) ? glob : [glob];
    const changed = applyEdits(
      text,
      modify(text, place, value, { formattingOptions: { insertSpaces: true, tabSize: 2 } }),
    );
    const edit = new vscode.WorkspaceEdit();
    edit.replace(file, new vscode.Range(document.positionAt(0), document.positionAt(text.length)), changed);
    if (!(await vscode.workspace.applyEdit(edit)) || !(await document.save())) throw new Error(name);
    return name;
  } catch (error) {
    tellFailure(name, error);
    return undefined;
  }
}

function tellFailure(name: string, error: unknown): void {
  const reason = error instanceof Error ? error.message : String(error);
  void vscode.window.showErrorMessage(vscode.l10n.t('{0} cannot be written: {1}', name, reason));
}
