/** Lines: where the tokens of a document stand. */
import type { DocumentIndex } from './documents.ts';
import type { Kernel } from '../kernel.ts';

/**
 * The line record { first token, line } of the line on which a token starts, as an index of the kernel's words: the last
 * record whose first token is not behind the token.
 */
export function lineRecord(kernel: Kernel, index: DocumentIndex, token: number): number {
  const words = kernel.words;
  const records = index.lines >>> 2;
  let low = 0;
  let high = index.lineCount - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (words[records + 2 * middle] <= token) low = middle;
    else high = middle - 1;
  }
  return records + 2 * low;
}

/** The lines on which a run of tokens [start, end) stands, its first and last one included. */
export function linesOf(kernel: Kernel, index: DocumentIndex, start: number, end: number): number {
  const lineOf = (token: number): number => kernel.words[lineRecord(kernel, index, token) + 1];
  return lineOf(end - 1) - lineOf(start) + 1;
}
