/**
 * Offers once per workspace to run `kindred init --agents`, if its folders have files of coding agents. Agents outside
 * of VS Code's extension host cannot use the tools of the extension.
 */
import * as vscode from 'vscode';
import { confirmInNotification } from './notifications.ts';
import { exists, savedText } from './workspace/files.ts';

/** Key in the workspace state. True if the offer was made. */
const offeredKey = 'offeredAgents';

/** Files and folders that show that coding agents are in use. */
const agentFiles = ['.claude', '.cursor', '.github/copilot-instructions.md', 'AGENTS.md', '.mcp.json'];
/** Files that the command changes. If one mentions Kindred, the command was already run. */
const setUpFiles = ['.mcp.json', 'AGENTS.md'];

/** Functions that tests replace. */
export interface Offer {
  /** Shows a sentence with a button. Returns true if the user clicked it. */
  readonly confirm: (sentence: string, button: string) => PromiseLike<boolean>;
  readonly run: (script: vscode.Uri, folder: vscode.WorkspaceFolder) => PromiseLike<unknown>;
}

/**
 * Makes the offer for the first folder that needs it, unless it was made before. Resolves after the user has answered.
 *
 * @param script  bundle of the command line
 */
export async function offerAgents(
  script: vscode.Uri,
  { workspaceState }: Pick<vscode.ExtensionContext, 'workspaceState'>,
  { confirm = confirmInNotification, run = runInTask }: Partial<Offer> = {},
): Promise<void> {
  // Require trust, because the entries that the command writes start programs.
  if (!vscode.workspace.isTrusted || workspaceState.get<boolean>(offeredKey) === true) return;
  for (const folder of vscode.workspace.workspaceFolders ?? []) {
    if (folder.uri.scheme !== 'file' || !(await needsSetUp(folder.uri))) continue;
    await workspaceState.update(offeredKey, true);
    const sentence = vscode.l10n.t(
      'Kindred can tell coding agents in {0} what code already exists. This adds configuration files that run the npm command kindred.',
      folder.name,
    );
    if (await confirm(sentence, vscode.l10n.t('Set Up'))) await run(script, folder);
    return;
  }
}

async function needsSetUp(folder: vscode.Uri): Promise<boolean> {
  const uriOf = (name: string): vscode.Uri => vscode.Uri.joinPath(folder, name);
  const found = await Promise.all(agentFiles.map((name) => exists(uriOf(name))));
  if (!found.includes(true)) return false;
  const texts = await Promise.all(setUpFiles.map((name) => savedText(uriOf(name))));
  return !texts.some((text) => text !== undefined && /\bkindred\b/.test(text));
}

/** Runs the command in a terminal, which shows the files that it creates. */
function runInTask(script: vscode.Uri, folder: vscode.WorkspaceFolder): Thenable<vscode.TaskExecution> {
  // With this variable, the executable of VS Code runs scripts like Node.
  const options = { cwd: folder.uri.fsPath, env: { ELECTRON_RUN_AS_NODE: '1' } };
  const command = new vscode.ProcessExecution(process.execPath, [script.fsPath, 'init', '--agents', '.'], options);
  return vscode.tasks.executeTask(
    new vscode.Task({ type: 'kindred' }, folder, 'kindred init --agents', 'Kindred', command),
  );
}
