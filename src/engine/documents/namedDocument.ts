/** Documents under the names by which people know them, and their order. */
import type { DocumentIndex } from './documents.ts';
import type { Totals } from '../report/report.ts';

/**
 * What of a text a document is: the text itself, the words of its comments, the code that it quotes. In the order in which
 * they come.
 */
export const documentParts = ['text', 'comments', 'quoted'] as const;
export type DocumentPart = (typeof documentParts)[number];

/** A document as a report needs it: where its arrays are, and its name. */
export interface NamedDocument {
  readonly path: string;
  readonly index: DocumentIndex;
  readonly part: DocumentPart;
}

/** A document that takes the place of another, or of none, or goes. */
export interface ReplacedDocument {
  readonly before?: NamedDocument | undefined;
  readonly after: NamedDocument | undefined;
}

/** What all documents have together. */
export type DocumentTotals = Pick<Totals, 'files' | 'lines' | 'tokens'>;

/** The documents of a path: comments and quoted code are documents of their own, behind that of the text. */
export function partsOf(path: string, index: DocumentIndex): NamedDocument[] {
  const { comments, quoted } = index;
  const parts: NamedDocument[] = [{ path, index, part: 'text' }];
  if (comments) parts.push({ path, index: comments, part: 'comments' });
  if (quoted) parts.push({ path, index: quoted, part: 'quoted' });
  return parts;
}

/** By path, so that the order in which documents came cannot matter. */
export function compareNames(x: NamedDocument, y: NamedDocument): number {
  return x.path < y.path ? -1 : x.path > y.path ? 1 : rankOf(x) - rankOf(y);
}

function rankOf({ part }: NamedDocument): number {
  return documentParts.indexOf(part);
}

/** What documents have together: the lines of a part are those of its text, and so is the code that a page quotes. */
export function totalsOf(documents: Iterable<NamedDocument>): DocumentTotals {
  let [files, lines, tokens] = [0, 0, 0];
  for (const { index, part } of documents) {
    if (part !== 'quoted') tokens += index.tokenCount;
    if (part !== 'text') continue;
    files++;
    lines += index.totalLines;
  }
  return { files, lines, tokens };
}

/** What was there, or is there now, without comments and quoted code. */
export function textsOf(replaced: readonly ReplacedDocument[], when: 'before' | 'after'): NamedDocument[] {
  return replaced.flatMap((one) => (one[when]?.part === 'text' ? one[when] : []));
}
