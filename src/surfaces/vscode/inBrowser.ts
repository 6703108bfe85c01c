/** Detects if the extension host runs in Node or in a browser. A browser cannot run programs such as Git. */
import * as vscode from 'vscode';

export const inBrowser = 'WorkerGlobalScope' in globalThis;

/** Returns the reason why Git cannot be used; `undefined` if it can be used. */
export function whyNoGit(): string | undefined {
  if (inBrowser) {
    return vscode.l10n.t('Comparing with Git requires VS Code for the desktop.');
  }
  return vscode.workspace.isTrusted
    ? undefined
    : vscode.l10n.t('In Restricted Mode, Kindred does not compare with Git.');
}
