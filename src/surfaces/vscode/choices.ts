/**
 * Determines what a command applies to: the rows or copies that the command was invoked on; otherwise the selected or
 * checked rows, or the copy at the cursor. Only this module parses the arguments that VS Code passes to commands.
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

/** Parsed arguments of a command: its target. */
export interface Chosen {
  /** Row that the command was invoked on. */
  readonly row: Row | undefined;
  /** All selected rows, if the command was invoked on one of several. */
  readonly rows: readonly Row[] | undefined;
  /** True if the command was invoked by a key on the selected or checked rows of a view. */
  readonly isInView: boolean;
  /**
   * True if the command was invoked by a key on a row that VS Code does not know, because VS Code is refreshing the
   * view.
   */
  readonly isLost: boolean;
  /** Document of the editor whose title bar was used, or the file or folder in the Explorer. */
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
export function chosenBy(given: readonly unknown[], findings: FindingsModel): Chosen {
  const [first, second] = given;
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

/** Command handlers by id. A handler receives the parsed target, the first argument, and all arguments. */
export type Handlers = Readonly<Record<string, (chosen: Chosen, given: unknown, all: readonly unknown[]) => unknown>>;

/** Parts that determine the target of a command. */
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
   * Returns the rows of a command that takes many rows:
   * - the selected rows, if the command was invoked on one of several
   * - otherwise the checked rows, if it was invoked on one of them or on none
   * - otherwise the row that it was invoked on, or the selected row
   *
   * The view title passes the focused row, although a click on a check box does not focus that row. A context menu
   * differs from the view title by the selection.
   */
  chosenRows({ row, rows }: Pick<Chosen, 'row' | 'rows'>): readonly Row[] {
    const checked = this.#parts.tree.checked() ?? [];
    if (rows !== undefined) return rows;
    const isIn = (list: readonly Row[]): boolean => row !== undefined && list.some((it) => idOf(it) === idOf(row));
    const isOfMenu = row !== undefined && !isIn(checked) && !isIn(this.#parts.view.selection);
    if (checked.length > 0 && !isOfMenu) return checked;
    if (row !== undefined) return [row];
    return this.#parts.view.selection.length > 0 ? this.#parts.view.selection : this.#parts.fileView.selection;
  }

  /** Returns the passages of all rows of a command that takes many rows. */
  passagesOf(chosen: Chosen): readonly Passage[] {
    return this.chosenRows(chosen).flatMap((row) => {
      if (row.type === 'group') return row.group.passages;
      if (isCopyRow(row)) return [row.passage];
      return this.#parts.tree.groupsIn(row).flatMap(({ passages }) => passages);
    });
  }

  /** Returns the groups of a command that takes many groups; without rows, the group of the copy at the cursor. */
  groupsOf(chosen: Chosen): readonly Group[] {
    return this.groupsOrHere(this.chosenRows(chosen));
  }

  /**
   * Returns the rows of a command for the user's current work: the rows it was invoked on, or the checked rows.
   * Otherwise none if a text editor is active, because the copy at its cursor is meant; or else the selected rows.
   */
  rowsBeforeCursor(chosen: Chosen): readonly Row[] {
    const { row, rows, isInView } = chosen;
    const isOnRows = row !== undefined || rows !== undefined || isInView;
    if (isOnRows || vscode.window.activeTextEditor === undefined) return this.chosenRows(chosen);
    return chosen.document === undefined ? (this.#parts.tree.checked() ?? []) : [];
  }

  /** Returns the groups of rows; without rows, the group of the copy at the cursor. */
  groupsOrHere(rows: readonly Row[]): readonly Group[] {
    const here = rows.length === 0 ? this.#parts.steps.here()?.group : undefined;
    return here ? [here] : this.#groupsOfRows(rows);
  }

  /** Returns the distinct groups of rows. */
  #groupsOfRows(rows: readonly Row[]): Group[] {
    return [
      ...new Set(
        rows.flatMap((row): readonly Group[] =>
          row.type === 'group' || isCopyRow(row) ? [row.group] : this.#parts.tree.groupsIn(row),
        ),
      ),
    ];
  }

  /** Returns the two selected copies as a pair; otherwise the pair of the row or of the document. */
  pairOf({ row, rows, document }: Pick<Chosen, 'row' | 'rows' | 'document'>): CopyPair | undefined {
    return (rows && pairAmong(rows)) ?? this.pairAt(row, document);
  }

  /**
   * Returns the pair of a command. Without a row, that is the pair compared in the document's editor, or the copy at
   * the cursor with its counterpart. If neither exists, it is the pair of the selected row, for the command palette and
   * the buttons of the walkthrough.
   */
  pairAt(row: Row | undefined, document: vscode.Uri | undefined): CopyPair | undefined {
    const pair = this.#pairOfRow(row) ?? comparedPair(this.#parts.findings, document);
    if (pair !== undefined) return pair;
    // If the editor compares other passages, the cursor is in a compare and does not mean a copy of a group.
    if (row === undefined && comparesPassages()) return undefined;
    const here = this.#parts.steps.here();
    return here
      ? [here.group, here.place, this.#parts.canonicals.counterpartOf(here)]
      : this.#pairOfRow(this.selectedRow());
  }

  /**
   * Returns the pair of a row. For a group: its reference copy and the copy closest to it. For a copy: the reference
   * copy and this copy.
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

  /** Returns the copy of a row; without a row, the copy at the cursor. */
  copyOf(row: Row | undefined): Copy | undefined {
    if (isCopyRow(row)) return row;
    return row?.type === 'group' ? this.#firstOf(row.group) : this.#parts.steps.here();
  }

  /** Returns the group that is shown first in the *Duplicates* view. */
  firstGroup(): Group | undefined {
    for (const row of this.#parts.tree.getChildren()) {
      const [first] = this.#parts.tree.groupsIn(row);
      if (first) return first;
    }
    return undefined;
  }

  /** Returns the selected row of the *Duplicates* view, if there is exactly one. */
  selectedRow(): Row | undefined {
    return this.#parts.view.selection.length === 1 ? this.#parts.view.selection[0] : undefined;
  }

  #firstOf(group: Group): Copy {
    const place = this.#parts.canonicals.of(group);
    return { group, place, passage: group.passages[place]! };
  }
}

/** Returns the two copies if exactly two copies of one group are selected; otherwise `undefined`. */
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
