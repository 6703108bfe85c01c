/** Messages of commands without a target or a result. */
import * as vscode from 'vscode';

export function say(sentence: string): void {
  void vscode.window.showInformationMessage(sentence);
}
