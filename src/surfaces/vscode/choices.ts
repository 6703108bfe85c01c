/**
 * Determines what a command applies to: the rows or copies on which it was invoked; otherwise the selected or checked
 * rows, or the copy at the cursor. Only this module parses the arguments that VS Code passes to commands.
 */
import * as vscode from 'vscode';
import type { Group, Passage } from '../../core/engine/report/report.ts';
import type { Copy } from '../../session/client/report.ts';
import { comparedPair, comparesPassages } from './editor/compare.ts';
import { referredRow } from './editor/copyReference.ts';
import type { CopySteps } from './editor/copySteps.ts';
import type { Canonicals } from './findings/canonicals.ts';
import type { CopyPair, FindingsModel } from './findings/findings.ts';
import type { FileView } from './tree/fileView.ts';
import type { GroupTree } from './tree/groupTree.ts';
import { idOf, isCopyRow, isRow, type Row } from './tree/rows.ts';

/** Target of a command, parsed from its arguments. */
export interface Choice {
  /** Row that the command was invoked on. */
  readonly row: Row | undefined;
  /** All selected rows. `undefined` unless the command was invoked on one of several selected rows. */
  readonly rows: readonly Row[] | undefined;
  /** True if a key binding invoked the command on the selected or checked rows of a view. */
  readonly isInView: boolean;
  /** True if a key binding invoked the command on a row that VS Code, refreshing the view, does not know. */
  readonly isLost: boolean;
  /** Document of the editor whose title bar was used, or file or folder that was selected in the Explorer. */
  readonly document: vscode.Uri | undefined;
}

/**
 * Parses the arguments of a command. They depend on where it was invoked:
 * - tree row: that row, and all selected rows if there are several
 * - view title: the focused row
 * - editor title: the document and its location
 * - Explorer: a file or folder
 * - command palette: none
 * - key on one row: the focused row and the view; key on several rows: the view
 * - link or light bulb: references to copies
 */
export function chosenBy(commandArguments: readonly unknown[], findings: FindingsModel): Choice {
  const [first, second] = commandArguments;
  const rowOf = (value: unknown): Row | undefined => (isRow(value) ? value : referredRow(value, findings));
  const rows = Array.isArray(second) ? second.map(rowOf) : [undefined];
  return {
    row: rowOf(first),
    rows: rows.every((row) => row !== undefined) ? rows : undefined,
    isInView: typeof first === 'string',
    isLost: typeof second === 'string' && (first === undefined || first === null),
    document: first instanceof vscode.Uri ? first : undefined,
  };
}

/** Command handlers by command id. A handler receives the parsed target, the first argument, and all arguments. */
export type Handlers = Readonly<
  Record<string, (choice: Choice, argument: unknown, all: readonly unknown[]) => unknown>
>;

export interface ChoiceParts {
  readonly findings: FindingsModel;
  readonly canonicals: Canonicals;
  readonly tree: GroupTree;
  readonly view: vscode.TreeView<Row>;
  readonly fileView: FileView;
  readonly steps: CopySteps;
}

export class Choices {
  readonly #parts: ChoiceParts;

  constructor(parts: ChoiceParts) {
    this.#parts = parts;
  }

