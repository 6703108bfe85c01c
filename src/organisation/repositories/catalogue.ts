/** Lists the repositories in an index, and the documents in their current states. */
import type { DocumentShape } from '../../core/engine/documents/documents.ts';
import { compareNames, type DocumentName } from '../../core/engine/documents/namedDocument.ts';
import type { SkippedFile } from '../../core/engine/report/report.ts';
import { byPath } from '../../scan/io/byPath.ts';
import { IndexError } from '../folder/indexError.ts';
import type { RepositoryState } from '../folder/indexFolder.ts';

export function noRepository(): IndexError {
  return new IndexError('The index has no repository yet: store one with kindred org add PATH.');
}

/** Returns the prefix of a repository's paths in reports. */
export function prefixOf({ name }: Pick<RepositoryState, 'name'>): string {
  return `${name}/`;
}

/**
 * Documents of the given repository states. Their names equal those that a scan with each repository as a folder would
 * use.
 */
export interface StoredDocuments {
  /**
   * Sorted by name. The parts of a file (such as quoted code) follow its text. A document's number is its index in this
   * array.
   */
  readonly documents: readonly StoredDocument[];
  readonly skipped: readonly SkippedFile[];
  readonly shapes: ReadonlyMap<number, DocumentShape>;
}

export interface StoredDocument extends DocumentName {
  readonly content: number;
}

/** Returns the documents of the given files, which may be in any order. */
export function documentsOf(
  files: readonly { readonly path: string; readonly content: number }[],
  skipped: readonly SkippedFile[],
  shapes: ReadonlyMap<number, DocumentShape>,
): StoredDocuments {
  const documents = files.flatMap(({ path, content }) => partsOfShape(path, content, shapes.get(content)!));
  return { documents: documents.sort(compareNames), shapes, skipped: [...skipped].sort(byPath) };
}

function partsOfShape(path: string, content: number, { comments, quoted }: DocumentShape): StoredDocument[] {
  const parts: StoredDocument[] = [{ path, content, part: 'text' }];
  if (comments) parts.push({ path, content, part: 'comments' });
  if (quoted) parts.push({ path, content, part: 'quoted' });
  return parts;
}

/** Yields the shapes of texts, of their comments, and of the code that they quote. */
export function* partsOfShapes(texts: Iterable<DocumentShape>): Generator<DocumentShape, void> {
  for (const text of texts) {
    yield text;
    if (text.comments) yield text.comments;
    if (text.quoted) yield text.quoted;
  }
}
