/**
 * Targets of commands: the rows and copies that a command was invoked on, or else those that are selected, checked, or
 * at the cursor. The arguments of VS Code are parsed only here.
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

/** Target of a command. */
export interface Chosen {
  /** The row that the command was invoked on. */
  readonly row: Row | undefined;
  /** All selected rows if it was invoked on one of several. */
  readonly rows: readonly Row[] | undefined;
  /** True if it was invoked by a key on the selected or checked rows of a view. */
  readonly isInView: boolean;
  /** True if it was invoked by a key on a row that VS Code does not know, because it is refreshing the view. */
  readonly isLost: boolean;
  /** The document of the editor whose title was used, or the file or folder in the Explorer. */
  readonly document: vscode.Uri | undefined;
}

/**
 * The arguments depend on the menu. Tree row: that row, and the selected ones if there are several. View title: the
 * focused row. Editor title: its document and location. Explorer: a file or folder. Command palette and keys: none,
 * or for a key on one row, the focused row and the view; on several, the view. Link or light bulb: references to copies.
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

/** Handlers of commands by id. They receive the target, the first argument, and all arguments. */
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
   * Returns the rows of a command for many: the selected rows including the one it was invoked on. Otherwise all
   * checked rows, if it was invoked on one of them or on none. Otherwise that row, or the selection. The view title
   * passes the focused row, which a click on a check box does not change; the selection distinguishes it from a context
   * menu.
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

  /** Returns the passages of the rows of a command for many. */
  passagesOf(chosen: Chosen): readonly Passage[] {
    return this.chosenRows(chosen).flatMap((row) => {
      if (row.type === 'group') return row.group.passages;
      if (isCopyRow(row)) return [row.passage];
      return this.#parts.tree.groupsIn(row).flatMap(({ passages }) => passages);
    });
  }

  /** Returns the groups of a command for many; without rows, the one at the cursor. */
  groupsOf(chosen: Chosen): readonly Group[] {
    return this.groupsOrHere(this.chosenRows(chosen));
  }

  /**
   * Returns the rows of a command that takes what the user works on: those that it was invoked on, or the checked rows.
   * Otherwise none if a text editor is active, so that the cursor decides; without one, the selected rows.
   */
  rowsBeforeCursor(chosen: Chosen): readonly Row[] {
    const { row, rows, isInView } = chosen;
    const isOnRows = row !== undefined || rows !== undefined || isInView;
    if (isOnRows || vscode.window.activeTextEditor === undefined) return this.chosenRows(chosen);
    return chosen.document === undefined ? (this.#parts.tree.checked() ?? []) : [];
  }

  /** Returns the groups of rows, or without rows, the one at the cursor. */
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

  /** Returns the two selected copies, or else the pair of the row or the place. */
  pairOf({ row, rows, document }: Pick<Chosen, 'row' | 'rows' | 'document'>): CopyPair | undefined {
    return (rows && pairAmong(rows)) ?? this.pairAt(row, document);
  }

  /**
   * Returns the pair of a command. Without a row: the pair compared in the document's editor, or the copy at the cursor
   * with its counterpart. If there is none, the pair of the selected row, for buttons of the walkthrough and the
   * command palette.
   */
  pairAt(row: Row | undefined, document: vscode.Uri | undefined): CopyPair | undefined {
    const pair = this.#pairOfRow(row) ?? comparedPair(this.#parts.findings, document);
    if (pair !== undefined) return pair;
    // If an editor compares other passages, the copy at the cursor in one of them is not meant.
    if (row === undefined && comparesPassages()) return undefined;
    const here = this.#parts.steps.here();
    return here
      ? [here.group, here.place, this.#parts.canonicals.counterpartOf(here)]
      : this.#pairOfRow(this.selectedRow());
  }

  /** For a group: the reference copy and the closest one. For a copy: the reference copy and this one. */
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

  /** Returns the copy of a row, or the one at the cursor. */
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

  /** Returns the row of the *Duplicates* view if exactly one is selected. */
  selectedRow(): Row | undefined {
    return this.#parts.view.selection.length === 1 ? this.#parts.view.selection[0] : undefined;
  }

  #firstOf(group: Group): Copy {
    const place = this.#parts.canonicals.of(group);
    return { group, place, passage: group.passages[place]! };
  }
}

/** Returns two copies of one group if exactly these are selected; otherwise `undefined`. */
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
