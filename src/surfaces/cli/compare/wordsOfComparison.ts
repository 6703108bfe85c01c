/** Phrases that the text and Markdown reports of a comparison share. */
import { sum } from '../../../core/collections/lists.ts';
import { count, number, percent } from '../quantities.ts';
import type { ChangedFile, ComparedPassage, Comparison, SingleFile, Tree } from './comparison.ts';
import { shareOf } from './comparison.ts';

/** Returns the headline: "97% of the lines of A are in B, and 95% of the lines of B are in A." */
export function headlineOf({ a, b }: Comparison): string {
  return `${percent(shareOf(a))} of the lines of A are in B, and ${percent(shareOf(b))} of the lines of B are in A.`;
}

export function sizeOf({ files, lines }: Pick<Tree, 'files' | 'lines'>): string {
  return `${count(files, 'file')}, ${count(lines, 'line')}`;
}

export const sectionTitles = {
  equal: 'Equal files',
  moved: 'Moved files',
  changed: 'Changed files',
  movedAndChanged: 'Moved and changed files',
  passages: 'Passages in other places',
  onlyInA: 'Files only in A',
  onlyInB: 'Files only in B',
} as const;
export type Section = keyof typeof sectionTitles;

/**
 * Returns, for each section, the number of items and their number of lines in A and in B. A number of lines is
 * `undefined` if the section has no lines in that tree.
 */
export function sectionTotals(
  comparison: Comparison,
): readonly { readonly section: Section; readonly items: number; readonly a?: number; readonly b?: number }[] {
  const { equal, moved, changed, movedAndChanged, passages, onlyInA, onlyInB } = comparison;
  const versions = (files: readonly ChangedFile[]): { a: number; b: number } => ({
    a: sum(files.map(({ a }) => a.lines)),
    b: sum(files.map(({ b }) => b.lines)),
  });
  const movedLines = sum(moved.map(({ lines }) => lines));
  return [
    { section: 'equal', items: equal.files, a: equal.lines, b: equal.lines },
    { section: 'moved', items: moved.length, a: movedLines, b: movedLines },
    { section: 'changed', items: changed.length, ...versions(changed) },
    { section: 'movedAndChanged', items: movedAndChanged.length, ...versions(movedAndChanged) },
    { section: 'onlyInA', items: onlyInA.length, a: sum(onlyInA.map(({ lines }) => lines)) },
    { section: 'onlyInB', items: onlyInB.length, b: sum(onlyInB.map(({ lines }) => lines)) },
    {
      section: 'passages',
      items: passages.length,
      a: sum(passages.map(({ a }) => a.endLine - a.startLine + 1)),
      b: sum(passages.map(({ b }) => b.endLine - b.startLine + 1)),
    },
  ];
}

/** Describes a changed file, such as "+12 −3 lines (96% of A in B, 91% of B in A)". */
export function changeOf({ a, b, removed, added }: ChangedFile): string {
  if (removed + added === 0) return 'white space or encoding only';
  const lines = `+${number(added)} −${number(removed)} lines`;
  return `${lines} (${percent(shareOf(a))} of A in B, ${percent(shareOf(b))} of B in A)`;
}

/** Describes a pair of passages, such as "moved, edited (93% similar)". */
export function likenessOf({ change, type, similarity }: ComparedPassage): string {
  const edited = similarity < 1 ? `, edited (${percent(similarity)} similar)` : '';
  return change + { exact: '', renamed: ', with other names or literals', near: edited }[type];
}

/**
 * Describes a file without counterpart, such as "120 lines, 30 of them in B". If it is a copy, names the original.
 *
 * @param other  name of the other tree
 */
export function singleOf({ lines, linesInOther, copyOf }: SingleFile, other: 'A' | 'B'): string {
  if (copyOf !== undefined) return `${count(lines, 'line')}, a copy of ${copyOf} in ${other}`;
  const found = linesInOther > 0 ? `, ${number(linesInOther)} of them in ${other}` : '';
  return `${count(lines, 'line')}${found}`;
}

/** Returns a sentence about skipped files; `undefined` if there are none. */
export function leftOutOf({ skipped }: Comparison): string | undefined {
  if (skipped.length === 0) return undefined;
  const [ofA, ofB] = (['a', 'b'] as const).map((tree) => skipped.filter((one) => one.tree === tree).length);
  return `Not compared: ${count(ofA!, 'file')} of A and ${number(ofB!)} of B (--format json lists them with the reasons).`;
}
