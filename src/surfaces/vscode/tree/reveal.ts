import type * as vscode from 'vscode';
import type { Row } from './rows.ts';

type Options = Parameters<vscode.TreeView<Row>['reveal']>[1];

/** Number of attempts: VS Code fails while it is refreshing the parent. */
const attempts = 3;

/**
 * Reveals a row unless it disappears meanwhile: a report may arrive, or the view may be hidden, while VS Code requests
 * its parents.
 */
export async function revealIfThere(view: vscode.TreeView<Row>, row: Row, options: Options): Promise<void> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    try {
      return await view.reveal(row, options);
    } catch {
      // If VS Code cannot find the row, it no longer exists.
    }
  }
}