  /**
   * Returns the rows for a command that can apply to several rows:
   * - the selected rows, if the command was invoked on one of several selected rows
   * - otherwise the checked rows, if it was invoked on one of them or on no row
   * - otherwise the row on which it was invoked, or the selected row
   *
   * A button in the view title passes the focused row, although clicking a check box does not focus that row. The
   * selection distinguishes such a button from a context menu.
   */
  chosenRows({ row, rows }: Pick<Choice, 'row' | 'rows'>): readonly Row[] {
    const checked = this.#parts.tree.checked() ?? [];
    if (rows !== undefined) return rows;
    const isIn = (list: readonly Row[]): boolean => row !== undefined && list.some((it) => idOf(it) === idOf(row));
    const isOfMenu = row !== undefined && !isIn(checked) && !isIn(this.#parts.view.selection);
    if (checked.length > 0 && !isOfMenu) return checked;
    if (row !== undefined) return [row];
    return this.#parts.view.selection.length > 0 ? this.#parts.view.selection : this.#parts.fileView.selection;
  }

  /** Returns the passages of all rows that a command applies to. */
  passagesOf(choice: Choice): readonly Passage[] {
    return this.chosenRows(choice).flatMap((row) => {
      if (row.type === 'group') return row.group.passages;
      if (isCopyRow(row)) return [row.passage];
      return this.#parts.tree.groupsIn(row).flatMap(({ passages }) => passages);
    });
  }

  /** Returns the groups that a command applies to. If it has no rows, returns the group of the copy at the cursor. */
  groupsOf(choice: Choice): readonly Group[] {
    return this.groupsOrHere(this.chosenRows(choice));
  }

  /**
   * Returns the rows for a command that can also apply to the cursor: the rows on which it was invoked, or the checked
   * rows. If there are none and a text editor is active, returns none, so that the command applies to the copy at the
   * cursor. Otherwise, returns the selected rows.
   */
  rowsBeforeCursor(choice: Choice): readonly Row[] {
    const { row, rows, isInView } = choice;
    const isOnRows = row !== undefined || rows !== undefined || isInView;
    if (isOnRows || vscode.window.activeTextEditor === undefined) return this.chosenRows(choice);
    return choice.document === undefined ? (this.#parts.tree.checked() ?? []) : [];
  }

  /** Returns the groups of rows. If there are no rows, returns the group of the copy at the cursor. */
  groupsOrHere(rows: readonly Row[]): readonly Group[] {
    const here = rows.length === 0 ? this.#parts.steps.here()?.group : undefined;
    return here ? [here] : this.#groupsOfRows(rows);
  }

  #groupsOfRows(rows: readonly Row[]): Group[] {
    return [
      ...new Set(
        rows.flatMap((row): readonly Group[] =>
          row.type === 'group' || isCopyRow(row) ? [row.group] : this.#parts.tree.groupsIn(row),
        ),
      ),
    ];
  }

  /** Returns the selected copies of a group if there are two, or else the pair for the row or the document. */
  pairOf({ row, rows, document }: Pick<Choice, 'row' | 'rows' | 'document'>): CopyPair | undefined {
    return (rows && pairAmong(rows)) ?? this.pairAt(row, document);
  }

  /**
   * Returns the pair of copies that a command applies to. Without a row, this is the pair that the document's editor
   * compares, or the copy at the cursor and its counterpart. If there is no such pair, returns the pair of the selected
   * row, for the command palette and the buttons of the walkthrough.
   */
  pairAt(row: Row | undefined, document: vscode.Uri | undefined): CopyPair | undefined {
    const pair = this.#pairOfRow(row) ?? comparedPair(this.#parts.findings, document);
    if (pair !== undefined) return pair;
    // If the editor compares passages that are not in the findings, its cursor does not refer to a copy.
    if (row === undefined && comparesPassages()) return undefined;
    const here = this.#parts.steps.here();
    return here
      ? [here.group, here.place, this.#parts.canonicals.counterpartOf(here)]
      : this.#pairOfRow(this.selectedRow());
  }

  /**
   * Returns the pair of copies for a row. For a group, this is the reference copy and the copy most similar to it. For
   * a copy, it is this copy and the reference copy.
   */
  #pairOfRow(row: Row | undefined): CopyPair | undefined {
    if (row?.type === 'occurrence') return [row.group, row.place, this.#parts.canonicals.counterpartOf(row)];
    if (row?.type === 'copy' && row.from !== undefined) return [row.group, row.from, row.place];
    if (row?.type === 'group') return this.pairOfGroup(row.group);
    if (row?.type === 'copy') {
      const { group, place } = row;
      const canonical = this.#parts.canonicals.of(group);
      return place === canonical ? this.pairOfGroup(group) : [group, canonical, place];
    }
    return undefined;
  }

  pairOfGroup(group: Group): CopyPair {
    const canonical = this.#parts.canonicals.of(group);
    return [group, canonical, this.#parts.canonicals.counterpartOf({ group, place: canonical })];
  }

  /** Returns the copy of a row. Without a row, returns the copy at the cursor. */
  copyOf(row: Row | undefined): Copy | undefined {
    if (isCopyRow(row)) return row;
    return row?.type === 'group' ? this.#firstOf(row.group) : this.#parts.steps.here();
  }

  /** Returns the topmost group in the *Duplicates* view. */
  firstGroup(): Group | undefined {
    for (const row of this.#parts.tree.rowsBelow()) {
      const [first] = this.#parts.tree.groupsIn(row);
      if (first) return first;
    }
    return undefined;
  }

  /** Returns the selected row of the *Duplicates* view; `undefined` if none or several are selected. */
  selectedRow(): Row | undefined {
    return this.#parts.view.selection.length === 1 ? this.#parts.view.selection[0] : undefined;
  }

  #firstOf(group: Group): Copy {
    const place = this.#parts.canonicals.of(group);
    return { group, place, passage: group.passages[place]! };
  }
}

/** Returns a pair if exactly two copies of one group are selected; otherwise `undefined`. */
export function pairAmong(rows: readonly Row[]): CopyPair | undefined {
  const [left, right, ...others] = rows.filter(isCopyRow);
  if (left === undefined || right === undefined || others.length > 0) return undefined;
  return left.group.id === right.group.id ? [left.group, left.place, right.place] : undefined;
}

export function noCopyHere(): string {
  return vscode.l10n.t('No copy at the cursor.');
}

export function selectSome(): string {
  return vscode.l10n.t('Select groups or copies in the Duplicates view first.');
}

export function selectTwo(): string {
  return vscode.l10n.t('Select two copies in the same group in the Duplicates view.');
}
