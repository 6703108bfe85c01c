/** Formats numbers and places in the same way for all views. Displayed line numbers count from 1. */
import { env, l10n } from 'vscode';
import { groupBy } from '../../core/collections/lists.ts';
import type { Group, Passage } from '../../core/engine/report/report.ts';
import type { Headline } from '../../presentation/wording/headline.ts';
import { type ContainedFile, insideOf, percent, wholePercent } from '../../presentation/wording/likeness.ts';
import { type LineCounts, lineShare } from '../../presentation/wording/lineShare.ts';
import type { SectionName } from '../../presentation/wording/outline.ts';
import './translations.ts';

/** Formats a number for the language of the window: "1,234". */
export function quantity(number: number): string {
  return number.toLocaleString(env.language);
}

/** Formats the share of duplicated lines: "12.3%". */
export function duplicatedShare(counts: LineCounts): string {
  return lineShare(counts, env.language);
}

/** Formats the similarity of a group: "94%", or "70 to 99%" if pairs have different similarities. */
export function percentRange({ similarity, pairs }: Pick<Group, 'similarity' | 'pairs'>): string {
  const maxSimilarity = pairs.reduce((greatest, pair) => Math.max(greatest, pair.similarity), similarity);
  const [low, high] = [wholePercent(similarity), wholePercent(maxSimilarity)];
  return low === high ? percent(similarity) : l10n.t('{0} to {1}%', low, high);
}

/** A passage at its current position. In a notebook, includes its cells. */
export interface ShownPassage extends Passage {
  readonly cells?: CellRange;
}

export type ShownLines = Pick<ShownPassage, 'startLine' | 'endLine' | 'cells'>;

/** First and last cell of a passage, and the line numbers in them. All numbers count from 1. */
export interface CellRange {
  readonly first: number;
  readonly startLine: number;
  readonly last: number;
  readonly endLine: number;
}

/** Formats a place: "src/a.ts:10-32"; "src/a.ts:10" for a single line. */
export function place(passage: ShownPassage): string {
  return oneLine(placeIn(passage.path, passage));
}

/** Formats a place with the given name in place of the path. */
export function placeIn(name: string, passage: ShownLines): string {
  return `${name}${passage.cells ? ', ' : ':'}${lineRange(passage)}`;
}

/** Formats a place for other programs, such as a terminal or *Go to File*. Keeps the path exactly as it is. */
export function exactPlace(passage: Passage): string {
  const { path, startLine, endLine } = passage;
  return `${path}:${numberRange(startLine, endLine)}`;
}

/**
 * Formats the places of two copies so that each begins with the part in which they differ. If both are in the same
 * file, the second place is only its lines.
 */
export function pairOfPlaces(left: ShownPassage, right: ShownPassage): readonly [left: string, right: string] {
  if (left.path === right.path) return [placeBeside(left, right), lineRange(right)];
  return [placeBeside(left, right), placeBeside(right, left)];
}

/** Formats the place of a copy, with the part of its path that differs from another copy's: "server/a.ts:10-32". */
export function placeBeside(passage: ShownPassage, other: Passage): string {
  return placeIn(nameBeside(passage.path, other.path), passage);
}

/** Formats line numbers: "10-32", or "10"; in a notebook, "cell 3:10-32", or "cells 3 to 5". */
export function lineRange({ startLine, endLine, cells }: ShownLines): string {
  if (cells === undefined) return numberRange(startLine, endLine);
  return cells.first === cells.last
    ? l10n.t('cell {0}:{1}', cells.first, numberRange(cells.startLine, cells.endLine))
    : l10n.t('cells {0} to {1}', cells.first, cells.last);
}

/** Formats lines for a screen reader: "lines 3 to 9", "line 3", "cell 1, line 3". */
export function spokenRange(passage: ShownPassage): string {
  const { cells } = passage;
  if (cells === undefined) return spokenLines(passage.startLine, passage.endLine);
  return cells.first === cells.last
    ? l10n.t('cell {0}, {1}', cells.first, spokenLines(cells.startLine, cells.endLine))
    : lineRange(passage);
}

function spokenLines(first: number, last: number): string {
  return first === last ? l10n.t('line {0}', first) : l10n.t('lines {0} to {1}', first, last);
}

function numberRange(first: number, last: number): string {
  return first === last ? String(first) : `${first}-${last}`;
}

/** Prefixes a title with the name of a function or class: "parseDay · a.ts:10-32". */
export function named(name: string | undefined, title: string): string {
  return name === undefined || name === '' ? title : `${name} · ${title}`;
}

/** Replaces line breaks and bidirectional control characters, which file names may contain. */
export function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, '\ufffd');
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Returns the folder part of a path; "." if there is none. */
export function folderName(path: string): string {
  const end = path.lastIndexOf('/');
  return end < 0 ? '.' : path.slice(0, Math.max(1, end));
}

export function lineCount(count: number): string {
  return count === 1 ? l10n.t('1 line') : l10n.t('{0} lines', quantity(count));
}

export function copyCount(count: number): string {
  return count === 1 ? l10n.t('1 copy') : l10n.t('{0} copies', quantity(count));
}

export function passageCount(count: number): string {
  return count === 1 ? l10n.t('1 passage') : l10n.t('{0} passages', quantity(count));
}

export function groupCount(count: number): string {
  return count === 1 ? l10n.t('1 group') : l10n.t('{0} groups', quantity(count));
}

/** Formats the number of duplicates: "3,878 duplicates". */
export function duplicateCount(count: number): string {
  if (count === 0) return l10n.t('No duplicates');
  return count === 1 ? l10n.t('1 duplicate') : l10n.t('{0} duplicates', quantity(count));
}

