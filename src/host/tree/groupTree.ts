/**
 * The tree in the side panel: the sections of the outline, their rows, and below each group its copies. Rows are made from the
 * model when they are shown; what needs the text of a file (the label of a group, the preview in a tooltip) is read then.
 */
import * as vscode from 'vscode';
import type { CategoryTotals, FolderGroup, Group, Passage } from '../../engine/report/report.ts';
import { groupsIn, type SectionName } from '../../wording/outline.ts';
import { type FindingsModel, siblingsOf } from '../findings/findings.ts';
import type { SavedText } from '../findings/savedText.ts';
import type { Copy } from '../findings/snapshot.ts';
import { asMarkdown } from '../markdown.ts';
import type { Scanner } from '../scanning/scanner.ts';
import { troubleOf, troubleOfView } from '../scanning/trouble.ts';
import { percent, place } from '../wording.ts';
import type { TreeFilter } from './filter.ts';
import type { Order } from './order.ts';
import { appendPreview } from './preview.ts';
import {
  copyItem,
  filesItem,
  foldersItem,
  groupItem,
  innerItem,
  moreItem,
  remedyItem,
  sectionItem,
} from './rowItems.ts';
import { filesTooltip, foldersTooltip, groupTooltip, sectionTooltip, titled, tooltipPlaces } from './rowTooltips.ts';
import { idOf, type Row, rowOf } from './rows.ts';
import { ShownRows } from './shownRows.ts';
import { tellingLine } from './tellingLine.ts';

/**
 * Rows shown in a row at first, and more each time that is asked for. VS Code asks for all rows of a level at once, and three
 * sections are open.
 */
const pageSize = 100;

/** How the scanner is, and when that changes. */
export type ScanStates = Pick<Scanner, 'state' | 'onDidChangeState'>;

export class GroupTree implements vscode.TreeDataProvider<Row>, vscode.Disposable {
  readonly #findings: FindingsModel;
  readonly #text: SavedText;
  readonly #scanner: ScanStates;
  readonly #rows: ShownRows;
  readonly #filter: TreeFilter;
  /** What is wrong, as the rows have it: the state of a scan changes ten times a second. */
  #trouble: string | undefined;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #subscription: vscode.Disposable;
  /** How many rows are shown in a row, by its id; a page in all others. */
  readonly #shown = new Map<string, number>();

