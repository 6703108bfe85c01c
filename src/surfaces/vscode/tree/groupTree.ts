/**
 * The tree in the side bar: sections of the outline, the rows in them, and the copies below each group. Rows are
 * created on demand. Texts for labels and tooltips are read when VS Code displays a row.
 */
import * as vscode from 'vscode';
import type { CategoryTotals, Group, Passage } from '../../../core/engine/report/report.ts';
import { distinctLabel } from '../../../presentation/wording/distinctLabel.ts';
import type { SectionName } from '../../../presentation/wording/outline.ts';
import { openCommand } from '../findings/showPassage.ts';
import type { Canonicals } from '../findings/canonicals.ts';
import type { FindingsModel } from '../findings/findings.ts';
import { siblingsOf } from '../../../presentation/wording/siblings.ts';
import { readAllCommand, readLimitOf } from '../findings/readLimit.ts';
import type { SavedText } from '../findings/savedText.ts';
import type { Copy } from '../../../session/client/report.ts';
import { asMarkdown } from '../markdown.ts';
import type { Scanner } from '../scanning/scanner.ts';
import { troubleOf, troubleOfView } from '../scanning/trouble.ts';
import { place } from '../wording.ts';
import { isCell, isNotebookPath } from '../workspace/notebooks.ts';
import type { TreeFilter } from './filter.ts';
import { GroupIds } from './groupIds.ts';
import { isOrder, type Order } from './order.ts';
import type { PassageNames } from './passageNames.ts';
import {
  appendPreview,
  filesTooltip,
  foldersTooltip,
  groupTooltip,
  peersTooltip,
  sectionTooltip,
  titled,
  tooltipPlaces,
} from './rowTooltips.ts';
import {
  copyItem,
  fileItem,
  filesItem,
  folderItem,
  foldersItem,
  groupItem,
  innerItem,
  languageItem,
  memberItem,
  membersItem,
  marked,
  moreItem,
  occurrenceItem,
  peersItem,
  remedyItem,
  sectionItem,
} from './rowItems.ts';
import { filesLabels, foldersLabels, groupLabels, peersLabels } from './rowLabels.ts';
import { RowRequests } from './rowRequests.ts';
import { idOf, isCopyRow, type LabelledRow, type Row, topId } from './rows.ts';
import { percent } from '../../../presentation/wording/likeness.ts';
import { type Grouping, isGrouping, ShownRows } from './shownRows.ts';
import '../translations.ts';
import { Subscriber } from '../subscriber.ts';

/**
 * Number of rows initially shown below a row, and number of rows that *Show More* adds. It is limited because VS Code
 * requests all rows of a level at once, and three sections are expanded.
 */
const pageSize = 100;

/** Number of rows above and below a row that may be visible at the same time. */
const visibleRows = 20;

export type ScanStates = Pick<Scanner, 'state' | 'onDidChangeState'>;

export interface TreeSources {
  readonly findings: FindingsModel;
  readonly text: SavedText;
  readonly names: PassageNames;
  readonly scanner: ScanStates;
  readonly filter: TreeFilter;
  readonly canonicals: Canonicals;
}

/** Grouping and sort order that the user has chosen. */
export interface Arrangement {
  readonly grouping: Grouping;
  readonly order: Order;
}

export class GroupTree extends Subscriber implements vscode.TreeDataProvider<Row> {
  readonly #findings: FindingsModel;
  readonly #text: SavedText;
  readonly #scanner: ScanStates;
  readonly #rows: ShownRows;
  readonly #ids = new GroupIds();
  readonly #names: PassageNames;
  readonly #filter: TreeFilter;
  readonly #canonicals: Canonicals;
  /** Checked rows by id; `undefined` if check boxes are hidden. */
  #checked: Map<string, Row> | undefined;
  /** Problem that the tree displays, to detect changes: a scan changes the state ten times a second. */
  #trouble: string | undefined;
  readonly #requests = new RowRequests(() => this.#refresh());
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #arranged = new vscode.EventEmitter<Arrangement>();
  /** Fires when the user changes the grouping or the order. */
  readonly onDidArrange = this.#arranged.event;
  /** For rows that show more than one page, the number of rows shown below them, by row id. */
  readonly #shown = new Map<string, number>();

