/** Shows notifications. */
import * as vscode from 'vscode';

export function say(sentence: string): void {
  void vscode.window.showInformationMessage(sentence);
}

/** Shows a notification with a button. Returns true if the user chooses the button, and false if it is closed. */
export async function askInNotification(sentence: string, button: string): Promise<boolean> {
  return (await vscode.window.showInformationMessage(sentence, button)) === button;
}

/**
 * Shows a notification with the button *Undo*. Does not wait for the user's answer, because the notification may stay
 * open.
 */
export function offerUndo(sentence: string, undo: () => PromiseLike<unknown>): void {
  const label = vscode.l10n.t('Undo');
  void vscode.window.showInformationMessage(sentence, label).then((chosen) => {
    if (chosen === label) void undo();
  });
}
