/** Causes of selection changes in editors. */
import * as vscode from 'vscode';

/** Returns true if the user has moved the cursor with the mouse or keyboard. */
export function isByUser(kind: vscode.TextEditorSelectionChangeKind | undefined): boolean {
  const { Keyboard, Mouse } = vscode.TextEditorSelectionChangeKind;
  return kind === Keyboard || kind === Mouse;
}
