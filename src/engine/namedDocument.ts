/** Documents under the names by which people know them, and their order. */
import type { DocumentIndex } from './documents.ts';
import type { Totals } from './report.ts';

/** A document as a report needs it: where its arrays are, and its name. */
export interface NamedDocument {
  readonly path: string;
  readonly index: DocumentIndex;
  /** Whether it has the text of another document: its comments. */
  readonly isPart: boolean;
}

/** What all documents have together. */
export type DocumentTotals = Pick<Totals, 'files' | 'lines' | 'tokens'>;

/** The documents of a path: comments are one of their own, behind that of their code. */
export function partsOf(path: string, index: DocumentIndex): NamedDocument[] {
  const whole = { path, index, isPart: false };
  return index.comments ? [whole, { path, index: index.comments, isPart: true }] : [whole];
}

/** By path, so that the order in which documents came cannot matter. */
export function compareNames(x: NamedDocument, y: NamedDocument): number {
  return x.path < y.path ? -1 : x.path > y.path ? 1 : Number(x.isPart) - Number(y.isPart);
}

/** What documents have together: the lines of comments are those of their code. */
export function totalsOf(documents: Iterable<NamedDocument>): DocumentTotals {
  let [files, lines, tokens] = [0, 0, 0];
  for (const { index, isPart } of documents) {
    tokens += index.tokenCount;
    if (isPart) continue;
    files++;
    lines += index.totalLines;
  }
  return { files, lines, tokens };
}
