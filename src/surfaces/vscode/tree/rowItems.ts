/** Creates the tree items of rows: icon, description, text for screen readers, and labels with only one form. */
import * as vscode from 'vscode';
import type { CategoryTotals, Group } from '../../../core/engine/report/report.ts';
import { differingParts } from '../../../presentation/wording/differingParts.ts';
import { collapsedSections, type SectionName } from '../../../presentation/wording/outline.ts';
import type { PassageName } from '../../../presentation/wording/passageName.ts';
import { languageTitle } from '../workspace/languages.ts';
import {
  baseName,
  duplicateCount,
  duplicatedShare,
  fileCount,
  groupTitle,
  lineCount,
  lineRange,
  oneLine,
  passageCount,
  placeIn,
  quantity,
  shareOfSection,
  type ShownPassage,
  spokenRange,
} from '../wording.ts';
import { memberNames, mostShared } from '../../../presentation/wording/peers.ts';
import { sectionTitle } from '../../../presentation/wording/sectionTitle.ts';
import '../translations.ts';
import { linesOfPeers, shareOfPair } from './order.ts';
import { commonFolder, filesLabel, folderFacts, joined, namesIn, nameText, pathsOf } from './rowLabels.ts';
import { percent, sizeOf } from '../../../presentation/wording/likeness.ts';
import { idOf, type Row } from './rows.ts';

const sectionIcons: Readonly<Record<SectionName, string>> = {
  folders: 'folder-library',
  source: 'code',
  text: 'book',
  tests: 'beaker',
  examples: 'mortar-board',
  data: 'table',
  boilerplate: 'law',
};

/** Icons of groups, by kind or type. */
export const groupIcons = { files: 'files', prose: 'book', exact: 'copy', renamed: 'replace', near: 'diff' } as const;

/** Icons of other rows, by type, and the icon of a canonical copy. */
export const rowIcons = {
  folders: 'folder',
  peers: 'layers',
  files: 'git-compare',
  inner: 'list-tree',
  canonical: 'star-full',
} as const;

const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;

export function remedyItem(row: Extract<Row, { type: 'remedy' }>): vscode.TreeItem {
  const item = itemOf(row, row.command.title, 'lightbulb', None);
  item.command = row.command;
  return item;
}

/**
 * Returns the item of a section: "Tests 143 · 41% of tests". Shows the number of duplicates, and the share of lines
 * that are duplicated.
 *
 * @param count   number of duplicates that match the filter; for similar folders, number of rows in the section
 * @param totals  totals of the category; `undefined` for similar folders, which contain files of all categories
 */
export function sectionItem(
  row: Extract<Row, { type: 'section' }>,
  count: number,
  totals: CategoryTotals | undefined,
): vscode.TreeItem {
  const { name } = row;
  const item = itemOf(row, sectionTitle(name), sectionIcons[name], collapsedSections.has(name) ? Collapsed : Expanded);
  const share = totals && name !== 'folders' ? shareOfSection(name, duplicatedShare(totals)) : undefined;
  const duplicates = totals && name !== 'folders' ? totals.rows : count;
  item.description = [quantity(duplicates), ...(share === undefined ? [] : [share])].join(' · ');
  return item;
}

/**
 * Returns the item of similar folders: "7.4 ↔ 7.5 · 98% · 840 files docs/reference". The label has the parts in which
 * the paths differ; the description has the part they share.
 */
export function foldersItem(row: Extract<Row, { type: 'folders' }>, label: string): vscode.TreeItem {
  const item = itemOf(row, label, rowIcons.folders);
  const { before, after } = differingParts(row.folders.paths);
  item.description = oneLine([before, after].filter((part) => part !== '').join('/…/'));
  item.accessibilityInformation = {
    label: vscode.l10n.t(
      'Folders that repeat each other, {0}: {1}',
      folderFacts(row.folders).join(', '),
      row.folders.paths.join(', '),
    ),
  };
  return item;
}

/** Returns the item of peers: "QueryRunner · 7 files · 21 passages · 3,214 lines src/driver". */
export function peersItem(row: Extract<Row, { type: 'peers' }>, label: string): vscode.TreeItem {
  const { paths } = row.peers;
  const item = itemOf(row, label, rowIcons.peers);
  item.description = oneLine(commonFolder(paths));
  item.accessibilityInformation = {
    label: vscode.l10n.t('Files with the same role, {0}: {1}', label, paths.join(', ')),
  };
  return item;
}

/** Returns the item that contains the files of a set of peers: "7 files: lines that they share". */
export function membersItem(row: Extract<Row, { type: 'members' }>): vscode.TreeItem {
  const label = vscode.l10n.t('{0}: lines that they share', fileCount(row.peers.paths.length));
  const item = itemOf(row, label, 'table');
  return item;
}

