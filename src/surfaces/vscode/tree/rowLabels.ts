/**
 * Creates the labels of rows. VS Code clips the end of a label, and its search in trees covers only labels. So a label
 * begins with the text that distinguishes the row from others. It contains the similarity, the size, and the file
 * names. What their paths have in common is in the description.
 *
 * Several functions return alternative forms of a label, in order of preference. The tree uses the first form whose
 * beginning differs from those of the rows around it.
 */
import * as vscode from 'vscode';
import { sum } from '../../../core/collections/lists.ts';
import type { FilePair, FolderGroup, Group, Passage } from '../../../core/engine/report/report.ts';
import { differingParts } from '../../../presentation/wording/differingParts.ts';
import { insideOf, percent, sizeOf } from '../../../presentation/wording/likeness.ts';
import type { PassageName } from '../../../presentation/wording/passageName.ts';
import {
  baseName,
  copyCount,
  fileCount,
  lineCount,
  namesAmong,
  oneLine,
  passageCount,
  percentRange,
} from '../wording.ts';
import type { Peers } from '../../../presentation/wording/peers.ts';
import { linesOfPeers, shareOfFolders, shareOfPair } from './order.ts';
import type { Row } from './rows.ts';
import '../translations.ts';

const labelNames = 4;

/**
 * Returns the forms of a label for similar folders, such as "7.4 ↔ 7.5 · 98% · 840 files". Other forms begin with the
 * last folder, or with a folder that contains all of them.
 */
export function foldersLabels(folders: FolderGroup): readonly string[] {
  const { parts } = differingParts(folders.paths);
  const facts = folderFacts(folders);
  const [label, reversed] = [parts, [...parts].reverse()].map((names) => joined([enumerated(names, ' ↔ '), ...facts]));
  return [label!, reversed!, ...byFolder(folders.paths, [label!])];
}

/**
 * Returns the share of lines that similar folders have in common (or, if no files are similar, the number of duplicated
 * lines), and the number of files.
 */
export function folderFacts(folders: FolderGroup): readonly string[] {
  const { alike, files, lines } = folders;
  return [sum(alike) === 0 ? lineCount(sum(lines)) : percent(shareOfFolders(folders)), fileCount(sum(files))];
}

/**
 * Returns the forms of a label for peers, such as "QueryRunner · 7 files · 21 passages · 3,214 lines". Other forms
 * begin with the first file, or with a folder that contains all of them.
 *
 * @param passages  number of passages that match the filter
 */
export function peersLabels(peers: Peers, passages: number): readonly string[] {
  const { name, paths } = peers;
  const facts = [fileCount(paths.length), passageCount(passages), lineCount(sum(linesOfPeers(peers).lines))];
  return [
    joined([name, ...facts]),
    joined([namesAmong(paths).get(paths[0]!)!, name, ...facts]),
    ...byFolder(paths, [name, ...facts]),
  ];
}

/**
 * Returns the forms of a label for a pair of files, such as "a.go ↔ b.go · 61% · 9 passages". Other forms begin with
 * the last file, or with a folder that contains both. If the files have the same path inside two similar folders,
 * returns only a form with that path.
 */
export function filesLabels(files: FilePair, passages: number, parent: Row | undefined): readonly string[] {
  const facts = [percent(shareOfPair(files)), passageCount(passages)];
  const relative = relativePath(files.paths, parent?.type === 'folders' ? parent.folders : undefined);
  if (relative !== undefined) return [joined([relative, ...facts])];
  return labelsOfFiles(files.paths, facts);
}

/**
 * Returns the forms of a label for a group, such as "parseDay · 3 copies · 28 lines · 100% · dates.ts, period.ts".
 * Other forms begin with the files, with a folder that contains all of them, or with the first line number. For whole
 * files, the label begins with their names.
 *
 * @param name    name of the first passage
 * @param parent  row that contains the group
 */
export function groupLabels(
  group: Group,
  name: PassageName | undefined,
  parent: Row | undefined,
): readonly [string, ...string[]] {
  const { passages, kind } = group;
  const paths = pathsOf(group);
  const relative = relativePath(paths, parent?.type === 'folders' ? parent.folders : undefined);
  // If the label names two files, it is clear that there are two copies.
  const isNamed = passages.length === 2 && (kind === 'file' || parent?.type === 'files');
  const copies = isNamed ? [] : [copyCount(passages.length)];
  const facts = [...copies, lineCount(sizeOf(group).lines), likenessIn(group)];
  if (kind === 'file') {
    if (relative !== undefined) return [joined([relative, ...facts])];
    const title = joined([fileTitle(group), ...facts]);
    return insideOf(group) ? [title, ...byFolder(paths, [title])] : labelsOfFiles(paths, facts);
  }
  const where = relative ?? (parent?.type === 'files' ? undefined : filesLabel(paths));
  const place = where === undefined ? [] : [where];
  const what = nameText(name);
  const line = vscode.l10n.t('Line {0}', passages[0]!.startLine);
  return [
    joined(what.length > 0 ? [...what, ...facts, ...place] : [...place, ...facts]),
    joined([...place, ...what, ...facts]),
    ...(where === undefined ? [] : byFolder(paths, [...what, ...facts, ...place])),
    joined([line, ...what, ...facts, ...place]),
  ];
}

