import * as vscode from 'vscode';
import { type Row, idOf } from './rows.ts';
import type { GroupTree } from './groupTree.ts';

type Options = Parameters<vscode.TreeView<Row>['reveal']>[1];

/** Maximum number of attempts. VS Code cannot reveal a row while it refreshes the row's parent. */
const attempts = 3;

/**
 * Reveals a row. Does nothing if the row disappears in the meantime, for example if a new report arrives, or if the
 * view is hidden, while VS Code requests the row's parents.
 */
export async function revealIfThere(view: vscode.TreeView<Row>, row: Row, options: Options): Promise<void> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    try {
      return await view.reveal(row, options);
    } catch {
      // VS Code could not find the row, because it no longer exists.
    }
  }
}

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