/** Returns the item of a file in a set of peers: "Mysql · 612 lines · 540 with Oracle · 102 with Sap". */
export function memberItem(row: Extract<Row, { type: 'member' }>, uri: vscode.Uri): vscode.TreeItem {
  const { peers, path } = row;
  const names = memberNames(peers.paths).map(oneLine);
  const { lines, shared } = linesOfPeers(peers);
  const place = peers.paths.indexOf(path);
  const others = mostShared(shared[place]!).map((other) =>
    vscode.l10n.t('{0} with {1}', quantity(shared[place]![other]!), names[other]!),
  );
  const label = joined([names[place]!, lineCount(lines[place]!), ...others]);
  const item = itemOf(row, label, vscode.ThemeIcon.File, None);
  item.resourceUri = uri;
  item.command = { command: 'vscode.open', title: vscode.l10n.t('Open'), arguments: [uri] };
  return item;
}

/** Returns the item of a pair of files: "endpoints.go ↔ endpointslice.go · 61% · 9 passages pkg/controller". */
export function filesItem(
  row: Extract<Row, { type: 'files' }>,
  label: string,
  passages: number,
  parent: Row | undefined,
): vscode.TreeItem {
  const { files } = row;
  const item = itemOf(row, label, rowIcons.files);
  if (parent?.type !== 'folders') item.description = oneLine(commonFolder(files.paths));
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

/** Returns the item of a group: "parseDay · 3 copies · 28 lines · 100% · dates.ts, period.ts src". */
export function groupItem(
  row: Extract<Row, { type: 'group' }>,
  label: string,
  parent: Row | undefined,
): vscode.TreeItem {
  const { group } = row;
  const item = itemOf(row, label, iconOf(group));
  item.contextValue = group.passages.length > 2 ? 'group.many' : 'group';
  if (parent?.type !== 'files' && parent?.type !== 'folders') item.description = oneLine(commonFolder(pathsOf(group)));
  const lines = lineCount(sizeOf(group).lines);
  item.accessibilityInformation = {
    label: vscode.l10n.t('{0}, {1}, first in {2}: {3}', groupTitle(group), lines, group.passages[0]!.path, label),
  };
  return item;
}

/** Returns the item of a language: "TypeScript 143". */
export function languageItem(row: Extract<Row, { type: 'language' }>, count: number): vscode.TreeItem {
  const item = itemOf(row, languageTitle(row.id), 'symbol-namespace');
  item.description = quantity(count);
  item.accessibilityInformation = { label: `${languageTitle(row.id)}, ${duplicateCount(count)}` };
  return item;
}

/**
 * Returns the item of a folder: "billing 12", with the theme's folder icon.
 *
 * @param above  path of the parent folder in the tree; '' at the top level
 */
export function folderItem(
  row: Extract<Row, { type: 'folder' }>,
  above: string,
  count: number,
  uri: vscode.Uri,
): vscode.TreeItem {
  const name = oneLine(above === '' ? row.path : row.path.slice(above.length + 1));
  const item = itemOf(row, name, vscode.ThemeIcon.Folder);
  item.resourceUri = uri;
  item.description = quantity(count);
  item.accessibilityInformation = { label: `${row.path}, ${duplicateCount(count)}` };
  return item;
}

/**
 * Returns the item of a file: "invoice.ts · src/billing 3", with the theme's file icon.
 *
 * @param isInFolder  true if the item is below its folder's item, so that the path is omitted
 */
export function fileItem(
  row: Extract<Row, { type: 'file' }>,
  isInFolder: boolean,
  count: number,
  uri: vscode.Uri,
): vscode.TreeItem {
  const folder = isInFolder ? '' : commonFolder([row.path]);
  const label = joined([baseName(row.path), ...(folder === '' ? [] : [folder])]);
  const item = itemOf(row, label, vscode.ThemeIcon.File);
  item.resourceUri = uri;
  item.description = quantity(count);
  item.accessibilityInformation = { label: `${row.path}, ${duplicateCount(count)}` };
  return item;
}

/**
 * Returns the item of a copy below its file: "parseDay · period.ts, days.ts 2-18 · 94%". Shows the name of the copy,
 * and the places of the other copies.
 *
 * @param now   passage at its current position
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
  const item = itemOf(row, label, iconOf(group));
  const times = others.length > 1 ? [vscode.l10n.t('{0} others', quantity(others.length))] : [];
  item.description = [lineRange(now), ...likenessParts(closestIn(group)[member]!), ...times].join(' · ');
  item.accessibilityInformation = {
    label: `${spokenRange(now)}, ${groupTitle(group)}: ${label}`,
  };
  return item;
}

/** Returns the item that contains nested groups: "4 more in the same text". */
export function innerItem(row: Extract<Row, { type: 'inner' }>, count: number): vscode.TreeItem {
  const label = vscode.l10n.t('{0} more in the same text', quantity(count));
  const item = itemOf(row, label, rowIcons.inner);
  item.tooltip = vscode.l10n.t('Groups most of whose lines are in the passages of this group');
  return item;
}

/**
 * Returns the item of a copy below its group: its place, its similarity to the most similar other copy, and its folder,
 * so that VS Code's search in trees finds the folder.
 *
 * @param now  passage at its current position
 */
export function copyItem(row: Extract<Row, { type: 'copy' }>, now: ShownPassage, uri: vscode.Uri): vscode.TreeItem {
  const { group, place: member, passage } = row;
  const name = namesIn(group).get(passage.path)!;
  const alike = group.type !== 'exact' && group.passages.length > 2 ? likenessParts(closestIn(group)[member]!) : [];
  const folder = name === passage.path ? '' : commonFolder([passage.path]);
  const item = itemOf(
    row,
    joined([placeIn(name, now), ...alike, ...(folder === '' ? [] : [folder])]),
    vscode.ThemeIcon.File,
    None,
  );
  item.resourceUri = uri;
  item.accessibilityInformation = {
    label: vscode.l10n.t(
      'Copy {0} of {1}: {2}, {3}',
      member + 1,
      group.passages.length,
      passage.path,
      spokenRange(now),
    ),
  };
  return item;
}

/** Additional properties of a copy that its item shows. */
export interface CopyMarks {
  /** True if the copy was added since the filter's Git ref. */
  readonly isNew: boolean;
  /** True if the user has chosen the copy as the canonical copy of its group. */
  readonly isCanonical: boolean;
  /** True if the copy is the reference copy of its group, with which the others are compared. */
  readonly isBase: boolean;
}

/** Adds the properties to a copy's item: texts, a star for the canonical copy, and the context value for its menu. */
export function marked(item: vscode.TreeItem, { isNew, isCanonical, isBase }: CopyMarks): vscode.TreeItem {
  const words = [...(isCanonical ? [vscode.l10n.t('canonical')] : []), ...(isNew ? [vscode.l10n.t('new')] : [])];
  item.contextValue += `${isBase ? '.base' : ''}${isCanonical ? '.canonical' : ''}`;
  if (words.length === 0) return item;
  item.description = [item.description, ...words].filter((word) => typeof word === 'string').join(' · ');
  item.accessibilityInformation = { label: [item.accessibilityInformation!.label, ...words].join(', ') };
  if (isCanonical) item.iconPath = new vscode.ThemeIcon(rowIcons.canonical);
  return item;
}

/** @param pageSize  number of rows that a click adds */
export function moreItem(row: Extract<Row, { type: 'more' }>, pageSize: number): vscode.TreeItem {
  const { hidden, inRow } = row;
  const item = itemOf(row, vscode.l10n.t('Show {0} more…', Math.min(pageSize, hidden)), 'ellipsis', None);
  item.description = vscode.l10n.t('{0} not shown', quantity(hidden));
  item.command = { command: 'kindred.showMore', title: vscode.l10n.t('Show more'), arguments: [inRow] };
  return item;
}

/** Returns an item with the properties that all rows have. */
function itemOf(
  row: Row,
  label: string,
  icon: string | vscode.ThemeIcon,
  state: vscode.TreeItemCollapsibleState = Collapsed,
): vscode.TreeItem {
  const item = new vscode.TreeItem(label, state);
  item.id = idOf(row);
  item.contextValue = row.type;
  item.iconPath = typeof icon === 'string' ? new vscode.ThemeIcon(icon) : icon;
  return item;
}

function iconOf({ kind, type }: Group): string {
  if (kind === 'file') return groupIcons.files;
  return kind === 'prose' && type !== 'exact' ? groupIcons.prose : groupIcons[type];
}

type Likeness = Pick<Group, 'type' | 'similarity'>;

/** Cached similarity of each copy in a group to the most similar other copy. */
const closest = new WeakMap<Group, readonly Likeness[]>();

function closestIn(group: Group): readonly Likeness[] {
  const cachedLikenesses = closest.get(group);
  if (cachedLikenesses) return cachedLikenesses;
  const closestOf = new Array<Likeness>(group.passages.length).fill(group);
  for (const { a, b, similarity, type = group.type } of group.pairs) {
    for (const member of [a, b]) {
      const { type: before, similarity: previous } = closestOf[member]!;
      const isCloser = type === 'exact' ? before !== 'exact' : before !== 'exact' && similarity > previous;
      if (isCloser) closestOf[member] = { type, similarity };
    }
  }
  closest.set(group, closestOf);
  return closestOf;
}

/** Describes a similarity: "identical"; or "renamed" or "edited" with a percentage. */
function likenessParts({ type, similarity }: Likeness): readonly string[] {
  switch (type) {
    case 'exact':
      return [vscode.l10n.t('identical')];
    case 'renamed':
      return [vscode.l10n.t('renamed'), percent(similarity)];
    case 'near':
      return [vscode.l10n.t('edited'), percent(similarity)];
  }
}