  constructor(findings: FindingsModel, text: SavedText, scanner: ScanStates, filter: TreeFilter) {
    this.#findings = findings;
    this.#text = text;
    this.#scanner = scanner;
    this.#rows = new ShownRows(findings);
    this.#filter = filter;
    this.#subscription = vscode.Disposable.from(
      scanner.onDidChangeState(() => this.#followTrouble()),
      findings.onDidChange(() => this.#changed.fire()),
      findings.onDidMove(() => this.#changed.fire()),
      filter.onDidChange(() => this.#followFilter()),
    );
  }

  getChildren(row?: Row): Row[] {
    if (row === undefined) {
      const trouble = troubleOfView(this.#scanner.state, this.#findings.snapshot);
      return [
        ...(trouble?.remedies ?? []).map((command): Row => ({ type: 'remedy', command })),
        ...this.#rows.sections().map(({ name }): Row => ({ type: 'section', name })),
      ];
    }
    const all = this.#rowsIn(row);
    const shown = this.#shownIn(row);
    const rows = all.slice(0, shown);
    if (all.length > shown) rows.push({ type: 'more', hidden: all.length - shown, inRow: idOf(row) });
    if (row.type === 'group' && this.#rows.rowsIn(row).length > 0) rows.push({ type: 'inner', group: row.group });
    return rows;
  }

  getParent(row: Row): Row | undefined {
    return this.#rows.parentOf(row);
  }

  async getTreeItem(row: Row): Promise<vscode.TreeItem> {
    switch (row.type) {
      case 'remedy':
        return remedyItem(row);
      case 'section':
        return sectionItem(row, this.#countIn(row.name), this.#totalsOf(row.name));
      case 'folders':
        return foldersItem(row);
      case 'files':
        return filesItem(row, this.#rows.rowsIn(row).length, this.#foldersAround(row));
      case 'group':
        return groupItem(row, await this.#tellingLineOf(row.group), this.getParent(row));
      case 'inner':
        return innerItem(row, this.#rows.rowsIn(row).length);
      case 'copy':
        return copyItem(row, this.#findings.now(row.passage), this.#findings.uriOf(row.passage));
      case 'more':
        return moreItem(row, pageSize);
    }
  }

  async resolveTreeItem(item: vscode.TreeItem, row: Row): Promise<vscode.TreeItem> {
    const tooltip = await this.#tooltipOf(row);
    if (tooltip) item.tooltip = tooltip;
    return item;
  }

  get order(): Order {
    return this.#rows.order;
  }

  /** Shows the rows in another order, from the first page on. */
  sortBy(order: Order): void {
    this.#rows.sortBy(order);
    this.#shown.clear();
    this.#changed.fire();
  }

  /** How many duplicates are shown, and how many would be without a filter. */
  counts(): { readonly shown: number; readonly all: number } {
    return this.#rows.counts();
  }

  /** The groups that are shown in a row, at any depth. */
  groupsIn(row: Row): Group[] {
    return this.#rows.rowsIn(row).flatMap((inner) => [...groupsIn(inner)]);
  }

  /** Shows the next page of the rows in a row, which is told by its id. */
  showMore(inRow: string): void {
    this.#shown.set(inRow, (this.#shown.get(inRow) ?? pageSize) + pageSize);
    this.#changed.fire();
  }

  /** Makes sure that a row is on a page that is shown, and those that it is in, so that it can be revealed. */
  ensureShown(row: Row): void {
    let hasChanged = false;
    for (let [inner, outer] = [row, this.getParent(row)]; outer; [inner, outer] = [outer, this.getParent(outer)]) {
      const id = idOf(inner);
      const place = this.#rowsIn(outer).findIndex((it) => idOf(it) === id);
      if (place < this.#shownIn(outer)) continue;
      this.#shown.set(idOf(outer), Math.ceil((place + 1) / pageSize) * pageSize);
      hasChanged = true;
    }
    if (hasChanged) this.#changed.fire();
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changed.dispose();
  }

  #followTrouble(): void {
    const trouble = JSON.stringify(troubleOf(this.#scanner.state));
    if (trouble === this.#trouble) return;
    this.#trouble = trouble;
    this.#changed.fire();
  }

  #followFilter(): void {
    const filter = this.#filter;
    this.#rows.filterBy(filter.active && ((group) => filter.lets(group)));
    this.#changed.fire();
  }

  /** All rows in a row: of a group its copies. */
  #rowsIn(row: Row): Row[] {
    return row.type === 'group' ? copiesOf(row.group) : this.#rows.rowsIn(row).map(rowOf);
  }

  #shownIn(row: Row): number {
    return this.#shown.get(idOf(row)) ?? pageSize;
  }

  #countIn(name: SectionName): number {
    return name === 'folders' ? this.#rows.rowsIn({ type: 'section', name }).length : this.#rows.countIn(name);
  }

  #totalsOf(name: SectionName): CategoryTotals | undefined {
    return name === 'folders' ? undefined : this.#findings.snapshot?.findings.totals.categories[name];
  }

  #foldersAround(row: Row): FolderGroup | undefined {
    const parent = this.getParent(row);
    return parent?.type === 'folders' ? parent.folders : undefined;
  }

  async #tellingLineOf({ kind, passages }: Group): Promise<string | undefined> {
    if (kind === 'file') return undefined;
    const [first] = passages as [Passage];
    return tellingLine(await this.#text.beginningOf(first), kind, first.path);
  }

  async #tooltipOf(row: Row): Promise<vscode.MarkdownString | undefined> {
    switch (row.type) {
      case 'section':
        return sectionTooltip(row.name, this.#totalsOf(row.name));
      case 'folders':
        return foldersTooltip(row.folders);
      case 'files':
        return filesTooltip(row.files);
      case 'group': {
        const tooltip = groupTooltip(row.group, (passage) => this.#findings.now(passage));
        return this.#withPreview(tooltip, row.group.passages[0]!);
      }
      case 'copy':
        return this.#withPreview(this.#copyTooltip(row), row.passage);
      case 'remedy':
      case 'inner':
      case 'more':
        return undefined;
    }
  }

  #copyTooltip(copy: Copy): vscode.MarkdownString {
    const tooltip = titled(place(this.#findings.now(copy.passage)));
    for (const { passage: other, similarity } of siblingsOf(copy).slice(0, tooltipPlaces)) {
      const text = vscode.l10n.t('{0} similar to {1}', percent(similarity), place(this.#findings.now(other)));
      tooltip.appendMarkdown(`- ${asMarkdown(text)}\n`);
    }
    return tooltip;
  }

  async #withPreview(tooltip: vscode.MarkdownString, passage: Passage): Promise<vscode.MarkdownString> {
    return appendPreview(tooltip, passage, await this.#text.beginningOf(passage));
  }
}

function copiesOf(group: Group): Row[] {
  return group.passages.map((passage, place) => ({ type: 'copy', group, place, passage }));
}
