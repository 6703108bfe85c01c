/**
 * Locks the scrolling of two copies in adjacent editors. VS Code's own scroll lock affects all editors, and aligns the
 * beginnings of files instead of copies. The lock ends when one of the editors is no longer visible.
 */
import * as vscode from 'vscode';
import { showLocation } from '../findings/showPassage.ts';

/** Line numbers of a copy in a document, counted from 0, inclusive. They are adjusted when the user edits. */
interface Lines {
  first: number;
  last: number;
}

interface Side {
  readonly editor: vscode.TextEditor;
  readonly lines: Lines;
}

/** Milliseconds to ignore an editor's scroll events after scrolling it here: the duration of smooth scrolling. */
const echoMs = 250;

/** Makes each editor follow the other. The caller must dispose the lock before it locks other editors. */
export function scrollTogether(left: Side, right: Side): vscode.Disposable {
  const sides = [left, right] as const;
  let leader: vscode.TextEditor | undefined;
  let until = 0;
  const subscriptions = vscode.Disposable.from(
    vscode.window.onDidChangeTextEditorVisibleRanges(({ textEditor, visibleRanges: [shown] }) => {
      const from = sides.find(({ editor }) => editor === textEditor);
      const now = Date.now();
      if (from === undefined || shown === undefined || (leader !== textEditor && now < until)) return;
      leader = textEditor;
      until = now + echoMs;
      const to = from === left ? right : left;
      const last = to.editor.document.lineCount - 1;
      const line = Math.min(last, Math.max(0, lineOpposite(shown.start.line, from.lines, to.lines)));
      const revealed = Math.min(last, line + linesAbove(to.editor));
      to.editor.revealRange(new vscode.Range(revealed, 0, revealed, 0), vscode.TextEditorRevealType.AtTop);
    }),
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      for (const { editor, lines } of sides) {
        if (editor.document === document) for (const change of contentChanges) moveLines(lines, change);
      }
    }),
    vscode.window.onDidChangeVisibleTextEditors((visible) => {
      if (!sides.every(({ editor }) => visible.includes(editor))) subscriptions.dispose();
    }),
  );
  return subscriptions;
}

/**
 * Returns the line of the other copy that should be beside a given line. Inside the copy, it has the same relative
 * position. Outside, it has the same distance from the beginning or end of the copy.
 */
export function lineOpposite(line: number, from: Lines, to: Lines): number {
  if (line <= from.first) return to.first + line - from.first;
  if (line >= from.last) return to.last + line - from.last;
  const share = (line - from.first) / (from.last - from.first);
  return Math.round(to.first + share * (to.last - to.first));
}

/** Returns the number of lines that VS Code leaves visible above a line that it reveals at the top of an editor. */
function linesAbove({ document }: vscode.TextEditor): number {
  const configuration = vscode.workspace.getConfiguration('editor', document);
  const isSticky = configuration.get('stickyScroll.enabled', true);
  const sticky = isSticky ? configuration.get('stickyScroll.maxLineCount', 5) : 0;
  return Math.max(sticky, configuration.get('cursorSurroundingLines', 0));
}

function moveLines(lines: Lines, { range, text }: vscode.TextDocumentContentChangeEvent): void {
  const added = text.split('\n').length - 1 - (range.end.line - range.start.line);
  if (range.end.line < lines.first) lines.first += added;
  if (range.start.line <= lines.last) lines.last = Math.max(lines.first, lines.last + added);
}

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
