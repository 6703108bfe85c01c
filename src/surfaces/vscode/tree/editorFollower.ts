/**
 * Reveals the subject of the active editor in the tree, if the setting is on. Does not change the selection, and stays
 * at the group of a row selected by the user while the cursor is in one of its copies.
 */
import * as vscode from 'vscode';
import type { FindingsModel } from '../findings/findings.ts';
import type { EditorPlace } from './editorPlace.ts';
import type { GroupTree } from './groupTree.ts';
import { revealIfThere } from './reveal.ts';
import { idOf, type Row } from './rows.ts';

/** A click in the tree changes the selection, the editor, and its cursor. The delay covers all of them. */
const restMs = 100;

export class EditorFollower implements vscode.Disposable {
  readonly #view: vscode.TreeView<Row>;
  readonly #tree: GroupTree;
  readonly #findings: FindingsModel;
  readonly #editor: EditorPlace;
  readonly #isWanted: () => boolean;
  readonly #subscriptions: vscode.Disposable;
  #timer: NodeJS.Timeout | undefined;

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
      vscode.window.onDidChangeActiveTextEditor(() => this.#followSoon()),
      vscode.window.onDidChangeTextEditorSelection(() => this.#followSoon()),
      view.onDidChangeVisibility(() => this.#followSoon()),
    );
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#subscriptions.dispose();
  }

  #followSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#follow(), restMs);
  }

  async #follow(): Promise<void> {
    if (!this.#view.visible || !this.#isWanted()) return;
    const row = this.#rowHere();
    // Rows on later pages are not revealed, because that would load all pages in between.
    if (row === undefined || this.#isSelected(row) || !this.#tree.isOnPage(row)) return;
    await revealIfThere(this.#view, row, { select: false, focus: false });
  }

  /** Returns the group of the copy at the cursor, or its file in the file grouping. */
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

  /** True if a row, a nested row, or another row of its group is selected. */
  #isSelected(row: Row): boolean {
    const id = idOf(row);
    return this.#view.selection.some((selected) => {
      if ('group' in selected && 'group' in row && selected.group.id === row.group.id) return true;
      for (let at: Row | undefined = selected; at; at = this.#tree.getParent(at)) if (idOf(at) === id) return true;
      return false;
    });
  }
}
