/** Selects in the tree what the active editor is about, as the Explorer does with its file, while a setting says so. */
import * as vscode from 'vscode';
import type { FindingsModel } from '../findings/findings.ts';
import type { EditorPlace } from './editorPlace.ts';
import type { GroupTree } from './groupTree.ts';
import { revealIfThere } from './reveal.ts';
import { idOf, type Row } from './rows.ts';

export class EditorFollower implements vscode.Disposable {
  readonly #view: vscode.TreeView<Row>;
  readonly #tree: GroupTree;
  readonly #findings: FindingsModel;
  readonly #editor: EditorPlace;
  readonly #isWanted: () => boolean;
  readonly #subscriptions: vscode.Disposable;

  constructor(
    view: vscode.TreeView<Row>,
    tree: GroupTree,
    findings: FindingsModel,
    editor: EditorPlace,
    isWanted: () => boolean,
  ) {
    this.#view = view;
    this.#tree = tree;
    this.#findings = findings;
    this.#editor = editor;
    this.#isWanted = isWanted;
    this.#subscriptions = vscode.Disposable.from(
      vscode.window.onDidChangeActiveTextEditor(() => void this.#follow()),
      vscode.window.onDidChangeTextEditorSelection(() => void this.#follow()),
      view.onDidChangeVisibility(() => void this.#follow()),
    );
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  async #follow(): Promise<void> {
    if (!this.#view.visible || !this.#isWanted()) return;
    const row = this.#rowHere();
    // What is on no page yet stays there: nobody asked for a thousand rows.
    if (row === undefined || this.#isSelected(row) || !this.#tree.isOnPage(row)) return;
    await revealIfThere(this.#view, row, { select: true, focus: false });
  }

  /** The group of the copy at the cursor, or its file where files are rows. */
  #rowHere(): Row | undefined {
    const here = this.#editor.here();
    if (here !== undefined) {
      const row = this.#tree.rowOfCopy(here);
      return row?.type === 'copy' ? { type: 'group', group: row.group } : row;
    }
    const file = this.#editor.file();
    const path = file && this.#findings.snapshot?.folders.pathOf(file);
    if (path === undefined || (this.#tree.grouping !== 'file' && this.#tree.grouping !== 'folder')) return undefined;
    const row: Row = { type: 'file', path };
    return this.#tree.groupsIn(row).length > 0 ? row : undefined;
  }

  /** Whether it is, or one in it: whoever clicks a copy in the tree stays there. */
  #isSelected(row: Row): boolean {
    const id = idOf(row);
    return this.#view.selection.some((selected) => {
      for (let at: Row | undefined = selected; at; at = this.#tree.getParent(at)) if (idOf(at) === id) return true;
      return false;
    });
  }
}
