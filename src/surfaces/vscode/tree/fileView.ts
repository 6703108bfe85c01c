/**
 * The view *In This File*: the active file's copies, sorted by line, with the other copies of each group below. The
 * copy at the cursor is selected. Opening a copy from the view makes another file active, but the view stays on its
 * first file until the user works in the other file.
 */
import * as vscode from 'vscode';
import type { Passage } from '../../../core/engine/report/report.ts';
import { byLine, type FindingsModel } from '../findings/findings.ts';
import type { Copy } from '../../../session/client/report.ts';
import { baseName, oneLine, quantity } from '../wording.ts';
import { isByUser } from '../workspace/selectionChanges.ts';
import type { EditorPlace } from './editorPlace.ts';
import type { GroupTree } from './groupTree.ts';
import { revealIfThere } from './reveal.ts';
import { RowRequests } from './rowRequests.ts';
import { idOf, occurrenceAround, type Row, siblingRowsOf, topId } from './rows.ts';
import { Subscriber } from '../subscriber.ts';

/** Values of the context key `kindred.file`. For each one without rows, package.json has a text in `viewsWelcome`. */
type FileContent = 'noFile' | 'notCompared' | 'noCopies' | 'copies';

export const fileViewId = 'kindred.file';

export class FileView extends Subscriber implements vscode.TreeDataProvider<Row> {
  readonly #findings: FindingsModel;
  readonly #tree: GroupTree;
  readonly #editor: EditorPlace;
  readonly #view: vscode.TreeView<Row>;
  readonly #requests = new RowRequests(() => this.#refresh());
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.#changed.event;
  /** File that the view shows, even while an editor without a file is active, such as a terminal or log. */
  #file: vscode.Uri | undefined;
  #content: FileContent | undefined;

  /** @param tree  creates the tree items of rows */
  constructor(findings: FindingsModel, tree: GroupTree, editor: EditorPlace) {
    super();
    this.#findings = findings;
    this.#tree = tree;
    this.#editor = editor;
    this.#file = editor.file();
    this.#view = vscode.window.createTreeView(fileViewId, {
      treeDataProvider: this,
      showCollapseAll: true,
      canSelectMany: true,
    });
    this.own(
      this.#view,
      findings.onDidChangeRows(() => this.#refresh()),
      findings.onDidMove(() => this.#refresh()),
      vscode.window.onDidChangeActiveTextEditor(() => this.#followEditor()),
      vscode.window.onDidChangeActiveNotebookEditor(() => this.#followEditor()),
      vscode.window.onDidChangeTextEditorSelection(({ kind }) => {
        // When the user moves the cursor in a file that was opened from the view, switch the view to that file.
        if (isByUser(kind)) this.#follow(this.#editorFile());
        void this.#followCursor();
      }),
      vscode.window.tabGroups.onDidChangeTabs(() => this.#followEditor()),
      this.#view.onDidChangeVisibility(() => void this.#followCursor()),
      this.#changed,
    );
    this.#render();
  }

  get selection(): readonly Row[] {
    return this.#view.selection;
  }

  async select(row: Row): Promise<void> {
    await revealIfThere(this.#view, row, { select: true, focus: false });
  }

  getChildren(row?: Row): Row[] {
    const rows = row === undefined ? this.#top() : row.type === 'occurrence' ? siblingRowsOf(row) : [];
    this.#requests.begin(row === undefined ? topId : idOf(row), rows);
    return rows;
  }

  getParent(row: Row): Row | undefined {
    return row.type === 'copy' && row.from !== undefined
      ? occurrenceAround({ group: row.group, from: row.from })
      : undefined;
  }

  async getTreeItem(row: Row): Promise<vscode.TreeItem> {
    try {
      return await this.#tree.itemOf(row);
    } finally {
      this.#requests.end(row);
    }
  }

  resolveTreeItem(item: vscode.TreeItem, row: Row): Promise<vscode.TreeItem> {
    return this.#tree.resolveTreeItem(item, row);
  }

  #top(): Row[] {
    return this.#copies().map((copy) => ({ ...copy, type: 'occurrence' }));
  }

  #copies(): Copy[] {
    const snapshot = this.#findings.settled;
    const path = this.#file && snapshot?.folders.pathOf(this.#file);
    if (path === undefined) return [];
    const placeOf = ({ passage }: Copy): Passage => this.#findings.now(passage);
    return [...this.#findings.occurrencesIn(path)].sort((x, y) => byLine(placeOf(x), placeOf(y)));
  }

  /** Switches to the active editor's file, unless the view opened it and the user has not moved the cursor. */
  #followEditor(): void {
    const file = this.#editorFile();
    if (!file || !this.#hasOpened(file)) this.#follow(file);
  }

  /**
   * Returns the file of the active editor. If the active tab has no file, returns the view's current file; if no tab is
   * open, returns `undefined`.
   */
  #editorFile(): vscode.Uri | undefined {
    return this.#editor.file() ?? (vscode.window.tabGroups.activeTabGroup.activeTab ? this.#file : undefined);
  }

  #follow(file: vscode.Uri | undefined): void {
    if (file?.toString() === this.#file?.toString()) return;
    this.#file = file;
    this.#refresh();
    void this.#followCursor();
  }

  /** Returns true if the selected row is a copy in the file, which was then probably opened from the view. */
  #hasOpened(file: vscode.Uri): boolean {
    return this.#view.selection.some(
      (row) => row.type === 'copy' && this.#findings.uriOf(row.passage).toString() === file.toString(),
    );
  }

  #refresh(): void {
    this.#requests.clear();
    this.#changed.fire();
    this.#render();
  }

  /** Selects the row of the copy at the cursor. The focus stays in the editor. */
  async #followCursor(): Promise<void> {
    const here = this.#view.visible ? this.#editor.here() : undefined;
    if (here === undefined) return;
    const row: Row = { ...here, type: 'occurrence' };
    const id = idOf(row);
    if (this.#view.selection.some((it) => it.type !== 'more' && 'group' in it && it.group.id === here.group.id)) return;
    if (!this.#top().some((it) => idOf(it) === id)) return;
    await this.select(row);
  }

  #render(): void {
    const count = this.#copies().length;
    const name = this.#file ? [oneLine(baseName(this.#file.path))] : [];
    this.#view.description = [...name, ...(count > 0 ? [quantity(count)] : [])].join(' · ');
    const content = this.#contentNow(count);
    if (content === this.#content) return;
    this.#content = content;
    void vscode.commands.executeCommand('setContext', 'kindred.file', content);
  }

  #contentNow(count: number): FileContent {
    if (count > 0) return 'copies';
    if (this.#file === undefined) return 'noFile';
    return this.#findings.settled === undefined ? 'notCompared' : 'noCopies';
  }
}
