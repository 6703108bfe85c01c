/**
 * The tree in the side panel: groups, and below each its passages; above them a row for the groups of whole files. Rows
 * are made from the model when they are shown; what needs the text of a file (the label of a group, the preview in a
 * tooltip) is read then.
 */
import * as vscode from 'vscode';
import type { Group, Passage } from '../engine/report.ts';
import { type FindingsModel, siblingsOf } from './findings.ts';
import { appendPreview } from './preview.ts';
import type { SavedText } from './savedText.ts';
import type { Copy } from './snapshot.ts';
import {
  baseName,
  folderName,
  groupCount,
  groupTitle,
  insideOf,
  lineCount,
  lineRange,
  nameBeside,
  percent,
  place,
} from './wording.ts';

/** A row. Rows are values: two of the same content are the same row. */
export type Row =
  | { readonly type: 'files' }
  | { readonly type: 'group'; readonly group: Group }
  | ({ readonly type: 'copy' } & Copy)
  | { readonly type: 'more'; readonly hidden: number; readonly level: Level };

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

/** Characters of a label: so many leave room for the number of copies in a side panel of the usual width. */
const labelCharacters = 24;
/** What stands before the first name of a line when the line ends something that began above it. */
const remainder = /^[^\p{L}_$"'`]*[)\]}>|,=?]/u;
/** Words at the head of a declaration that say little in so small a room. */
const modifiers =
  /^(?:(?:abstract|async|declare|default|export|final|internal|open|override|private|protected|pub|public|static) +)+/;

export class GroupTree implements vscode.TreeDataProvider<Row>, vscode.Disposable {
  readonly #findings: FindingsModel;
  readonly #text: SavedText;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #subscription: vscode.Disposable;
  readonly #shown: Record<Level, number> = { passages: pageSize, files: pageSize };
  #order: Order = 'size';
  /** Groups in that order, by their list in the report. */
  #sorted = new WeakMap<readonly Group[], readonly Group[]>();

  constructor(findings: FindingsModel, text: SavedText) {
    this.#findings = findings;
    this.#text = text;
    this.#subscription = vscode.Disposable.from(
      findings.onDidChange(() => this.#changed.fire()),
      findings.onDidMove(() => this.#changed.fire()),
    );
  }

  getChildren(row?: Row): Row[] {
    if (row === undefined) {
      const files: Row[] = this.#findings.fileGroups.length > 0 ? [{ type: 'files' }] : [];
      return [...files, ...this.#rowsOf('passages')];
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
    const first = group.passages[0]!;
    if (group.kind === 'file') return shortenName(baseName((insideOf(group)?.inner ?? first).path), labelCharacters);
    const line = tellingLine(await this.#text.beginningOf(first), group.kind);
    return line === undefined ? baseName(first.path) : shorten(line, labelCharacters);
  }

  async #groupTooltip(group: Group): Promise<vscode.MarkdownString> {
    const tooltip = new vscode.MarkdownString(`**${groupTitle(group)}**\n\n`);
    const shown = group.passages.slice(0, 8);
    for (const passage of shown) {
      tooltip
        .appendMarkdown('- ')
        .appendText(place(this.#findings.now(passage)))
        .appendMarkdown('\n');
    }
    const hidden = group.passages.length - shown.length;
    if (hidden > 0) tooltip.appendMarkdown(`- ${vscode.l10n.t('and {0} more', hidden)}\n`);
    return appendPreview(tooltip, group.passages[0]!, await this.#text.beginningOf(group.passages[0]!));
  }

  async #copyTooltip(copy: Copy): Promise<vscode.MarkdownString> {
    const { passage } = copy;
    const where = place(this.#findings.now(passage));
    const tooltip = new vscode.MarkdownString().appendText(where).appendMarkdown('\n\n');
    for (const { passage: other, similarity } of siblingsOf(copy).slice(0, 5)) {
      tooltip
        .appendMarkdown(`- ${vscode.l10n.t('{0} like', percent(similarity))} `)
        .appendText(place(this.#findings.now(other)));
      tooltip.appendMarkdown('\n');
    }
    return appendPreview(tooltip, passage, await this.#text.beginningOf(passage));
  }
}

function copiesOf(group: Group): Row[] {
  return group.passages.map((passage, place) => ({ type: 'copy', group, place, passage }));
}

/** The row of the groups of whole files. */
function filesItem(groups: readonly Group[]): vscode.TreeItem {
  const item = new vscode.TreeItem(vscode.l10n.t('Near-duplicate files'), vscode.TreeItemCollapsibleState.Collapsed);
  item.id = 'files';
  item.contextValue = 'files';
  item.iconPath = new vscode.ThemeIcon('files');
  item.description = groupCount(groups.length);
  item.tooltip = vscode.l10n.t('Files that nearly repeat each other as wholes, or lie inside another');
  return item;
}

function groupItem(group: Group, label: string): vscode.TreeItem {
  const lines = lineCount(group.lines);
  const item = new vscode.TreeItem(label, vscode.TreeItemCollapsibleState.Collapsed);
  item.id = group.id;
  item.contextValue = group.passages.length > 2 ? 'group.many' : 'group';
  item.iconPath = new vscode.ThemeIcon(iconOf(group));
  const figures = group.kind === 'file' ? fileFigures(group) : figuresOf(group);
  item.description = [...figures, ...(group.tests ? [vscode.l10n.t('tests')] : [])].join(' · ');
  item.accessibilityInformation = {
    label: vscode.l10n.t('{0}, {1}, first in {2}: {3}', groupTitle(group), lines, group.passages[0]!.path, label),
  };
  return item;
}

/** "3 × 17 lines", "94 %". In a narrow panel the first stays. */
function figuresOf({ passages, lines, similarity }: Group): string[] {
  return [vscode.l10n.t('{0} × {1}', passages.length.toLocaleString(), lineCount(lines)), percent(similarity)];
}

/**
 * The label names the file that lies inside the other, else the first; so of two the other one is named: "97 % like b.md" or
 * "80 % in b.md", and "120 lines".
 */
function fileFigures(group: Group): string[] {
  if (group.passages.length > 2) return figuresOf(group);
  const inside = insideOf(group);
  const [labelled, other] = inside ? [inside.inner, inside.outer] : group.passages;
  const name = nameBeside(other!.path, labelled!.path);
  const likeness = inside
    ? vscode.l10n.t('{0} in {1}', percent(inside.share), name)
    : vscode.l10n.t('{0} like {1}', percent(group.similarity), name);
  return [likeness, lineCount(group.lines)];
}

function iconOf({ kind, type }: Group): string {
  if (kind === 'file') return 'files';
  if (kind === 'prose') return 'book';
  return { exact: 'copy', renamed: 'replace', near: 'diff' }[type];
}

/** @param now  the passage where it is now */
function copyItem({ group, place: member, passage }: Copy, now: Passage, uri: vscode.Uri): vscode.TreeItem {
  const item = new vscode.TreeItem(baseName(passage.path));
  item.id = `${group.id}/${anchor(group, member)}`;
  item.contextValue = member === 0 ? 'copy.first' : 'copy';
  item.resourceUri = uri;
  item.iconPath = vscode.ThemeIcon.File;
  item.description = [lineRange(now), folderName(passage.path)].filter((part) => part !== '').join(' · ');
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

/** The first line that says what a passage is about: of code, one with a name in it that is no comment and begins there. */
function tellingLine(beginning: readonly string[], kind: Group['kind']): string | undefined {
  const trimmed = beginning.map((line) => line.trim()).filter((line) => line !== '');
  const named = /[\p{L}_$]{2}/u;
  const comment = /^(\/\/|\/\*|\*|# |-- |;|"""|'''|<!--)/;
  const lines = kind === 'prose' ? [] : trimmed.filter((line) => named.test(line) && !comment.test(line));
  const telling = lines.find((line) => !remainder.test(line)) ?? lines[0];
  return telling?.replace(modifiers, '') ?? trimmed[0]?.replace(/^#+\s+(?=\S)/, '');
}

function shorten(line: string, characters: number): string {
  const spaced = line.replaceAll(/\s+/g, ' ');
  return spaced.length > characters ? `${spaced.slice(0, characters - 1).trimEnd()}…` : spaced;
}

/** Cut in the middle: files of one kind begin alike, and their endings tell them apart. */
function shortenName(name: string, characters: number): string {
  if (name.length <= characters) return name;
  const tail = Math.floor((characters - 1) / 2);
  return `${name.slice(0, characters - 1 - tail)}…${name.slice(-tail)}`;
}