/**
 * Returns the forms of a label for files: in order, in reverse order, listed by folder if the files have the same name,
 * and with a shared folder first.
 */
function labelsOfFiles(paths: readonly string[], facts: readonly string[]): readonly [string, ...string[]] {
  const label = joined([filesLabel(paths), ...facts]);
  const reversed = [...paths].reverse();
  const others = [filesLabel(reversed), enumerated([...namesAmong(paths).values()], separatorOf(paths))];
  return [label, ...others.map((files) => joined([files, ...facts])), ...byFolder(paths, [label])];
}

/**
 * Returns a form of a label for each folder that all files share. The innermost folder comes first, because
 * neighboring rows often share the outer folders. Different folders of one name count as shared, as in `figma/api` and
 * `linear/api`.
 */
function byFolder(paths: readonly string[], parts: readonly string[]): readonly string[] {
  const parents = new Set(paths.map((path) => path.split('/').at(-2) ?? ''));
  const folders = [...(parents.size === 1 ? parents : []), ...commonFolder(paths).split('/').reverse()];
  return [...new Set(folders)].filter((folder) => folder !== '').map((folder) => joined([folder, ...parts]));
}

/** Formats the name of a passage: "parseDay", or "in parseDay" if it is only part of that function. */
export function nameText(name: PassageName | undefined): [text: string] | [] {
  if (name === undefined) return [];
  return [name.isWhole ? name.name : vscode.l10n.t('in {0}', name.name)];
}

/**
 * Formats names of files, reduced to what differs in their paths: "a.ts ↔ b.ts", "a.ts, b.ts, c.ts". Files with the
 * same name are listed by folder: "package.json: core, git".
 */
export function filesLabel(paths: readonly string[], separator = separatorOf(paths)): string {
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

function separatorOf({ length }: readonly string[]): string {
  return length === 2 ? ' ↔ ' : ', ';
}

/** Joins the parts of a label, without line breaks. */
export function joined(parts: readonly string[]): string {
  return parts.map(oneLine).join(' · ');
}

/** Formats the similarity of a group. If one file contains another, this is the share of the contained file. */
function likenessIn(group: Group): string {
  const inside = insideOf(group);
  return inside ? percent(inside.share) : percentRange(group);
}

/** Formats the names of whole files: "a.ts in b.ts", "a.ts ↔ b.ts", or for more files "a.ts, b.ts, c.ts". */
function fileTitle(group: Group): string {
  const inside = insideOf(group);
  const nameOf = ({ path }: Passage): string => namesIn(group).get(path)!;
  if (inside) return vscode.l10n.t('{0} in {1}', nameOf(inside.inner), nameOf(inside.outer));
  return filesLabel(pathsOf(group));
}

/** If files have the same path inside their similar folders, returns this path. */
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

/** Returns the innermost folder that contains all paths; '' if that is the workspace folder. */
export function commonFolder(paths: readonly string[]): string {
  const folders = paths.map((path) => path.split('/').slice(0, -1));
  const [first] = folders as [string[]];
  let common = 0;
  while (common < first.length && folders.every((names) => names[common] === first[common])) common++;
  return first.slice(0, common).join('/');
}

/** Lists the first names, followed by "…" if there are more: "a, b, c, d, …". */
function enumerated(all: readonly string[], separator = ', '): string {
  return [...all.slice(0, labelNames), ...(all.length > labelNames ? ['…'] : [])].join(separator);
}

export function pathsOf({ passages }: Group): string[] {
  return [...new Set(passages.map(({ path }) => path))];
}

/** Cached names that distinguish a group's files from each other. */
const names = new WeakMap<Group, ReadonlyMap<string, string>>();

export function namesIn(group: Group): ReadonlyMap<string, string> {
  const groupNames = names.get(group) ?? namesAmong(group.passages.map(({ path }) => path));
  names.set(group, groupNames);
  return groupNames;
}
