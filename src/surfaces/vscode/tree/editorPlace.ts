/** Place in the active editor, also in a compare, for views that follow it. */
import type * as vscode from 'vscode';
import type { Copy } from '../../../session/client/report.ts';

export interface EditorPlace {
  /** Returns the file of the active editor; `undefined` if it shows none of the user's own. */
  readonly file: () => vscode.Uri | undefined;
  /** Returns the copy at the cursor. */
  readonly here: () => Copy | undefined;
}
