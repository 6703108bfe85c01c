import type * as vscode from 'vscode';
import type { Row } from './rows.ts';

type Options = Parameters<vscode.TreeView<Row>['reveal']>[1];

/** Milliseconds before each attempt: VS Code fails while it is refreshing the parent, which takes longer under load. */
const pausesMs = [0, 0, 50, 200, 800];

/**
 * Reveals a row unless it disappears meanwhile: a report may arrive, or the view may be hidden, while VS Code requests
 * its parents.
 */
export async function revealIfThere(view: vscode.TreeView<Row>, row: Row, options: Options): Promise<void> {
  for (const pauseMs of pausesMs) {
    if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
    try {
      return await view.reveal(row, options);
    } catch {
      // If VS Code cannot find the row, it no longer exists.
    }
  }
}
