/**
 * Steps through the copies of a group. Stepping begins when a command or a tree row opens a copy. It ends when the
 * cursor leaves the group's copies, or when the user presses Escape. The context key `kindred.stepping` enables the key
 * bindings.
 */
import * as vscode from 'vscode';
import { announce } from '../announce.ts';
import type { Group } from '../../../core/engine/report/report.ts';
import { lineInFile } from './compare.ts';
import type { FindingsModel } from '../findings/findings.ts';
import { showPassage } from '../findings/showPassage.ts';
import { isByUser } from '../workspace/selectionChanges.ts';
import type { Copy } from '../../../session/client/report.ts';
import { Subscriber } from '../subscriber.ts';

export class CopySteps extends Subscriber {
  readonly #findings: FindingsModel;
  readonly #selectedRows: () => readonly Copy[];
  /** Group whose copies the user steps through, and index of the copy opened last. */
  #current: { readonly groupId: string; readonly place: number } | undefined;
  /** True while VS Code opens an editor for a copy. Until then, the position of the cursor is ignored. */
  #isOpening = false;

  /** @param selectedRows  returns the copies of the selected tree rows */
  constructor(findings: FindingsModel, selectedRows: () => readonly Copy[]) {
    super();
    this.#findings = findings;
    this.#selectedRows = selectedRows;
    this.own(
      vscode.window.onDidChangeTextEditorSelection(({ textEditor, kind }) => this.#follow(textEditor, kind)),
      vscode.window.onDidChangeActiveTextEditor((editor) => editor && this.#follow(editor)),
    );
  }

  /** Opens a copy's file, with the cursor at the beginning of the copy. */
  async open(group: Group, place: number, { preserveFocus = false } = {}): Promise<void> {
    const passage = group.passages[place]!;
    this.#setCurrent({ groupId: group.id, place });
    this.#isOpening = true;
    try {
      await showPassage(this.#findings, passage, { preview: true, preserveFocus });
    } finally {
      this.#isOpening = false;
    }
  }

  stop(): void {
    this.#setCurrent(undefined);
  }

  /**
   * Opens the next (`step` 1) or previous (-1) copy of the group. Wraps around at the end. Returns false if the user is
   * not stepping through a group.
   */
  async openNeighbor(step: 1 | -1): Promise<boolean> {
    const from = this.here() ?? this.#last();
    if (from === undefined) return false;
    const count = from.group.passages.length;
    const place = (from.place + step + count) % count;
    await this.open(from.group, place);
    announce(vscode.l10n.t('Copy {0} of {1}', place + 1, count));
    return true;
  }

  /**
   * Returns the copy at the cursor, also in a comparison. If there are several, prefers a copy in the group that the
   * user steps through. Next, prefers the shortest copy of a group with its own row, which is the copy marked in the
   * editor; finally, the shortest copy.
   */
  here(): Copy | undefined {
    const editor = vscode.window.activeTextEditor;
    if (editor === undefined) return undefined;
    const { uri, line } = lineInFile(editor.document, editor.selection.start.line);
    const copies = this.#findings.copiesAt(uri, line);
    return (
      copies.find(({ group }) => group.id === this.#current?.groupId) ??
      copies.find(({ group }) => this.#findings.isRow(group)) ??
      copies[0]
    );
  }

  #last(): Copy | undefined {
    const group = this.#current && this.#findings.groupOf(this.#current.groupId);
    const passage = group?.passages[this.#current?.place ?? 0];
    return group && passage && this.#current && { group, passage, place: this.#current.place };
  }

  #follow({ document, selection }: vscode.TextEditor, kind?: vscode.TextEditorSelectionChangeKind): void {
    if (this.#isOpening) return;
    const opened = isByUser(kind)
      ? undefined
      : this.#selectedRows().find((copy) => this.#beginsAt(copy, document, selection));
    if (opened) return this.#setCurrent({ groupId: opened.group.id, place: opened.place });
    if (this.#current === undefined) return;
    const { uri, line } = lineInFile(document, selection.active.line);
    if (!this.#isInGroup(uri, line)) this.stop();
  }

  /** Returns true if the cursor is where VS Code puts it when the user opens the row of a copy. */
  #beginsAt({ passage }: Copy, document: vscode.TextDocument, { active }: vscode.Selection): boolean {
    const { uri, range } = this.#findings.locationOf(passage);
    return document.uri.toString() === uri.toString() && document.validatePosition(range.start).isEqual(active);
  }

  #isInGroup(uri: vscode.Uri, line: number): boolean {
    return this.#findings.copiesAt(uri, line).some(({ group }) => group.id === this.#current?.groupId);
  }

  #setCurrent(current: { readonly groupId: string; readonly place: number } | undefined): void {
    const changed = (current === undefined) !== (this.#current === undefined);
    this.#current = current;
    if (changed) void vscode.commands.executeCommand('setContext', 'kindred.stepping', current !== undefined);
  }
}
