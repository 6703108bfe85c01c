/** Line numbers of the tokens of a document. */
import type { DocumentIndex } from './documents.ts';
import type { Kernel } from '../kernel.ts';

/** Returns the line on which a token starts, counted from 0. */
export function lineOf({ exports }: Kernel, { lines, lineCount, totalLines }: DocumentIndex, token: number): number {
  return exports.lineOf(lines, lineCount, totalLines, token);
}

/** Returns the number of lines that the tokens [start, end) cover, including the first and the last line. */
export function linesOf(kernel: Kernel, index: DocumentIndex, start: number, end: number): number {
  return lineOf(kernel, index, end - 1) - lineOf(kernel, index, start) + 1;
}

/**
 * Returns the number of lines that the tokens [start, end) cover, or the number of those with tokens if it is greater.
 * It is greater in a notebook, which may have several lines of cells on one line of the file.
 */
export function linesCovered(
  { exports }: Kernel,
  { lines, lineCount, totalLines }: DocumentIndex,
  start: number,
  end: number,
): number {
  return exports.linesCovered(lines, lineCount, totalLines, start, end);
}