  constructor({ findings, text, names, scanner, filter, canonicals }: TreeSources) {
    super();
    this.#findings = findings;
    this.#text = text;
    this.#names = names;
    this.#scanner = scanner;
    this.#rows = new ShownRows(findings);
    this.#filter = filter;
    this.#canonicals = canonicals;
    this.own(
      scanner.onDidChangeState(() => this.#followTrouble()),
      findings.onDidChangeRows(() => this.#refresh()),
      findings.onDidMove(() => this.#refresh()),
      filter.onDidChange(() => this.#followFilter()),
      canonicals.onDidChange(() => this.#refresh()),
      this.#changed,
      this.#arranged,
    );
  }

  getChildren(row?: Row): Row[] {
    const rows = this.rowsBelow(row);
    this.#requests.begin(row === undefined ? topId : idOf(row), rows);
    return rows;
  }

  /** Returns the rows directly below a row, or at the top level, as far as they are on pages that are shown. */
  rowsBelow(row?: Row): Row[] {
    const trouble = row === undefined ? troubleOfView(this.#scanner.state, this.#findings.snapshot) : undefined;
    const all = this.#rowsIn(row);
    const shown = this.#shownIn(row);
    const limit = row === undefined ? readLimitOf(this.#findings.snapshot) : undefined;
    const remedies = trouble?.remedies ?? (limit ? [readAllCommand()] : []);
    const rows: Row[] = remedies.map((command) => ({ type: 'remedy', command }));
    if (row?.type === 'peers') rows.push({ type: 'members', peers: row.peers });
    rows.push(...all.slice(0, shown));
    if (all.length > shown) {
      rows.push({ type: 'more', hidden: all.length - shown, inRow: row === undefined ? topId : idOf(row) });
    }
    if (row?.type === 'group' && this.#rows.innerCountOf(row.group) > 0) {
      rows.push({ type: 'inner', group: row.group });
    }
    return rows;
  }

  getParent(row: Row): Row | undefined {
    return this.#rows.parentOf(row);
  }

  async getTreeItem(row: Row): Promise<vscode.TreeItem> {
    try {
      return await this.itemOf(row);
    } finally {
      this.#requests.end(row);
    }
  }

  /** Creates the item of a row, for any view that shows it. */
  async itemOf(row: Row): Promise<vscode.TreeItem> {
    const item = await this.#itemOf(row);
    if ('group' in row) item.id = idOf({ ...row, group: { ...row.group, id: this.#idOf(row.group) } });
    if (this.#checked && canBeChecked(row)) {
      const { Checked, Unchecked } = vscode.TreeItemCheckboxState;
      item.checkboxState = this.#checked.has(idOf(row)) ? Checked : Unchecked;
    }
    return item;
  }

  async resolveTreeItem(item: vscode.TreeItem, row: Row): Promise<vscode.TreeItem> {
    const tooltip = await this.#tooltipOf(row);
    if (tooltip) item.tooltip = tooltip;
    return item;
  }

  get order(): Order {
    return this.#rows.order;
  }

  get grouping(): Grouping {
    return this.#rows.grouping;
  }

  /** Changes the grouping and the order, if given, and shows only the first page of each row again. */
  arrange(changes: Partial<Arrangement> | undefined): void {
    const { grouping = this.grouping, order = this.order } = changes ?? {};
    if (grouping !== this.grouping && isGrouping(grouping)) this.#rows.groupBy(grouping);
    if (order !== this.order && isOrder(order)) this.#rows.sortBy(order);
    this.#shown.clear();
    this.#refresh();
    this.#arranged.fire({ grouping: this.grouping, order: this.order });
  }

  /**
   * Returns the checked rows that the current report still contains, in the order in which the user checked them.
   * Returns `undefined` if check boxes are hidden.
   */
  checked(): readonly Row[] | undefined {
    return (
      this.#checked && Array.from(this.#checked.values(), (row) => this.#now(row)).filter((row) => row !== undefined)
    );
  }

  /** Shows check boxes, all of them unchecked; or hides them. */
  useCheckboxes(shown: boolean): void {
    this.#checked = shown ? new Map() : undefined;
    this.#refresh();
  }

  check(changes: readonly (readonly [row: Row, state: vscode.TreeItemCheckboxState])[]): void {
    for (const [row, state] of changes) {
      if (state === vscode.TreeItemCheckboxState.Checked) this.#checked?.set(idOf(row), row);
      else this.#checked?.delete(idOf(row));
    }
  }

  /** Returns the number of duplicates with the filter and without it. */
  counts(): { readonly shown: number; readonly all: number } {
    return this.#rows.counts();
  }

  /** Returns all groups inside a row, at any depth, that match the filter. */
  groupsIn(row: Row): Group[] {
    return this.#rows.groupsIn(row);
  }

  /** Returns the row of a copy; `undefined` if the filter hides it. */
  rowOfCopy(copy: Copy): Row | undefined {
    return this.#rows.rowOfCopy(copy);
  }

  /** Returns the current report's row with the same id; `undefined` if it is not in the tree. */
  shown(row: Row): Row | undefined {
    const parent = this.getParent(row);
    const outer = parent && this.shown(parent);
    if (parent !== undefined && outer === undefined) return undefined;
    const rows = this.#rowsIn(outer);
    return rows[this.#placeIn(outer, row)];
  }

  /**
   * Returns the rows to focus when a row disappears, in order of preference: rows after it in its list, then rows
   * before it, then the same for each parent.
   */
  rowsBeside(row: Row): Row[] {
    const outer = this.getParent(row);
    const rows = this.#rowsIn(outer);
    const place = this.#placeIn(outer, row);
    const own = [...rows.slice(place + 1), ...rows.slice(0, Math.max(place, 0)).reverse()];
    return outer === undefined ? own : [...own, ...this.rowsBeside(outer)];
  }

  /** Returns true if a row and all its parents are on pages that are shown. */
  isOnPage(row: Row): boolean {
    for (let inner: Row | undefined = row; inner; inner = this.getParent(inner)) {
      const outer = this.getParent(inner);
      if (this.#placeIn(outer, inner) >= this.#shownIn(outer)) return false;
    }
    return true;
  }

  /** Shows another page below a row, given its id. */
  showMore(inRow: string): void {
    this.#shown.set(inRow, (this.#shown.get(inRow) ?? pageSize) + pageSize);
    this.#refresh();
  }

  /** Shows the pages that contain a row and its parents, so that the row can be revealed. */
  ensureShown(row: Row): void {
    let hasChanged = false;
    for (let inner: Row | undefined = row; inner; inner = this.getParent(inner)) {
      const outer = this.getParent(inner);
      const place = this.#placeIn(outer, inner);
      if (place < this.#shownIn(outer)) continue;
      this.#shown.set(outer === undefined ? topId : idOf(outer), Math.ceil((place + 1) / pageSize) * pageSize);
      hasChanged = true;
    }
    if (hasChanged) this.#refresh();
  }

  #refresh(): void {
    this.#requests.clear();
    this.#changed.fire();
  }

  #idOf(group: Group): string {
    this.#ids.follow(this.#findings.snapshot?.all ?? []);
    return this.#ids.of(group);
  }

  #followTrouble(): void {
    const trouble = JSON.stringify(troubleOf(this.#scanner.state));
    if (trouble === this.#trouble) return;
    this.#trouble = trouble;
    this.#refresh();
  }

  #followFilter(): void {
    const filter = this.#filter;
    this.#rows.filterBy(this.#isFiltered ? (group) => filter.accepts(group) : undefined);
    this.#refresh();
  }

  /** Returns the current version of a row with a check box; `undefined` if its group no longer exists. */
  #now(row: Row): Row | undefined {
    if (!canBeChecked(row)) return undefined;
    const group = this.#findings.groupOf(row.group.id);
    if (group === undefined || row.type === 'group') return group && { type: 'group', group };
    const passage = group.passages[row.place];
    return passage && { ...row, group, passage };
  }

  async #itemOf(row: Row): Promise<vscode.TreeItem> {
    switch (row.type) {
      case 'remedy':
        return remedyItem(row);
      case 'section':
        // Totals ignore the filter, so they would be misleading beside a filtered count.
        return sectionItem(row, this.#rows.countIn(row), this.#isFiltered ? undefined : this.#totalsOf(row.name));
      case 'language':
        return languageItem(row, this.#rows.countIn(row));
      case 'folder':
        return folderItem(row, this.#folderAround(row), this.#rows.countIn(row), this.#uriOf(row.path));
      case 'file':
        return fileItem(row, this.grouping === 'folder', this.#rows.countIn(row), this.#uriOf(row.path));
      case 'folders':
        return foldersItem(row, await this.#labelOf(row));
      case 'peers':
        return peersItem(row, await this.#labelOf(row));
      case 'members':
        return membersItem(row);
      case 'member':
        return memberItem(row, this.#uriOf(row.path));
      case 'files':
        return filesItem(row, await this.#labelOf(row), this.#rows.countIn(row), this.getParent(row));
      case 'group':
        return groupItem(row, await this.#labelOf(row), this.getParent(row));
      case 'inner':
        return innerItem(row, this.#rows.countIn(row));
      case 'occurrence':
        return this.#occurrenceItem(row);
      case 'copy':
        return this.#copyItem(row);
      case 'more':
        return moreItem(row, pageSize);
    }
  }

  /** Returns a label whose beginning differs from those of the rows that are visible at the same time. */
  async #labelOf(row: LabelledRow): Promise<string> {
    const parent = this.getParent(row);
    const others = this.#rows.around(row, visibleRows);
    const [own, ...neighbors] = await Promise.all([row, ...others].map((it) => this.#labelsOf(it, parent)));
    return distinctLabel(own!, neighbors);
  }

  async #labelsOf(row: LabelledRow, parent: Row | undefined): Promise<readonly string[]> {
    if (row.type === 'folders') return foldersLabels(row.folders);
    if (row.type === 'peers') return peersLabels(row.peers, this.#rows.countIn(row));
    if (row.type === 'files') return filesLabels(row.files, this.#rows.countIn(row), parent);
    return groupLabels(row.group, await this.#names.of(row.group, row.group.passages[0]!), parent);
  }

  async #occurrenceItem(row: Extract<Row, { type: 'occurrence' }>): Promise<vscode.TreeItem> {
    const item = occurrenceItem(row, this.#findings.now(row.passage), await this.#names.of(row.group, row.passage));
    item.command = this.#openCommand(row);
    return marked(item, { isNew: false, isCanonical: this.#isCanonical(row), isBase: false });
  }

  #copyItem(row: Extract<Row, { type: 'copy' }>): vscode.TreeItem {
    const item = copyItem(row, this.#findings.now(row.passage), this.#findings.uriOf(row.passage));
    item.command = this.#openCommand(row);
    return marked(item, {
      isNew: this.#filter.isNewCopy(row),
      isCanonical: this.#isCanonical(row),
      isBase: row.from === undefined && this.#canonicals.of(row.group) === row.place,
    });
  }

  /**
   * Returns the command that opens a copy. Cells of a closed notebook need a command of their own, because they have no
   * URI that VS Code can open.
   */
  #openCommand(row: Extract<Row, { type: 'occurrence' | 'copy' }>): vscode.Command {
    const location = this.#findings.locationOf(row.passage);
    return isNotebookPath(row.passage.path) && !isCell(location.uri)
      ? { command: 'kindred.previewCopy', title: vscode.l10n.t('Open'), arguments: [row] }
      : openCommand(location);
  }

  #isCanonical({ group, place }: Copy): boolean {
    return this.#canonicals.chosenIn(group) === place;
  }

  #rowsIn(row: Row | undefined): readonly Row[] {
    return row === undefined ? this.#rows.top() : this.#rows.rowsIn(row);
  }

  /** Returns the index of a row among those of its parent; -1 if paging does not affect the row. */
  #placeIn(outer: Row | undefined, inner: Row): number {
    const id = idOf(inner);
    return this.#rowsIn(outer).findIndex((it) => idOf(it) === id);
  }

  #shownIn(row: Row | undefined): number {
    return this.#shown.get(row === undefined ? topId : idOf(row)) ?? pageSize;
  }

  #uriOf(path: string): vscode.Uri {
    return this.#findings.snapshot!.folders.uriOf(path);
  }

  /** Returns the path of the parent row if it is a folder; otherwise ''. */
  #folderAround(row: Row): string {
    const parent = this.getParent(row);
    return parent?.type === 'folder' ? parent.path : '';
  }

  get #isFiltered(): boolean {
    return this.#filter.active.length > 0;
  }

  /** Returns `undefined` while only first rows are displayed, because their totals are too low. */
  #totalsOf(name: SectionName): CategoryTotals | undefined {
    return name === 'folders' ? undefined : this.#findings.settled?.findings.totals.categories[name];
  }

  async #tooltipOf(row: Row): Promise<vscode.MarkdownString | undefined> {
    switch (row.type) {
      case 'section':
        return sectionTooltip(row.name, this.#totalsOf(row.name));
      case 'folders':
        return foldersTooltip(row.folders);
      case 'peers':
        return peersTooltip(row.peers);
      case 'files':
        return filesTooltip(row.files);
      case 'group': {
        const tooltip = groupTooltip(row.group, (passage) => this.#findings.now(passage));
        return this.#withPreview(tooltip, row.group.passages[0]!);
      }
      case 'occurrence':
      case 'copy':
        return this.#withPreview(this.#copyTooltip(row), row.passage);
      case 'remedy':
      case 'language':
      case 'members':
      case 'member':
      case 'folder':
      case 'file':
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

/** Returns true if there are commands that apply to several rows of this type. */
function canBeChecked(row: Row): row is Extract<Row, { type: 'group' | 'occurrence' | 'copy' }> {
  return row.type === 'group' || isCopyRow(row);
}
