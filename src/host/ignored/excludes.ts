/**
 * Files and folders that are not compared from now on: a glob more in the list that is in force. That is `exclude` of the project
 * file, which takes the place of the setting, or else the setting; where neither has any, of the project file if there is one.
 */
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
  if (file === undefined) return inSettings(folder, glob);
  const set = vscode.workspace.getConfiguration('kindred', folder.uri).get<readonly string[]>('exclude', []);
  return set.length > 0 && (await excludedIn(file)) === undefined ? inSettings(folder, glob) : inFile(file, glob);
}

/** What a project file excludes; undefined when it says nothing of that. */
async function excludedIn(file: vscode.Uri): Promise<readonly unknown[] | undefined> {
  try {
    const document = await vscode.workspace.openTextDocument(file);
    const { exclude: excluded } = (parse(document.getText()) ?? {}) as { readonly exclude?: unknown };
    return Array.isArray(excluded) ? excluded : undefined;
  } catch {
    return undefined;
  }
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
    const excluded = await excludedIn(file);
    const place = ['exclude', ...(excluded ? [excluded.length] : [])];
    const value = excluded ? glob : [glob];
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
