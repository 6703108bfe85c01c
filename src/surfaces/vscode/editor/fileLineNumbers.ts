/**
 * Shows the file's line numbers in a comparison. VS Code numbers the lines of an excerpt from 1. So VS Code's line
 * numbers are turned off for the languages of excerpts (`configurationDefaults` in package.json), and decorations show
 * the numbers in the file instead.
 */
import * as vscode from 'vscode';
import { isExcerpt, lineNumberOf } from './compare.ts';
import { Subscriber } from '../subscriber.ts';

/** Number of lines above and below the visible range whose numbers are shown in advance. */
const margin = 200;

export class FileLineNumbers extends Subscriber {
  readonly #type = vscode.window.createTextEditorDecorationType({
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
  });
  /** Range of lines that show numbers, by editor. */
  readonly #numbered = new WeakMap<vscode.TextEditor, { readonly from: number; readonly to: number }>();

  constructor() {
    super();
    this.own(
      this.#type,
      vscode.window.onDidChangeVisibleTextEditors((editors) => editors.forEach((editor) => this.#number(editor))),
      vscode.window.onDidChangeTextEditorVisibleRanges(({ textEditor }) => this.#number(textEditor)),
    );
    vscode.window.visibleTextEditors.forEach((editor) => this.#number(editor));
  }

  #number(editor: vscode.TextEditor): void {
    const { document, visibleRanges } = editor;
    if (!isExcerpt(document.uri)) return;
    const top = Math.min(...visibleRanges.map(({ start }) => start.line), document.lineCount - 1);
    const bottom = Math.max(...visibleRanges.map(({ end }) => end.line), 0);
    const numberedLines = this.#numbered.get(editor);
    if (numberedLines && numberedLines.from <= top && bottom <= numberedLines.to) return;
    const [from, to] = [Math.max(0, top - margin), Math.min(document.lineCount - 1, bottom + margin)];
    this.#numbered.set(editor, { from, to });
    const width = String(lineNumberOf(document, document.lineCount - 1)).length;
    // VS Code wraps lines as if there were no numbers, so they must be so narrow that they fit into the space that it
    // reserves for a scroll bar. It has no property for the size, but accepts any CSS here.
    const [gap, textDecoration] = isWrapped(document) ? [1, 'none; font-size: 70%'] : [3, undefined];
    editor.setDecorations(
      this.#type,
      Array.from({ length: to - from + 1 }, (_, at): vscode.DecorationOptions => {
        const line = from + at;
        const number = String(lineNumberOf(document, line)).padStart(width, '\u00a0');
        const contentText = number + '\u00a0'.repeat(gap);
        const color = new vscode.ThemeColor('editorLineNumber.foreground');
        return {
          range: new vscode.Range(line, 0, line, 0),
          renderOptions: { before: { contentText, color, ...(textDecoration !== undefined && { textDecoration }) } },
        };
      }),
    );
  }
}

/** Returns true if `configurationDefaults` in package.json wraps the lines of a document's language. */
function isWrapped({ languageId }: vscode.TextDocument): boolean {
  return /^kindred-(?:asciidoc|markdown|plaintext|restructuredtext)$/.test(languageId);
}
