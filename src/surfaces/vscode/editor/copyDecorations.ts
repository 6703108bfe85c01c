/**
 * Marks the copy at the cursor with a background and in the overview ruler. Optionally, shows an icon beside the first
 * line of each copy. VS Code moves decorations when the user edits, so they are set again only if their lines differ.
 */
import * as vscode from 'vscode';
import type { FindingsModel } from '../findings/findings.ts';
import type { Settings } from '../settings.ts';
import { markedAt, markedIn } from './markedCopies.ts';
import { Subscriber } from '../subscriber.ts';

/** Delay in milliseconds before a copy is marked, to avoid flicker while the cursor moves through a file. */
const restMs = 60;

export class CopyDecorations extends Subscriber {
  readonly #findings: FindingsModel;
  readonly #readSettings: () => Settings;
  readonly #range = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor('kindred.copyBackground'),
    borderColor: new vscode.ThemeColor('kindred.copyBorder'),
    borderStyle: 'solid',
    borderWidth: '0 0 0 2px',
    overviewRulerColor: new vscode.ThemeColor('kindred.overviewRulerForeground'),
    overviewRulerLane: vscode.OverviewRulerLane.Left,
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
  });
  readonly #icon: vscode.TextEditorDecorationType;
  #timer: NodeJS.Timeout | undefined;
  /** Value of the context key for menus: true if the active file has copies. */
  #hasCopies = false;
  /** Editor and range in which the copy at the cursor is currently marked. */
  #drawn: { readonly editor: vscode.TextEditor; readonly range: vscode.Range } | undefined;

  constructor(findings: FindingsModel, readSettings: () => Settings, media: vscode.Uri) {
    super();
    this.#findings = findings;
    this.#readSettings = readSettings;
    this.#icon = vscode.window.createTextEditorDecorationType({
      gutterIconSize: '75%',
      light: { gutterIconPath: vscode.Uri.joinPath(media, 'copy-light.svg') },
      dark: { gutterIconPath: vscode.Uri.joinPath(media, 'copy-dark.svg') },
    });
    this.own(
      { dispose: () => clearTimeout(this.#timer) },
      this.#range,
      this.#icon,
      findings.onDidChange(() => this.render()),
      findings.onDidMove(() => this.render()),
      vscode.window.onDidChangeTextEditorSelection(() => this.#drawSoon()),
      vscode.window.onDidChangeActiveTextEditor(() => this.#drawSoon()),
      vscode.window.onDidChangeVisibleTextEditors(() => this.#drawIcons()),
    );
  }

  /** Updates all decorations to match the current findings and settings. */
  render(): void {
    this.#drawSoon();
    this.#drawIcons();
  }

  /** Range that is currently marked in the active editor; `undefined` if there is none. */
  get shown(): vscode.Range | undefined {
    return this.#drawn?.range;
  }

  #drawSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#drawRange();
    }, restMs);
  }

  #drawRange(): void {
    const editor = vscode.window.activeTextEditor;
    this.#setMenuContext(editor !== undefined && this.#findings.copiesIn(editor.document.uri).length > 0);
    const range = editor && this.#rangeAt(editor);
    const drawn = this.#drawn;
    if (drawn && range && drawn.editor === editor && drawn.range.isEqual(range)) return;
    if (drawn && drawn.editor !== editor) drawn.editor.setDecorations(this.#range, []);
    if (editor && (range ?? drawn?.editor === editor)) editor.setDecorations(this.#range, range ? [range] : []);
    this.#drawn = editor && range ? { editor, range } : undefined;
  }

  #setMenuContext(hasCopies: boolean): void {
    if (hasCopies === this.#hasCopies) return;
    this.#hasCopies = hasCopies;
    void vscode.commands.executeCommand('setContext', 'kindred.fileHasCopies', hasCopies);
  }

  #rangeAt({ document, selection }: vscode.TextEditor): vscode.Range | undefined {
    const { editor, diagnostics } = this.#readSettings();
    if (!editor.marks || !editor.show.copyRange) return undefined;
    const copy = markedAt(this.#findings, document.uri, selection.active.line, diagnostics);
    return copy && document.validateRange(this.#findings.rangeIn(document.uri, copy.passage));
  }

  #drawIcons(): void {
    const { editor, diagnostics } = this.#readSettings();
    for (const shown of vscode.window.visibleTextEditors) {
      const copies =
        editor.marks && editor.show.gutterIcon ? markedIn(this.#findings, shown.document.uri, diagnostics).copies : [];
      const starts = copies.map(({ passage }) => this.#findings.rangeIn(shown.document.uri, passage).start);
      shown.setDecorations(
        this.#icon,
        starts.map((start) => new vscode.Range(start, start)),
      );
    }
  }
}
