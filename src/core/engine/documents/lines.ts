/** Line numbers of the tokens of a document. */
import { firstPlace } from '../../collections/lists.ts';
import * as layout from '../../kernel/documents/placesLayout.ts';
import { maxMarkedLines, numberMask } from '../../kernel/lex/lexedLayout.ts';
import type { DocumentIndex } from './documents.ts';
import type { Kernel } from '../kernel.ts';

/** Returns the line on which a token starts, counted from 0. */
export function lineOf(kernel: Kernel, index: DocumentIndex, token: number): number {
  const number =
    kernel.words[(index.lines + placeOfLine(kernel, index, token) * layout.lineBytes + layout.lineNumberAt) >>> 2];
  return index.totalLines < maxMarkedLines ? number & numberMask : number;
}

/** Returns the number of lines that the tokens [start, end) cover, including the first and the last line. */
export function linesOf(kernel: Kernel, index: DocumentIndex, start: number, end: number): number {
  return lineOf(kernel, index, end - 1) - lineOf(kernel, index, start) + 1;
}

/**
 * Returns the number of lines with tokens that the tokens [start, end) cover. In a notebook, these are lines of cells;
 * the file may have several of them on one line.
 */
export function writtenLinesOf(kernel: Kernel, index: DocumentIndex, start: number, end: number): number {
  return placeOfLine(kernel, index, end - 1) - placeOfLine(kernel, index, start) + 1;
}

/** Returns the index of the line record of a token. Only lines on which a token starts have records. */
function placeOfLine({ words }: Kernel, { lines, lineCount }: DocumentIndex, token: number): number {
  const first = (line: number): number => words[(lines + line * layout.lineBytes + layout.lineTokenAt) >>> 2];
  return firstPlace(lineCount - 1, (line) => first(line + 1) <= token);
}
