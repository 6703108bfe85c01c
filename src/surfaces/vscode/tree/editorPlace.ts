/** File and copy in the active editor, for views that follow it. The editor may show a compare. */
import type * as vscode from 'vscode';
import type { Copy } from '../../../session/client/report.ts';

export interface EditorPlace {
  /** Returns the file in the active editor; `undefined` if its document is not written by the user. */
  readonly file: () => vscode.Uri | undefined;
  /** Returns the copy at the cursor. */
  readonly here: () => Copy | undefined;
}
