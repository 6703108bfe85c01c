/** The kind of extension host: Node, or a worker of a browser, which can run no programs. */
import * as vscode from 'vscode';

export const inBrowser = 'WorkerGlobalScope' in globalThis;

/** Returns the reason why nothing can be compared with Git; `undefined` if it can. */
export function whyNoGit(): string | undefined {
  if (inBrowser) {
    return vscode.l10n.t('In a browser, nothing is compared with Git. Open the folder in VS Code for the desktop.');
  }
  return vscode.workspace.isTrusted ? undefined : vscode.l10n.t('In Restricted Mode, nothing is compared with Git.');
}
