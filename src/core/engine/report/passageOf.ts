/** Converts ranges of tokens to passages with lines and columns. */
import type { DocumentIndex } from '../documents/documents.ts';
import type { Kernel } from '../kernel.ts';
import { lineOf } from '../documents/lines.ts';
import type { TokenRange } from '../matches/matchRecord.ts';
import type { NamedDocument } from '../documents/namedDocument.ts';
import type { Passage } from './report.ts';
import { placeOfToken } from '../documents/tokenPlaces.ts';

/**
 * Returns the passage of a run of tokens. Precondition: the run is not empty. Lines and columns count from 1; the last
 * line is inclusive.
 */
export function passageOf(
  kernel: Kernel,
  { path, index }: NamedDocument,
  { start, end }: Pick<TokenRange, 'start' | 'end'>,
): Passage {
  const first = placeOfToken(kernel, index, start);
  const last = placeOfToken(kernel, index, end - 1);
  return {
    path,
    startLine: lineOf(kernel, index, start) + 1,
    startColumn: column(kernel, index, first.lineStart, first.start),
    endLine: lineOf(kernel, index, end - 1) + 1,
    endColumn: column(kernel, index, last.lineStart, last.end),
    tokens: end - start,
  };
}

/** Returns the column of an offset, in UTF-16 units. In ASCII text, each byte is one unit. */
function column({ bytes }: Kernel, { unitless, sizeBytes }: DocumentIndex, lineStart: number, offset: number): number {
  let units = offset - lineStart;
  if (unitless !== 0) {
    const end = Math.min(offset, sizeBytes);
    for (let at = lineStart; at < end; at++) units -= (bytes[unitless + (at >>> 3)] >>> (at & 7)) & 1;
  }
  return units + 1;
}