/** Formats the number of ignored duplicates: "3 ignored". */
export function ignoredCount(count: number): string {
  return l10n.t('{0} ignored', quantity(count));
}

/** Formats the summary of a report: "3,878 duplicates, 12.3% of source and text". */
export function headlineText({ categories, rows, ...counts }: Headline): string {
  const [source, text] = [categories.includes('source'), categories.includes('text')];
  if (rows === 0 && source && text) return l10n.t('No duplicates in source and text');
  if (rows === 0) return duplicateCount(0);
  const values = [duplicateCount(rows), duplicatedShare(counts)];
  if (source && text) return l10n.t('{0}, {1} of source and text', ...values);
  if (source) return l10n.t('{0}, {1} of source', ...values);
  return text ? l10n.t('{0}, {1} of text', ...values) : l10n.t('{0}, {1} of all lines', ...values);
}

/** Formats the number of groups as on the command line: "3,878 groups". Those of whole files are separate. */
export function groupCounts(ofPassages: number, ofFiles: number): string {
  return ofFiles === 0
    ? groupCount(ofPassages)
    : l10n.t('{0} and {1} of files', groupCount(ofPassages), quantity(ofFiles));
}

export function fileCount(count: number): string {
  return count === 1 ? l10n.t('1 file') : l10n.t('{0} files', quantity(count));
}

/** Formats the number of files and folders: "3 files and 1 folder". Omits a number that is 0. */
export function fileAndFolderCount(files: number, folders: number): string {
  const ofFolders = folders === 1 ? l10n.t('1 folder') : l10n.t('{0} folders', quantity(folders));
  if (folders === 0) return fileCount(files);
  return files === 0 ? ofFolders : l10n.t('{0} and {1}', fileCount(files), ofFolders);
}

/** Formats the share of duplicated lines in a section: "41% of tests". */
export function shareOfSection(name: Exclude<SectionName, 'folders'>, share: string): string {
  switch (name) {
    case 'source':
      return l10n.t('{0} of source', share);
    case 'text':
      return l10n.t('{0} of text', share);
    case 'tests':
      return l10n.t('{0} of tests', share);
    case 'examples':
      return l10n.t('{0} of examples', share);
    case 'data':
      return l10n.t('{0} of data', share);
    case 'boilerplate':
      return l10n.t('{0} of boilerplate', share);
  }
}

/** Returns the title of a group: "3 exact copies", "3 near-duplicates, 70 to 94% similar". */
export function groupTitle(group: Group): string {
  const { kind, type, passages } = group;
  const count = quantity(passages.length);
  const alike = percentRange(group);
  if (type === 'exact')
    return kind === 'file' ? l10n.t('{0} identical files', count) : l10n.t('{0} exact copies', count);
  const inside = insideOf(group);
  if (inside !== undefined) return insideText(inside);
  if (kind === 'file') return l10n.t('{0} near-duplicate files, {1} similar', count, alike);
  if (type === 'renamed') return l10n.t('{0} renamed copies, {1} similar', count, alike);
  return l10n.t('{0} near-duplicates, {1} similar', count, alike);
}

/** Describes a file that is contained in another: "96% of a.md is in b.md". */
export function insideText({ inner: { path: inner }, outer: { path: outer }, share }: ContainedFile): string {
  return l10n.t('{0} of {1} is in {2}', percent(share), nameBeside(inner, outer), nameBeside(outer, inner));
}

/** Returns a name for a file that differs from the name of another file; see `namesAmong`. */
export function nameBeside(path: string, other: string): string {
  return namesAmong([path, other]).get(path)!;
}

/**
 * Returns names that distinguish files: "b.ts", or if several have this name, with the folders that differ:
 * "server/b.ts" or "server/…/b.ts". The differing folder comes first, because VS Code may clip the end of a name.
 */
export function namesAmong(paths: Iterable<string>): ReadonlyMap<string, string> {
  const byName = groupBy(new Set(paths), baseName);
  const names = new Map<string, string>();
  for (const [name, alike] of byName) {
    if (alike.length === 1) names.set(alike[0]!, oneLine(name));
    else for (const [path, folders] of distinguishingFolders(alike)) names.set(path, oneLine(`${folders}${name}`));
  }
  return names;
}

/** Yields the folders that distinguish each of several paths with the same file name, with a trailing slash. */
function* distinguishingFolders(paths: readonly string[]): Iterable<[path: string, folders: string]> {
  // Folders of each path, innermost first.
  const folders = paths.map((path) => path.split('/').slice(0, -1).reverse());
  const [first] = folders as [string[]];
  const ofAll = (depth: number): boolean =>
    folders.every((names) => names[depth] !== undefined && names[depth] === first[depth]);
  let common = 0;
  while (ofAll(common)) common++;
  const left = new Set(paths.keys());
  for (let depth = common + 1; left.size > 0; depth++) {
    const telling = (index: number): string => folders[index]!.slice(common, depth).reverse().join('/');
    const counts = new Map<string, number>();
    for (const index of paths.keys()) counts.set(telling(index), (counts.get(telling(index)) ?? 0) + 1);
    for (const index of left) {
      // If a path has no more folders at this depth, use all of its folders to distinguish it.
      const isWhole = folders[index]!.length < depth;
      if (counts.get(telling(index)) !== 1 && !isWhole) continue;
      left.delete(index);
      const path = paths[index]!;
      const start = common > 0 ? `${telling(index)}/…/` : `${telling(index)}/`;
      yield [path, isWhole ? path.slice(0, path.lastIndexOf('/') + 1) : start];
    }
  }
}
