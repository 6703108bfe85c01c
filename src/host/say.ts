/** What a command answers when there is nothing to show, or nothing to work on. */
import * as vscode from 'vscode';

export function say(sentence: string): void {
  void vscode.window.showInformationMessage(sentence);
}
