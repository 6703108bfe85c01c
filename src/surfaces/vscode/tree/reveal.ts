import type * as vscode from 'vscode';
import type { Row } from './rows.ts';

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
