/** Documents with their names, and the order of documents. */
import type { DocumentIndex } from './documents.ts';
import type { Totals } from '../report/report.ts';

/**
 * The parts of a file, each of which is a document: the text itself, the words of its comments, and the code that it
 * quotes. They are listed in the order in which a report lists them.
 */
export const documentParts = ['text', 'comments', 'quoted'] as const;
export type DocumentPart = (typeof documentParts)[number];

/** A document as a report needs it: its name and the addresses of its arrays. */
export interface NamedDocument {
  readonly path: string;
  readonly index: DocumentIndex;
  readonly part: DocumentPart;
}

/** Name of a document. It is unique. */
export type DocumentName = Pick<NamedDocument, 'path' | 'part'>;

/** A document that was added, removed, or replaced by another. */
export interface ReplacedDocument {
  readonly before?: NamedDocument | undefined;
  readonly after: NamedDocument | undefined;
}

export type DocumentTotals = Pick<Totals, 'files' | 'lines' | 'tokens'>;

/** Returns the document of a path, followed by the separate documents of its comments and of its quoted code. */
export function partsOf(path: string, index: DocumentIndex): NamedDocument[] {
  const { comments, quoted } = index;
  const parts: NamedDocument[] = [{ path, index, part: 'text' }];
  if (comments) parts.push({ path, index: comments, part: 'comments' });
  if (quoted) parts.push({ path, index: quoted, part: 'quoted' });
  return parts;
}

/** Compares documents by path and part. The order does not depend on when they were added. */
export function compareNames(x: DocumentName, y: DocumentName): number {
  return x.path < y.path ? -1 : x.path > y.path ? 1 : rankOf(x) - rankOf(y);
}

function rankOf({ part }: DocumentName): number {
  return documentParts.indexOf(part);
}

/** Returns the total numbers of documents. A line of a comment or of quoted code counts once, as a line of the file. */
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

/** Returns the old or the new version of each replaced document, without the documents of comments and quoted code. */
export function textsOf(replaced: readonly ReplacedDocument[], when: 'before' | 'after'): NamedDocument[] {
  return replaced.flatMap((one) => (one[when]?.part === 'text' ? one[when] : []));
}
