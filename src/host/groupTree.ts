/**
 * The tree in the side panel: groups, and below each its passages; above them a row for the groups of whole files. Rows
 * are made from the model when they are shown; what needs the text of a file (the label of a group, the preview in a
 * tooltip) is read then.
 */
import * as vscode from 'vscode';
import type { Group, Passage } from '../engine/report/report.ts';
import { insideOf } from '../wording/likeness.ts';
import { type FindingsModel, siblingsOf } from './findings.ts';
import { asMarkdown } from './markdown.ts';
import { appendPreview } from './preview.ts';
import type { SavedText } from './savedText.ts';
import type { Scanner } from './scanner.ts';
import type { Copy } from './snapshot.ts';
import { tellingLine } from './tellingLine.ts';
import { troubleOf, troubleOfView } from './trouble.ts';
import {
  groupCount,
  groupTitle,
  lineCount,
  lineRange,
  namesAmong,
  oneLine,
  percent,
  percentRange,
  place,
} from './wording.ts';

/** A row. Rows are values: two of the same content are the same row. */
export type Row =
  /** What to do about a scan that could not be done. */
  | { readonly type: 'remedy'; readonly command: vscode.Command }
  | { readonly type: 'files' }
  | { readonly type: 'group'; readonly group: Group }
  | ({ readonly type: 'copy' } & Copy)
  | { readonly type: 'more'; readonly hidden: number; readonly level: Level };

const rowTypes: Readonly<Record<Row['type'], true>> = {
  ...{ remedy: true, files: true, group: true, copy: true, more: true },
};

/** Whether something that VS Code hands out is one of our rows: what it gives of the tree is what it was given. */
export function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && 'type' in value && Object.hasOwn(rowTypes, String(value.type));
}

/** Which groups a level of the tree has: those of passages, at the top, or those of whole files, below their row. */
export type Level = 'passages' | 'files';

/** What comes first: most repeated lines, which is the order of the report; the most alike; most copies; the first path. */
export type Order = 'size' | 'similarity' | 'copies' | 'path';

/** Groups that are equal in it stay in the order of the report. */
const comparisons: Readonly<Record<Order, ((left: Group, right: Group) => number) | undefined>> = {
  size: undefined,
  similarity: (left, right) => right.similarity - left.similarity,
  copies: (left, right) => right.passages.length - left.passages.length,
  path: ({ passages: [left] }, { passages: [right] }) =>
    left!.path < right!.path ? -1 : left!.path > right!.path ? 1 : left!.startLine - right!.startLine,
};

/** Groups shown at first, and more each time that is asked for. VS Code asks for all rows of a level at once. */
const pageSize = 200;

/** Paths in the label of a group: VS Code's find sees labels alone, and is asked for files. */
const labelPaths = 4;

/** How the scanner is, and when that changes. */
export type ScanStates = Pick<Scanner, 'state' | 'onDidChangeState'>;

export class GroupTree implements vscode.TreeDataProvider<Row>, vscode.Disposable {
  readonly #findings: FindingsModel;
  readonly #text: SavedText;
  readonly #scanner: ScanStates;
  /** What is wrong, as the rows have it: the state of a scan changes ten times a second. */
  #trouble: string | undefined;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #subscription: vscode.Disposable;
  readonly #shown: Record<Level, number> = { passages: pageSize, files: pageSize };
  #order: Order = 'size';
  /** Groups in that order, by their list in the report. */
  #sorted = new WeakMap<readonly Group[], readonly Group[]>();

