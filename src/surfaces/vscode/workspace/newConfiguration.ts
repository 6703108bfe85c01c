/** Command *Create Configuration File*: creates the project file of a workspace folder, or opens an existing one. */
import * as vscode from 'vscode';
import type { Result } from '../../../session/protocol/channel.ts';
import type { WorkerMethods } from '../../../session/protocol/messages.ts';
import { showNotification } from '../notifications.ts';
import { baseName } from '../wording.ts';
import { configurationNames } from '../../../session/client/configurationFiles.ts';
import { exists } from './files.ts';

/** Configuration file of jscpd. Its values are copied to a new project file. */
const jscpdName = '.jscpd.json';

/** Requests the text of a new project file from the worker, for a folder on disk or for no particular folder. */
type ConfigurationRequest = (folder: string | undefined) => Promise<Result<WorkerMethods['newConfiguration']>>;

/** If there are several folders, asks for one. If its file exists, opens the file without changing it. */
export async function createConfiguration(requestText: ConfigurationRequest): Promise<void> {
  const folder = await chooseFolder();
  if (folder === undefined) return;
  const existing = await findConfiguration(folder.uri);
  if (existing !== undefined) {
    await vscode.window.showTextDocument(existing);
    if (await exists(vscode.Uri.joinPath(folder.uri, jscpdName))) {
      showNotification(
        vscode.l10n.t('{0} already exists. Nothing was imported from {1}.', baseName(existing.path), jscpdName),
      );
    }
    return;
  }
  const made = await requestText(folder.uri.scheme === 'file' ? folder.uri.fsPath : undefined).catch(
    (error: unknown) => ({
      problem: error instanceof Error ? error.message : String(error),
    }),
  );
  if ('problem' in made) {
    void vscode.window.showErrorMessage(vscode.l10n.t('The configuration file was not created: {0}', made.problem));
    return;
  }
  const file = vscode.Uri.joinPath(folder.uri, configurationNames[0]);
  const edit = new vscode.WorkspaceEdit();
  edit.createFile(file, { contents: new TextEncoder().encode(made.text) });
  if (!(await vscode.workspace.applyEdit(edit))) {
    void vscode.window.showErrorMessage(vscode.l10n.t('The configuration file cannot be written: {0}', file.fsPath));
    return;
  }
  await vscode.window.showTextDocument(file);
  if (made.importedFrom === undefined) {
    if (folder.uri.scheme !== 'file' && (await exists(vscode.Uri.joinPath(folder.uri, jscpdName)))) {
      showNotification(vscode.l10n.t('Nothing was imported from {0}: the folder is not on disk.', jscpdName));
    }
    return;
  }
  const sentence = vscode.l10n.t('Settings were imported from {0}.', made.importedFrom);
  const left = made.notImported.length > 0 ? vscode.l10n.t('Not imported: {0}.', made.notImported.join(', ')) : '';
  void vscode.window.showInformationMessage(`${sentence} ${left}`.trim());
}

async function chooseFolder(): Promise<vscode.WorkspaceFolder | undefined> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (folders.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('Open a folder to create a configuration file in it.'));
    return undefined;
  }
  if (folders.length === 1) return folders[0];
  const placeHolder = vscode.l10n.t('Select the folder to create the configuration file in');
  return vscode.window.showWorkspaceFolderPick({ placeHolder });
}

/** Returns the project file of a folder; `undefined` if there is none. */
export async function findConfiguration(folder: vscode.Uri): Promise<vscode.Uri | undefined> {
  for (const name of configurationNames) {
    const file = vscode.Uri.joinPath(folder, name);
    if (await exists(file)) return file;
  }
  return undefined;
}
