/** Facts that decide which copy of a duplicate is its home: is it source code, and was it there before? */
import { sum } from '../../core/collections/lists.ts';
import { judgeText } from '../../core/engine/rows/category.ts';
import type { LineRange } from '../gate/changes.ts';

/**
 * Returns false for tests, examples, texts, and other files that source code should not call.
 *
 * @param prose  true if the language of the file is a natural one, as in Markdown
 */
export function isSourcePath(path: string, prose: boolean): boolean {
  return judgeText(path, { prose, data: false, generated: false }).category === 'source';
}

/**
 * Returns true if more than half of the lines of a passage were added.
 *
 * @param added  ranges of added lines in the file, which do not overlap
 */
export function isMostlyAdded(added: readonly LineRange[], { startLine, endLine }: LineRange): boolean {
  return 2 * linesAdded(added, { startLine, endLine }) > endLine - startLine + 1;
}

/** Returns the number of lines of a passage that were added; see `isMostlyAdded`. */
export function linesAdded(added: readonly LineRange[], { startLine, endLine }: LineRange): number {
  return sum(
    added.map((range) => Math.max(0, Math.min(endLine, range.endLine) - Math.max(startLine, range.startLine) + 1)),
  );
}
