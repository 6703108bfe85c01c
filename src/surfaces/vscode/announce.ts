/**
 * Announces the result of a command to screen readers. Shows a sentence in the status bar for a few seconds; VS Code
 * treats the status bar as a live region.
 */
import * as vscode from 'vscode';

const shownMs = 5000;

let item: vscode.StatusBarItem | undefined;
let timer: NodeJS.Timeout | undefined;

/** Shows a sentence, in place of any previous one. */
export function announce(sentence: string): void {
  clearTimeout(timer);
  item ??= vscode.window.createStatusBarItem('kindred.announcement', vscode.StatusBarAlignment.Left, -1);
  item.name = vscode.l10n.t('Kindred: Result of the Last Command');
  item.text = sentence;
  item.accessibilityInformation = { label: sentence, role: 'status' };
  item.show();
  timer = setTimeout(() => item?.hide(), shownMs);
}
