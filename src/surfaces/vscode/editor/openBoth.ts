/** Opens two copies side by side, in their own files, for editing. */
import * as vscode from 'vscode';
import { scrollTogether } from './scrollTogether.ts';
import { showLocation } from '../findings/showPassage.ts';

/** Scroll lock for the two copies that were opened last. */
let scrolling: vscode.Disposable | undefined;

/** Opens two locations side by side, each at the top of its editor, and locks scrolling. Focuses the left editor. */
export async function openBoth(left: vscode.Location, right: vscode.Location): Promise<void> {
  scrolling?.dispose();
  const { Active, Beside } = vscode.ViewColumn;
  const options = { preview: true, preserveFocus: true } as const;
  const a = await showLocation(left, { ...options, viewColumn: Active });
  const b = await showLocation(right, { ...options, viewColumn: Beside });
  for (const [editor, { range }] of [[a, left] as const, [b, right] as const]) {
    const shown = editor.document.validateRange(range);
    editor.selection = new vscode.Selection(shown.start, shown.start);
    editor.revealRange(shown, vscode.TextEditorRevealType.AtTop);
  }
  await showLocation(left, { preview: true, viewColumn: Active });
  const linesOf = ({ range }: vscode.Location) => ({ first: range.start.line, last: range.end.line });
  scrolling = scrollTogether({ editor: a, lines: linesOf(left) }, { editor: b, lines: linesOf(right) });
}
