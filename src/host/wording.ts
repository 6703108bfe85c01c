/** How numbers and places are put into words, the same in every view. Lines shown to people count from one. */
import { l10n } from 'vscode';
import type { Group, Passage } from '../engine/report.ts';

/** "94 %". Rounded down, so that only what is equal is called 100 %. */
export function percent(similarity: number): string {
  // A hair is added because 0.29 × 100 is 28.999… in floating point.
  return l10n.t('{0} %', Math.floor(similarity * 100 + 1e-9));
}

/** "12.3 %" of a number that is a percentage already. */
export function percentage(value: number): string {
  return l10n.t('{0} %', value.toLocaleString(undefined, { maximumFractionDigits: 1 }));
}

/** "src/a.ts:10-32", as terminals and Go to File understand it; "src/a.ts:10" when it is one line. */
export function place(passage: Passage): string {
  return `${passage.path}:${lineRange(passage)}`;
}

/** The same with the file's name alone: "a.ts:10-32". */
export function shortPlace(passage: Passage): string {
  return `${baseName(passage.path)}:${lineRange(passage)}`;
}

/** "10-32", or "10". */
export function lineRange({ startLine, endLine }: Passage): string {
  return startLine === endLine ? String(startLine) : `${startLine}-${endLine}`;
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** The folder a path is in: empty for a file at the top. */
export function folderName(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

export function lineCount(count: number): string {
  return count === 1 ? l10n.t('1 line') : l10n.t('{0} lines', count.toLocaleString());
}

export function copyCount(count: number): string {
  return count === 1 ? l10n.t('1 copy') : l10n.t('{0} copies', count.toLocaleString());
}

export function groupCount(count: number): string {
  return count === 1 ? l10n.t('1 group') : l10n.t('{0} groups', count.toLocaleString());
}

export function fileCount(count: number): string {
  return count === 1 ? l10n.t('1 file') : l10n.t('{0} files', count.toLocaleString());
}

/** What a group is: "3 exact copies", "3 near-duplicates, 94 % alike". */
export function groupTitle({ kind, type, passages, similarity }: Group): string {
  const count = passages.length.toLocaleString();
  const alike = percent(similarity);
  if (type === 'exact') return kind === 'file' ? l10n.t('{0} equal files', count) : l10n.t('{0} exact copies', count);
  if (kind === 'file') return l10n.t('{0} near-duplicate files, {1} alike', count, alike);
  if (type === 'renamed') return l10n.t('{0} copies with changed names, {1} alike', count, alike);
  return l10n.t('{0} near-duplicates, {1} alike', count, alike);
}
