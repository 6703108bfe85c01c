/** Shows notifications. */
import * as vscode from 'vscode';

/** Time in milliseconds after which a search shows its progress. */
const progressDelayMs = 500;

export function showNotification(sentence: string): void {
  void vscode.window.showInformationMessage(sentence);
}

/** Shows a notification with a button. Returns true if the user chooses the button, and false if it is closed. */
export async function confirmInNotification(sentence: string, button: string): Promise<boolean> {
  return (await vscode.window.showInformationMessage(sentence, button)) === button;
}

/**
 * Waits for a search, which must not reject. If the search is long, shows a notification whose button calls `cancel`.
 * VS Code shows at most three notifications in 800 ms. So a notification for a short search could replace its result.
 */
export async function withSearchProgress<Result>(
  title: string,
  search: Promise<Result>,
  cancel: () => void,
): Promise<Result> {
  const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
  const show = (): void =>
    void vscode.window.withProgress(options, (_progress, token) => {
      token.onCancellationRequested(cancel);
      return search;
    });
  const timer = setTimeout(show, progressDelayMs);
  const result = await search;
  clearTimeout(timer);
  return result;
}

/**
 * Shows a notification with the button *Undo*. Does not wait for the user's answer, because the notification may stay
 * open.
 */
export function offerUndo(sentence: string, undo: () => PromiseLike<unknown>): void {
  const label = vscode.l10n.t('Undo');
  void vscode.window.showInformationMessage(sentence, label).then((button) => {
    if (button === label) void undo();
  });
}