  constructor(findings: FindingsModel, text: SavedText, scanner: ScanStates) {
    this.#findings = findings;
    this.#text = text;
    this.#scanner = scanner;
    this.#subscription = vscode.Disposable.from(
      scanner.onDidChangeState(() => this.#followTrouble()),
      findings.onDidChange(() => this.#changed.fire()),
      findings.onDidMove(() => this.#changed.fire()),
    );
  }

  getChildren(row?: Row): Row[] {
    if (row === undefined) {
      const files: Row[] = this.#findings.fileGroups.length > 0 ? [{ type: 'files' }] : [];
      const remedies = (troubleOfView(this.#scanner.state, this.#findings.snapshot)?.remedies ?? []).map(
        (command): Row => ({
          type: 'remedy',
          command,
        }),
      );
      return [...remedies, ...files, ...this.#rowsOf('passages')];
    }
    if (row.type === 'files') return this.#rowsOf('files');
    return row.type === 'group' ? copiesOf(row.group) : [];
  }

  getParent(row: Row): Row | undefined {
    if (row.type === 'copy') return { type: 'group', group: row.group };
    return row.type === 'group' && row.group.kind === 'file' ? { type: 'files' } : undefined;
  }

  async getTreeItem(row: Row): Promise<vscode.TreeItem> {
    switch (row.type) {
      case 'remedy':
        return remedyItem(row.command);
      case 'files':
        return filesItem(this.#findings.fileGroups);
      case 'group':
        return groupItem(row.group, await this.#label(row.group));
      case 'copy':
        return copyItem(row, this.#findings.now(row.passage), this.#findings.uriOf(row.passage));
      case 'more':
        return moreItem(row.hidden, row.level);
    }
  }

  async resolveTreeItem(item: vscode.TreeItem, row: Row): Promise<vscode.TreeItem> {
    if (row.type === 'group') item.tooltip = await this.#groupTooltip(row.group);
    if (row.type === 'copy') item.tooltip = await this.#copyTooltip(row);
    return item;
  }

  get order(): Order {
    return this.#order;
  }

  /** Shows the groups in another order, from the first page on. */
  sortBy(order: Order): void {
    this.#order = order;
    this.#sorted = new WeakMap();
    this.#shown.passages = this.#shown.files = pageSize;
    this.#changed.fire();
  }

  /** Shows the next page of groups. */
  showMore(level: Level): void {
    this.#shown[level] += pageSize;
    this.#changed.fire();
  }

  /** Makes sure that a group is on a page that is shown, so that it can be revealed. */
  ensureShown(group: Group): void {
    const level = group.kind === 'file' ? 'files' : 'passages';
    const place = this.#groups(level).findIndex(({ id }) => id === group.id);
    if (place < this.#shown[level]) return;
    this.#shown[level] = Math.ceil((place + 1) / pageSize) * pageSize;
    this.#changed.fire();
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

  #groups(level: Level): readonly Group[] {
    const groups = level === 'files' ? this.#findings.fileGroups : this.#findings.groups;
    const compare = comparisons[this.#order];
    if (compare === undefined) return groups;
    const sorted = this.#sorted.get(groups) ?? [...groups].sort(compare);
    this.#sorted.set(groups, sorted);
    return sorted;
  }

  #rowsOf(level: Level): Row[] {
    const groups = this.#groups(level);
    const shown = this.#shown[level];
    const rows: Row[] = groups.slice(0, shown).map((group) => ({ type: 'group', group }));
    if (groups.length > shown) rows.push({ type: 'more', hidden: groups.length - shown, level });
    return rows;
  }

  async #label(group: Group): Promise<string> {
    const [first] = group.passages as [Passage];
    const line = group.kind === 'file' ? undefined : await this.#text.beginningOf(first);
    return groupLabel(group, line && tellingLine(line, group.kind, first.path));
  }

  async #groupTooltip(group: Group): Promise<vscode.MarkdownString> {
    const size = vscode.l10n.t('{0}, {1}', groupTitle(group), lineCount(group.lines));
    const tooltip = new vscode.MarkdownString(`**${asMarkdown(size)}**\n\n`);
    const shown = group.passages.slice(0, tooltipPlaces);
    for (const passage of shown) tooltip.appendMarkdown(`- ${asMarkdown(place(this.#findings.now(passage)))}\n`);
    const hidden = group.passages.length - shown.length;
    if (hidden > 0) tooltip.appendMarkdown(`- ${asMarkdown(vscode.l10n.t('and {0} more', hidden.toLocaleString()))}\n`);
    return appendPreview(tooltip, group.passages[0]!, await this.#text.beginningOf(group.passages[0]!));
  }

  async #copyTooltip(copy: Copy): Promise<vscode.MarkdownString> {
    const { passage } = copy;
    const tooltip = new vscode.MarkdownString(`**${asMarkdown(place(this.#findings.now(passage)))}**\n\n`);
    for (const { passage: other, similarity } of siblingsOf(copy).slice(0, tooltipPlaces)) {
      const text = vscode.l10n.t('{0} similar to {1}', percent(similarity), place(this.#findings.now(other)));
      tooltip.appendMarkdown(`- ${asMarkdown(text)}\n`);
    }
    return appendPreview(tooltip, passage, await this.#text.beginningOf(passage));
  }
}

/** Places in a tooltip, which lies over the rows below: opening the group shows them all. */
const tooltipPlaces = 3;

function copiesOf(group: Group): Row[] {
  return group.passages.map((passage, place) => ({ type: 'copy', group, place, passage }));
}

function remedyItem(command: vscode.Command): vscode.TreeItem {
  const item = new vscode.TreeItem(command.title);
  item.id = `remedy/${command.title}`;
  item.contextValue = 'remedy';
  item.iconPath = new vscode.ThemeIcon('lightbulb');
  item.command = command;
  return item;
}

/** The row of the groups of whole files. */
function filesItem(groups: readonly Group[]): vscode.TreeItem {
  const item = new vscode.TreeItem(vscode.l10n.t('Near-duplicate files'), vscode.TreeItemCollapsibleState.Collapsed);
  item.id = 'files';
  item.contextValue = 'files';
  item.iconPath = new vscode.ThemeIcon('files');
  item.description = groupCount(groups.length);
  item.tooltip = vscode.l10n.t('Files that are nearly identical, or that are contained in another file');
  return item;
}

function groupItem(group: Group, label: string): vscode.TreeItem {
  const item = new vscode.TreeItem(label, vscode.TreeItemCollapsibleState.Collapsed);
  item.id = group.id;
  item.contextValue = group.passages.length > 2 ? 'group.many' : 'group';
  item.iconPath = new vscode.ThemeIcon(iconOf(group));
  const lines = lineCount(group.lines);
  item.accessibilityInformation = {
    label: vscode.l10n.t('{0}, {1}, first in {2}: {3}', groupTitle(group), lines, group.passages[0]!.path, label),
  };
  return item;
}

/**
 * "3 × 17 · function parseDay(text: string) · 94 % · src/a.ts, src/b.ts": of copies how many and how long, then what a person
 * knows them by; of files their names first. VS Code cuts what the panel has no room for, and finds all of it.
 *
 * @param line  the telling line of a group of passages
 */
function groupLabel(group: Group, line: string | undefined): string {
  const { passages, lines, tests } = group;
  const paths = [...new Set(passages.map(({ path }) => path))];
  const size = vscode.l10n.t('{0} × {1}', passages.length.toLocaleString(), lines.toLocaleString());
  const shownPaths = enumerated(paths);
  const title = group.kind === 'file' ? fileTitle(group) : `${size} · ${line ?? namesIn(group).get(paths[0]!)!}`;
  const parts = [title, likenessIn(group), ...(tests ? [vscode.l10n.t('tests')] : []), shownPaths];
  return parts.map(oneLine).join(' · ');
}

/** The likeness of a group in its label; one that its title has already is not said again. */
function likenessIn(group: Group): string {
  const inside = insideOf(group);
  return inside ? percent(inside.share) : percentRange(group);
}

/** "a.ts in b.ts", "a.ts ↔ b.ts", or of more "3 × 17 · a.ts, b.ts, c.ts". */
function fileTitle(group: Group): string {
  const { passages, lines } = group;
  const inside = insideOf(group);
  const nameOf = ({ path }: Passage): string => namesIn(group).get(path)!;
  if (inside) return vscode.l10n.t('{0} in {1}', nameOf(inside.inner), nameOf(inside.outer));
  if (passages.length === 2) return passages.map(nameOf).join(' ↔ ');
  const size = vscode.l10n.t('{0} × {1}', passages.length.toLocaleString(), lines.toLocaleString());
  return `${size} · ${enumerated(passages.map(nameOf))}`;
}

/** "a, b, c, d, …" */
function enumerated(all: readonly string[]): string {
  return [...all.slice(0, labelPaths), ...(all.length > labelPaths ? ['…'] : [])].join(', ');
}

function iconOf({ kind, type }: Group): string {
  if (kind === 'file') return 'files';
  if (kind === 'prose') return 'book';
  return { exact: 'copy', renamed: 'replace', near: 'diff' }[type];
}

/**
 * The row of a copy: its name among those of its group, its lines, and for VS Code's find its path.
 *
 * @param now  the passage where it is now
 */
function copyItem({ group, place: member, passage }: Copy, now: Passage, uri: vscode.Uri): vscode.TreeItem {
  const name = namesIn(group).get(passage.path)!;
  const label = `${name}:${lineRange(now)}`;
  const item = new vscode.TreeItem(oneLine(name === passage.path ? label : `${label} · ${passage.path}`));
  item.id = `${group.id}/${anchor(group, member)}`;
  item.contextValue = member === 0 ? 'copy.first' : 'copy';
  item.resourceUri = uri;
  item.iconPath = vscode.ThemeIcon.File;
  item.command = {
    command: 'kindred.openCopy',
    title: vscode.l10n.t('Open'),
    arguments: [{ type: 'copy', group, place: member, passage } satisfies Row],
  };
  item.accessibilityInformation = {
    label: vscode.l10n.t(
      'Copy {0} of {1}: {2}, lines {3}',
      member + 1,
      group.passages.length,
      passage.path,
      lineRange(now),
    ),
  };
  return item;
}

/** The names of the files of groups, each among the others of its group. */
const names = new WeakMap<Group, ReadonlyMap<string, string>>();

function namesIn(group: Group): ReadonlyMap<string, string> {
  const known = names.get(group) ?? namesAmong(group.passages.map(({ path }) => path));
  names.set(group, known);
  return known;
}

/** What tells a copy from the others of its group, and stays the same when its lines move: path and number in the file. */
function anchor({ passages }: Group, member: number): string {
  const { path } = passages[member]!;
  const earlier = passages.slice(0, member).filter((passage) => passage.path === path).length;
  return earlier === 0 ? path : `${path}#${earlier + 1}`;
}

function moreItem(hidden: number, level: Level): vscode.TreeItem {
  const item = new vscode.TreeItem(vscode.l10n.t('Show {0} more…', Math.min(pageSize, hidden)));
  item.id = level === 'files' ? 'more/files' : 'more';
  item.contextValue = 'more';
  item.iconPath = new vscode.ThemeIcon('ellipsis');
  item.description = vscode.l10n.t('{0} not shown', hidden.toLocaleString());
  item.command = { command: 'kindred.showMore', title: vscode.l10n.t('Show more'), arguments: [level] };
  return item;
}
