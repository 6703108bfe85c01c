/**
 * Offers `kindred init --agents` once for a workspace whose folders have files of coding agents. Agents outside of the
 * extension host do not have the tools of the extension.
 */
import * as vscode from 'vscode';

/** Key of workspace state. True if the offer was made. */
const offeredKey = 'offeredAgents';

/** Files and folders of coding agents. */
const agentFiles = ['.claude', '.cursor', '.github/copilot-instructions.md', 'AGENTS.md', '.mcp.json'];
/** Files that mention Kindred after the command. */
const setUpFiles = ['.mcp.json', 'AGENTS.md'];

/** Parts that tests replace. */
export interface Offer {
  /** Shows a sentence with a button, and returns true if the user chose it. */
  readonly ask: (sentence: string, button: string) => PromiseLike<boolean>;
  readonly run: (script: vscode.Uri, folder: vscode.WorkspaceFolder) => PromiseLike<unknown>;
}

/**
 * Makes the offer for the first folder that needs it, unless it was made before. Returns after the user has answered.
 *
 * @param script  the command line's bundle
 */
export async function offerAgents(
  script: vscode.Uri,
  { workspaceState }: Pick<vscode.ExtensionContext, 'workspaceState'>,
  { ask = askInNotification, run = runInTask }: Partial<Offer> = {},
): Promise<void> {
  // The entries in these files start programs.
  if (!vscode.workspace.isTrusted || workspaceState.get<boolean>(offeredKey) === true) return;
  for (const folder of vscode.workspace.workspaceFolders ?? []) {
    if (folder.uri.scheme !== 'file' || !(await isDue(folder.uri))) continue;
    await workspaceState.update(offeredKey, true);
    const sentence = vscode.l10n.t(
      'Kindred can tell the coding agents of {0} what exists already. This adds files for them, which call the command kindred of npm.',
      folder.name,
    );
    if (await ask(sentence, vscode.l10n.t('Set Up'))) await run(script, folder);
    return;
  }
}

async function isDue(folder: vscode.Uri): Promise<boolean> {
  const uriOf = (name: string): vscode.Uri => vscode.Uri.joinPath(folder, name);
  const found = await Promise.all(agentFiles.map((name) => exists(uriOf(name))));
  if (!found.includes(true)) return false;
  const texts = await Promise.all(setUpFiles.map((name) => textOf(uriOf(name))));
  return !texts.some((text) => /\bkindred\b/.test(text));
}

async function exists(uri: vscode.Uri): Promise<boolean> {
  return vscode.workspace.fs.stat(uri).then(
    () => true,
    () => false,
  );
}

async function textOf(uri: vscode.Uri): Promise<string> {
  return vscode.workspace.fs.readFile(uri).then(
    (bytes) => new TextDecoder().decode(bytes),
    () => '',
  );
}

async function askInNotification(sentence: string, button: string): Promise<boolean> {
  return (await vscode.window.showInformationMessage(sentence, button)) === button;
}

/** Runs the command in the Terminal, which shows the files that it creates. */
function runInTask(script: vscode.Uri, folder: vscode.WorkspaceFolder): Thenable<vscode.TaskExecution> {
  // VS Code's own executable runs scripts as Node does.
  const options = { cwd: folder.uri.fsPath, env: { ELECTRON_RUN_AS_NODE: '1' } };
  const command = new vscode.ProcessExecution(process.execPath, [script.fsPath, 'init', '--agents'], options);
  return vscode.tasks.executeTask(
    new vscode.Task({ type: 'kindred' }, folder, 'kindred init --agents', 'Kindred', command),
  );
}
