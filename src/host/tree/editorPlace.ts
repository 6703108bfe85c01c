/** Where a person is in the editor, be it in a compare: what the views follow. */
import type * as vscode from 'vscode';
import type { Copy } from '../../client/report.ts';

export interface EditorPlace {
  /** The file of the active editor; undefined when that shows none of somebody's own. */
  readonly file: () => vscode.Uri | undefined;
  /** The copy at the cursor. */
  readonly here: () => Copy | undefined;
}
