/** Shows messages about the results of commands. */
import * as vscode from 'vscode';

export function say(sentence: string): void {
  void vscode.window.showInformationMessage(sentence);
}

/**
 * Shows a notification with the button *Undo*. Does not wait for it, because the notification stays until the user
 * closes it.
 */
export function offerUndo(sentence: string, undo: () => PromiseLike<unknown>): void {
  const label = vscode.l10n.t('Undo');
  void vscode.window.showInformationMessage(sentence, label).then((chosen) => {
    if (chosen === label) void undo();
  });
}
