/**
 * If the setting is on, reveals the copy or file of the active editor in the tree, without selecting its row. Does
 * nothing if the user has selected a row of the same group as the copy at the cursor.
 */
import * as vscode from 'vscode';
import type { FindingsModel } from '../findings/findings.ts';
import type { EditorPlace } from './editorPlace.ts';
import type { GroupTree } from './groupTree.ts';
import { revealIfThere } from './reveal.ts';
import { idOf, type Row } from './rows.ts';
import { Subscriber } from '../subscriber.ts';

/** Delay in milliseconds after which a click on a row has changed the selection, the editor, and the cursor. */
const restMs = 100;

export class EditorFollower extends Subscriber {
  readonly #view: vscode.TreeView<Row>;
  readonly #tree: GroupTree;
  readonly #findings: FindingsModel;
  readonly #editor: EditorPlace;
  readonly #isWanted: () => boolean;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    view: vscode.TreeView<Row>,
    tree: GroupTree,
    findings: FindingsModel,
    editor: EditorPlace,
    isWanted: () => boolean,
  ) {
    super();
    this.#view = view;
    this.#tree = tree;
    this.#findings = findings;
    this.#editor = editor;
    this.#isWanted = isWanted;
    this.own(
      { dispose: () => clearTimeout(this.#timer) },
      vscode.window.onDidChangeActiveTextEditor(() => this.#followSoon()),
      vscode.window.onDidChangeTextEditorSelection(() => this.#followSoon()),
      view.onDidChangeVisibility(() => this.#followSoon()),
    );
  }

  #followSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#follow(), restMs);
  }

  async #follow(): Promise<void> {
    if (!this.#view.visible || !this.#isWanted()) return;
    const row = this.#rowHere();
    // Do not reveal rows on later pages, because the tree would have to load all pages before them.
    if (row === undefined || this.#isSelected(row) || !this.#tree.isOnPage(row)) return;
    await revealIfThere(this.#view, row, { select: false, focus: false });
  }

  /** Returns the row of the group of the copy at the cursor or, if the tree is grouped by file, of the file. */
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

  /** Returns true if the selection contains a row, a row inside it, or another row of its group. */
  #isSelected(row: Row): boolean {
    const id = idOf(row);
    return this.#view.selection.some((selected) => {
      if ('group' in selected && 'group' in row && selected.group.id === row.group.id) return true;
      for (let at: Row | undefined = selected; at; at = this.#tree.getParent(at)) if (idOf(at) === id) return true;
      return false;
    });
  }
}
