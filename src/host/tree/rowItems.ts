/** Appearance of rows: labels, icons, and accessibility labels. */
import * as vscode from 'vscode';
import type { CategoryTotals, FilePair, FolderGroup, Group, Passage } from '../../engine/report/report.ts';
import { insideOf } from '../../wording/likeness.ts';
import { collapsedSections, type SectionName } from '../../wording/outline.ts';
import type { PassageName } from '../../wording/passageName.ts';
import { languageTitle } from '../workspace/languages.ts';
import {
  baseName,
  duplicateCount,
  groupTitle,
  lineCount,
  lineRange,
  placeIn,
  type ShownPassage,
  namesAmong,
  oneLine,
  passageCount,
  percent,
  percentage,
  percentRange,
  quantity,
  sectionTitle,
  shareOfSection,
} from '../wording.ts';
import { shareOfPair } from './order.ts';
import { idOf, type Row } from './rows.ts';

/** Maximum number of names in a label. VS Code's find searches only labels, often for file names. */
const labelNames = 4;

const sectionIcons: Readonly<Record<SectionName, string>> = {
  ...{ folders: 'folder-library', source: 'code', text: 'book', tests: 'beaker' },
  ...{ examples: 'mortar-board', data: 'table', boilerplate: 'law' },
};

export function remedyItem(row: Extract<Row, { type: 'remedy' }>): vscode.TreeItem {
  const item = new vscode.TreeItem(row.command.title);
  item.id = idOf(row);
  item.contextValue = 'remedy';
  item.iconPath = new vscode.ThemeIcon('lightbulb');
  item.command = row.command;
  return item;
}

/**
 * "Tests 143 · 41 % of tests": the number of duplicates and the repeated share of lines.
 *
 * @param count   number of duplicates that a filter leaves; of rows for folders
 * @param totals  totals of its category; `undefined` for folders, which have files of all categories
 */
export function sectionItem(
  row: Extract<Row, { type: 'section' }>,
  count: number,
  totals: CategoryTotals | undefined,
): vscode.TreeItem {
  const { name } = row;
  const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  const item = new vscode.TreeItem(sectionTitle(name), collapsedSections.has(name) ? Collapsed : Expanded);
  item.id = idOf(row);
  item.contextValue = 'section';
  item.iconPath = new vscode.ThemeIcon(sectionIcons[name]);
  const share = totals && name !== 'folders' ? shareOfSection(name, percentage(totals.duplicatedPercent)) : undefined;
  const duplicates = totals && name !== 'folders' ? totals.rows : count;
  item.description = [quantity(duplicates), ...(share === undefined ? [] : [share])].join(' · ');
  return item;
}

/** "reference: 7.4 ↔ 7.5  812 of 840 files alike · 4,100 lines", "consumer: dubbo ↔ tri  70 lines in 6 files". */
export function foldersItem(row: Extract<Row, { type: 'folders' }>): vscode.TreeItem {
  const { paths, files, alike, lines } = row.folders;
  const item = new vscode.TreeItem(foldersTitle(row.folders), vscode.TreeItemCollapsibleState.Collapsed);
  item.id = idOf(row);
  item.contextValue = 'folders';
  item.iconPath = new vscode.ThemeIcon('folder');
  // Folders may share passages without similar files. "0 of 6" would look as if they shared nothing.
  item.description =
    sum(alike) === 0
      ? vscode.l10n.t('{0} in {1} files', lineCount(sum(lines)), quantity(sum(files)))
      : [
          vscode.l10n.t('{0} of {1} files alike', quantity(sum(alike)), quantity(sum(files))),
          lineCount(sum(lines)),
        ].join(' · ');
  item.accessibilityInformation = {
    label: vscode.l10n.t('Folders that repeat each other, {0}: {1}', item.description, enumerated(paths)),
  };
  return item;
}

/** "endpoints.go ↔ endpointslice.go  9 passages · 61 %". */
export function filesItem(
  row: Extract<Row, { type: 'files' }>,
  passages: number,
  folders: FolderGroup | undefined,
): vscode.TreeItem {
  const { files } = row;
  const folder = folders ? [] : commonFolder(files.paths);
  const label = joined([filesTitle(files, folders), ...folder]);
  const item = new vscode.TreeItem(label, vscode.TreeItemCollapsibleState.Collapsed);
  item.id = idOf(row);
  item.contextValue = 'files';
  item.iconPath = new vscode.ThemeIcon('git-compare');
  item.description = [passageCount(passages), percent(shareOfPair(files))].join(' · ');
  item.accessibilityInformation = {
    label: vscode.l10n.t(
      '{0} in common, {1} of {2}',
      passageCount(passages),
      percent(shareOfPair(files)),
      files.paths.join(' ↔ '),
    ),
  };
  return item;
}

