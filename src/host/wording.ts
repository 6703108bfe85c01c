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
export function groupTitle(group: Group): string {
  const { kind, type, passages, similarity } = group;
  const count = passages.length.toLocaleString();
  const alike = percent(similarity);
  if (type === 'exact') return kind === 'file' ? l10n.t('{0} equal files', count) : l10n.t('{0} exact copies', count);
  const inside = insideOf(group);
  if (inside !== undefined) {
    const [inner, outer] = [inside.inner.path, inside.outer.path];
    return l10n.t('{0} of {1} is in {2}', percent(inside.share), nameBeside(inner, outer), nameBeside(outer, inner));
  }
  if (kind === 'file') return l10n.t('{0} near-duplicate files, {1} alike', count, alike);
  if (type === 'renamed') return l10n.t('{0} copies with changed names, {1} alike', count, alike);
  return l10n.t('{0} near-duplicates, {1} alike', count, alike);
}

/** Of two files of which one lies inside the other: which, and how much of it. Undefined for all other groups. */
export function insideOf(group: Group): { inner: Passage; outer: Passage; share: number } | undefined {
  if (group.kind !== 'file' || group.passages.length !== 2) return undefined;
  const [ofFirst, ofSecond] = group.pairs[0]?.containment ?? [0, 0];
  const [first, second] = group.passages as [Passage, Passage];
  // Where much of each is in the other, they are alike rather than one inside the other.
  if (Math.max(ofFirst, ofSecond) < 0.8 || Math.abs(ofFirst - ofSecond) < 0.1) return undefined;
  return ofFirst > ofSecond
    ? { inner: first, outer: second, share: ofFirst }
    : { inner: second, outer: first, share: ofSecond };
}

/**
 * A file as one calls it beside another: "b.ts"; when both have that name, from the innermost folder in which they differ,
 * "server/b.ts" or "server/…/b.ts".
 */
export function nameBeside(path: string, other: string): string {
  const [names, others] = [path, other].map((each) => each.split('/').reverse()) as [string[], string[]];
  const name = names[0]!;
  if (name !== others[0]) return name;
  const depth = names.findIndex((folder, index) => folder !== others[index]);
  // A file at the top: its path has no folder that the other has not.
  if (depth < 0) return path;
  return depth === 1 ? `${names[1]}/${name}` : `${names[depth]}/…/${name}`;
}
