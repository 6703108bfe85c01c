import type * as vscode from 'vscode';
import type { Row } from './rows.ts';

type Options = Parameters<vscode.TreeView<Row>['reveal']>[1];

/** Maximum number of attempts. Revealing fails while VS Code refreshes the parent of the row. */
const attempts = 3;

/**
 * Reveals a row. Does nothing if the row disappears in the meantime: while VS Code requests its parents, a new report
 * may arrive, or the view may be hidden.
 */
export async function revealIfThere(view: vscode.TreeView<Row>, row: Row, options: Options): Promise<void> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    try {
      return await view.reveal(row, options);
    } catch {
      // VS Code cannot find the row because it no longer exists.
    }
  }
}
