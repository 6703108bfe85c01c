/**
 * Two places in editors beside each other that scroll together: VS Code's own command locks all editors there are, and counts
 * lines from the top of both files. It ends when one of the two is no longer seen.
 */
import * as vscode from 'vscode';

/** Lines of a document, from zero, the last one included. They move as the text above or in them is edited. */
interface Lines {
  first: number;
  last: number;
}

/** An editor, and the lines in it that are a copy of those in the other. */
interface Side {
  readonly editor: vscode.TextEditor;
  readonly lines: Lines;
}

/** After the last scroll of one editor, what the other one tells is its echo for so long: smooth scrolling takes as long. */
const echoMs = 250;

/** Lets one editor follow where the other is scrolled to, whichever is. To be disposed of when others take their place. */
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

/** The line that stands for another one: as far from the beginning or end of the copy, and in it as far on the way. */
export function lineOpposite(line: number, from: Lines, to: Lines): number {
  if (line <= from.first) return to.first + line - from.first;
  if (line >= from.last) return to.last + line - from.last;
  const share = (line - from.first) / (from.last - from.first);
  return Math.round(to.first + share * (to.last - to.first));
}

/** The lines that VS Code leaves above one that it reveals at the top. */
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
