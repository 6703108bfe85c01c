/** Converts ranges of tokens to passages with lines and columns. */
import * as layout from '../../kernel/documents/passageLayout.ts';
import type { Kernel } from '../kernel.ts';
import type { TokenRange } from '../matches/matchRecord.ts';
import type { NamedDocument } from '../documents/namedDocument.ts';
import type { Passage } from './report.ts';

/** Returns the passage of a run of tokens, which must not be empty. Lines, inclusive, and columns count from 1. */
export function passageOf(
  kernel: Kernel,
  { path, index }: NamedDocument,
  { start, end }: Pick<TokenRange, 'start' | 'end'>,
): Passage {
  const { places, tokenCount, lines, lineCount, totalLines, unitless, sizeBytes } = index;
  const mark = kernel.mark();
  const out = kernel.allocate(layout.passageRoom);
  kernel.exports.placePassage(places, tokenCount, lines, lineCount, totalLines, unitless, sizeBytes, start, end, out);
  const { words } = kernel;
  const passage = {
    path,
    startLine: words[(out + layout.passagePlaceStartLineAt) >>> 2],
    startColumn: words[(out + layout.passagePlaceStartColumnAt) >>> 2],
    endLine: words[(out + layout.passagePlaceEndLineAt) >>> 2],
    endColumn: words[(out + layout.passagePlaceEndColumnAt) >>> 2],
    tokens: end - start,
  };
  kernel.release(mark);
  return passage;
}