/**
 * @param name    name of its first passage
 * @param parent  parent row
 */
export function groupItem(
  row: Extract<Row, { type: 'group' }>,
  name: PassageName | undefined,
  parent: Row | undefined,
): vscode.TreeItem {
  const { group } = row;
  const label = groupLabel(group, name, parent);
  const item = new vscode.TreeItem(label, vscode.TreeItemCollapsibleState.Collapsed);
  item.id = idOf(row);
  item.contextValue = group.passages.length > 2 ? 'group.many' : 'group';
  item.iconPath = new vscode.ThemeIcon(iconOf(group));
  item.description = likenessIn(group);
  const lines = lineCount(group.lines);
  item.accessibilityInformation = {
    label: vscode.l10n.t('{0}, {1}, first in {2}: {3}', groupTitle(group), lines, group.passages[0]!.path, label),
  };
  return item;
}

/** "TypeScript  143". */
export function languageItem(row: Extract<Row, { type: 'language' }>, count: number): vscode.TreeItem {
  const item = new vscode.TreeItem(languageTitle(row.id), vscode.TreeItemCollapsibleState.Collapsed);
  item.id = idOf(row);
  item.contextValue = 'language';
  item.iconPath = new vscode.ThemeIcon('symbol-namespace');
  item.description = quantity(count);
  item.accessibilityInformation = { label: `${languageTitle(row.id)}, ${duplicateCount(count)}` };
  return item;
}

/**
 * "billing 12", with the icon of the theme.
 *
 * @param above  path of the parent folder; empty at the top
 */
export function folderItem(
  row: Extract<Row, { type: 'folder' }>,
  above: string,
  count: number,
  uri: vscode.Uri,
): vscode.TreeItem {
  const name = oneLine(above === '' ? row.path : row.path.slice(above.length + 1));
  const item = new vscode.TreeItem(name, vscode.TreeItemCollapsibleState.Collapsed);
  item.id = idOf(row);
  item.contextValue = 'folder';
  item.resourceUri = uri;
  item.iconPath = vscode.ThemeIcon.Folder;
  item.description = quantity(count);
  item.accessibilityInformation = { label: `${row.path}, ${duplicateCount(count)}` };
  return item;
}

/**
 * "invoice.ts · src/billing 3", with the icon of its language. Without the path if it is shown in its folder.
 *
 * @param isInFolder  true if it is shown in the row of its folder
 */
export function fileItem(
  row: Extract<Row, { type: 'file' }>,
  isInFolder: boolean,
  count: number,
  uri: vscode.Uri,
): vscode.TreeItem {
  const folder = isInFolder ? [] : commonFolder([row.path]);
  const label = joined([baseName(row.path), ...folder]);
  const item = new vscode.TreeItem(label, vscode.TreeItemCollapsibleState.Collapsed);
  item.id = idOf(row);
  item.contextValue = 'file';
  item.resourceUri = uri;
  item.iconPath = vscode.ThemeIcon.File;
  item.description = quantity(count);
  item.accessibilityInformation = { label: `${row.path}, ${duplicateCount(count)}` };
  return item;
}

/**
 * Returns a copy in the row of its file: its name, and the places of the others. "parseDay · period.ts, days.ts 2-18 ·
 * 94 %".
 *
 * @param now   the passage at its current position
 * @param name  name of the passage
 */
export function occurrenceItem(
  row: Extract<Row, { type: 'occurrence' }>,
  now: ShownPassage,
  name: PassageName | undefined,
): vscode.TreeItem {
  const { group, place: member } = row;
  const others = group.passages.filter((_, place) => place !== member).map(({ path }) => path);
  const where = filesLabel([...new Set(others)], ', ');
  const what = group.kind === 'file' ? [vscode.l10n.t('Whole file')] : nameText(name);
  const label = joined([...what, where]);
  const item = new vscode.TreeItem(label, vscode.TreeItemCollapsibleState.Collapsed);
  item.id = idOf(row);
  item.contextValue = 'occurrence';
  item.iconPath = new vscode.ThemeIcon(iconOf(group));
  const times = others.length > 1 ? [vscode.l10n.t('{0} others', quantity(others.length))] : [];
  item.description = [lineRange(now), percent(closestIn(group)[member]!), ...times].join(' · ');
  item.accessibilityInformation = {
    label: vscode.l10n.t('Lines {0}, {1}: {2}', lineRange(now), groupTitle(group), label),
  };
  return item;
}

