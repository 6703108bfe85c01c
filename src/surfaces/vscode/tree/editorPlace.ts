/** Finds the file and the copy in the active editor, which may show a comparison, for views that follow it. */
import type * as vscode from 'vscode';
import type { Copy } from '../../../session/client/report.ts';

export interface EditorPlace {
  /** Returns the file in the active editor; `undefined` for documents that are not written by users, such as logs. */
  readonly file: () => vscode.Uri | undefined;
  readonly here: () => Copy | undefined;
}
