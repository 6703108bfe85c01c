/** Moves the focus to the next row after a command has hidden rows, so that the user can continue with the keyboard. */
import * as vscode from 'vscode';
import type { GroupTree } from './groupTree.ts';
import { revealIfThere } from './reveal.ts';
import { idOf, type Row } from './rows.ts';

/**
 * Waits until rows are hidden, then focuses the next remaining row. Also selects that row if the hidden rows are
 * selected by then. (Keys that preview a copy select its row only shortly after it gets the focus.)
 */
export function focusNextRow(tree: GroupTree, view: vscode.TreeView<Row>, hidden: readonly Row[]): vscode.Disposable {
  const last = hidden.at(-1);
  if (last === undefined || tree.shown(last) === undefined) return new vscode.Disposable(() => {});
  const beside = tree.rowsBeside(last);
  const waiting = tree.onDidChangeTreeData(() => {
    if (tree.shown(last) !== undefined) return;
    waiting.dispose();
    if (!view.visible) return;
    const next = beside.map((row) => tree.shown(row)).find((row) => row !== undefined);
    const select = view.selection.some((row) => idOf(row) === idOf(last));
    if (next) void revealIfThere(view, next, { select, focus: true });
  });
  return waiting;
}