/** "4 more in the same text". */
export function innerItem(row: Extract<Row, { type: 'inner' }>, count: number): vscode.TreeItem {
  const label = vscode.l10n.t('{0} more in the same text', quantity(count));
  const item = new vscode.TreeItem(label, vscode.TreeItemCollapsibleState.Collapsed);
  item.id = idOf(row);
  item.contextValue = 'inner';
  item.iconPath = new vscode.ThemeIcon('list-tree');
  item.tooltip = vscode.l10n.t('Groups most of whose lines are in the passages of this group');
  return item;
}

/**
 * Returns the row of a copy: its name in the group, its lines, its similarity to the closest other one, and its path
 * for VS Code's find.
 *
 * @param now  the passage at its current position
 */
export function copyItem(row: Extract<Row, { type: 'copy' }>, now: ShownPassage, uri: vscode.Uri): vscode.TreeItem {
  const { group, place: member, passage } = row;
  const name = namesIn(group).get(passage.path)!;
  const alike = group.type !== 'exact' && group.passages.length > 2 ? [percent(closestIn(group)[member]!)] : [];
  const path = name === passage.path ? [] : [passage.path];
  const item = new vscode.TreeItem([placeIn(name, now), ...alike, ...path].map(oneLine).join(' · '));
  item.id = idOf(row);
  item.contextValue = 'copy';
  item.resourceUri = uri;
  item.iconPath = vscode.ThemeIcon.File;
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

/** Properties of a copy other than its place. */
export interface CopyMarks {
  /** Added since the ref of the filter. */
  readonly isNew: boolean;
  /** Made canonical by the user. */
  readonly isCanonical: boolean;
  /** The reference copy of its row, which therefore has no compare of its own. */
  readonly isBase: boolean;
}

/** Adds the properties of a copy to its item: text, a star for the canonical copy, and commands. */
export function marked(item: vscode.TreeItem, { isNew, isCanonical, isBase }: CopyMarks): vscode.TreeItem {
  const words = [...(isCanonical ? [vscode.l10n.t('canonical')] : []), ...(isNew ? [vscode.l10n.t('new')] : [])];
  item.contextValue += `${isBase ? '.base' : ''}${isCanonical ? '.canonical' : ''}`;
  if (words.length === 0) return item;
  item.description = [item.description, ...words].filter((word) => typeof word === 'string').join(' · ');
  item.accessibilityInformation = { label: [item.accessibilityInformation!.label, ...words].join(', ') };
  if (isCanonical) item.iconPath = new vscode.ThemeIcon('star-full');
  return item;
}

/** @param pageSize  number of rows added by a click */
export function moreItem(row: Extract<Row, { type: 'more' }>, pageSize: number): vscode.TreeItem {
  const { hidden, inRow } = row;
  const item = new vscode.TreeItem(vscode.l10n.t('Show {0} more…', Math.min(pageSize, hidden)));
  item.id = idOf(row);
  item.contextValue = 'more';
  item.iconPath = new vscode.ThemeIcon('ellipsis');
  item.description = vscode.l10n.t('{0} not shown', quantity(hidden));
  item.command = { command: 'kindred.showMore', title: vscode.l10n.t('Show more'), arguments: [inRow] };
  return item;
}

/** "docs/reference: 7.4 ↔ 7.5": the common parents, and the differing parts. */
function foldersTitle({ paths }: FolderGroup): string {
  const [above] = commonFolder(paths);
  const title = enumerated(
    paths.map((path) => (above === undefined ? path : path.slice(above.length + 1))),
    ' ↔ ',
  );
  return oneLine(above === undefined ? title : `${above.split('/').slice(-foldersAbove).join('/')}: ${title}`);
}

/** Number of common parents shown, because a single one is often called `src` or `package`. */
const foldersAbove = 2;

/** "a.go ↔ b.go"; for two versions of one file, its common path in the folders. */
function filesTitle({ paths }: FilePair, folders: FolderGroup | undefined): string {
  const relative = relativePath(paths, folders);
  if (relative !== undefined) return oneLine(relative);
  return filesLabel(paths);
}

/**
 * "3×17 parseDay · dates.ts, period.ts · src": for copies, number and length, the name, and the place; for files, their
 * names first. VS Code clips labels and searches only them, so the label contains the full path, with the
 * distinguishing parts first.
 */
function groupLabel(group: Group, name: PassageName | undefined, parent: Row | undefined): string {
  const { passages, lines, kind } = group;
  const size = vscode.l10n.t('{0}×{1}', quantity(passages.length), quantity(lines));
  const paths = pathsOf(group);
  const relative = relativePath(paths, parent?.type === 'folders' ? parent.folders : undefined);
  const isAlone = parent?.type !== 'files' && parent?.type !== 'folders';
  const folder = isAlone ? commonFolder(paths) : [];
  if (kind === 'file') {
    const title = relative ?? fileTitle(group);
    return joined([passages.length > 2 ? `${size} ${title}` : title, ...folder]);
  }
  const where = relative ?? (parent?.type === 'files' ? undefined : filesLabel(paths));
  const what = [size, ...nameText(name)].join(' ');
  return joined([what, ...(where === undefined ? [] : [where]), ...folder]);
}

/** "parseDay", or "in parseDay" for a part of it. */
function nameText(name: PassageName | undefined): [text: string] | [] {
  if (name === undefined) return [];
  return [name.isWhole ? name.name : vscode.l10n.t('in {0}', name.name)];
}

/**
 * Returns files by the differing parts of their paths: "a.ts ↔ b.ts", "a.ts, b.ts, c.ts"; those with the same name by
 * folder, "package.json: core, git".
 */
function filesLabel(paths: readonly string[], separator = paths.length === 2 ? ' ↔ ' : ', '): string {
  const telling = namesAmong(paths);
  const all = paths.map((path) => telling.get(path)!);
  const name = baseName(paths[0]!);
  const folders = all.map((it) => /^(.+?)\/(?:…\/)?([^/]+)$/.exec(it)).filter((it) => it?.[2] === oneLine(name));
  if (paths.length < 2 || folders.length < paths.length) return enumerated(all, separator);
  return `${name}: ${enumerated(
    folders.map((it) => it![1]!),
    separator,
  )}`;
}

/** Joins parts of a label on one line. */
function joined(parts: readonly string[]): string {
  return parts.map(oneLine).join(' · ');
}

/** Returns the similarity of a group in its label, unless it is in the title. */
function likenessIn(group: Group): string {
  const inside = insideOf(group);
  return inside ? percent(inside.share) : percentRange(group);
}

/** "a.ts in b.ts", "a.ts ↔ b.ts", or for more files "a.ts, b.ts, c.ts". */
function fileTitle(group: Group): string {
  const inside = insideOf(group);
  const nameOf = ({ path }: Passage): string => namesIn(group).get(path)!;
  if (inside) return vscode.l10n.t('{0} in {1}', nameOf(inside.inner), nameOf(inside.outer));
  return filesLabel(pathsOf(group));
}

/** Returns the relative path of files in their folders if it is the same in all of them. */
function relativePath(paths: readonly string[], folders: FolderGroup | undefined): string | undefined {
  if (folders === undefined || paths.length < 2) return undefined;
  const relative = new Set(
    paths.map((path) => {
      const folder = folders.paths.find((it) => it === '' || path.startsWith(`${it}/`));
      return folder === undefined || folder === '' ? path : path.slice(folder.length + 1);
    }),
  );
  return relative.size === 1 ? [...relative][0] : undefined;
}

/** Returns the common folder of paths; none if it is the workspace. */
function commonFolder(paths: readonly string[]): [folder: string] | [] {
  const folders = paths.map((path) => path.split('/').slice(0, -1));
  const [first] = folders as [string[]];
  let common = 0;
  while (common < first.length && folders.every((names) => names[common] === first[common])) common++;
  return common === 0 ? [] : [first.slice(0, common).join('/')];
}

/** "a, b, c, d, …" */
function enumerated(all: readonly string[], separator = ', '): string {
  return [...all.slice(0, labelNames), ...(all.length > labelNames ? ['…'] : [])].join(separator);
}

function iconOf({ kind, type }: Group): string {
  if (kind === 'file') return 'files';
  if (kind === 'prose') return 'book';
  return { exact: 'copy', renamed: 'replace', near: 'diff' }[type];
}

function pathsOf({ passages }: Group): string[] {
  return [...new Set(passages.map(({ path }) => path))];
}

/** Cached file names of groups that distinguish the files of a group. */
const names = new WeakMap<Group, ReadonlyMap<string, string>>();

function namesIn(group: Group): ReadonlyMap<string, string> {
  const known = names.get(group) ?? namesAmong(group.passages.map(({ path }) => path));
  names.set(group, known);
  return known;
}

/** Cached similarity of each member of a group to its closest one. */
const closest = new WeakMap<Group, readonly number[]>();

function closestIn(group: Group): readonly number[] {
  const known = closest.get(group);
  if (known) return known;
  const most = new Array<number>(group.passages.length).fill(group.similarity);
  for (const { a, b, similarity } of group.pairs) {
    most[a] = Math.max(most[a]!, similarity);
    most[b] = Math.max(most[b]!, similarity);
  }
  closest.set(group, most);
  return most;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
