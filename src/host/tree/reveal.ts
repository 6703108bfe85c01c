/** Bringing up a row. */
import type * as vscode from 'vscode';
import type { Row } from './rows.ts';

type Options = Parameters<vscode.TreeView<Row>['reveal']>[1];

/** How often VS Code is asked for a row: it refuses one whose rows it reads anew at that moment. */
const attempts = 3;

/** Reveals a row unless it goes meanwhile: a report may come, or the view be hidden, while VS Code asks for what it is in. */
export async function revealIfThere(view: vscode.TreeView<Row>, row: Row, options: Options): Promise<void> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    try {
      return await view.reveal(row, options);
    } catch {
      // What VS Code cannot find again is gone: then there is nothing to bring up.
    }
  }
}
