/**
 * What has just been done, for people who do not see it: the status bar shows a sentence for some seconds, as a live region that
 * screen readers read out.
 */
import * as vscode from 'vscode';

/** How long it stays. */
const shownMs = 5000;

let item: vscode.StatusBarItem | undefined;
let timer: NodeJS.Timeout | undefined;

/** Shows a sentence in the place of the one before it. */
export function announce(sentence: string): void {
  clearTimeout(timer);
  item ??= vscode.window.createStatusBarItem('kindred.announcement', vscode.StatusBarAlignment.Left, -1);
  item.name = vscode.l10n.t('Kindred: What Was Done');
  item.text = sentence;
  item.accessibilityInformation = { label: sentence, role: 'status' };
  item.show();
  timer = setTimeout(() => item?.hide(), shownMs);
}
