/** Token arrays of contents in kernel memory, in the same layout as the index of a scan. */
import {
  documentBytes,
  type DocumentIndex,
  type DocumentShape,
  placeDocument,
} from '../../core/engine/documents/documents.ts';
import type { DocumentPart } from '../../core/engine/documents/namedDocument.ts';
import type { Kernel } from '../../core/engine/kernel.ts';
import type { FolderContents } from './folderContents.ts';

/** Loads the token arrays of contents into newly allocated memory. Several documents with the same text share them. */
export function loadContents(
  source: FolderContents,
  kernel: Kernel,
  shapes: ReadonlyMap<number, DocumentShape>,
  contents: Iterable<number>,
): LoadedContents {
  return new LoadedContents(shapes, source.load(kernel, new Set(contents)));
}

export class LoadedContents {
  readonly #shapes: ReadonlyMap<number, DocumentShape>;
  readonly #addresses: ReadonlyMap<number, number>;

  constructor(shapes: ReadonlyMap<number, DocumentShape>, addresses: ReadonlyMap<number, number>) {
    this.#shapes = shapes;
    this.#addresses = addresses;
  }

  /** Returns a new document for a content. The document has no arrays if the content was not loaded. */
  place(content: number): DocumentIndex {
    return placeDocument(this.#shapes.get(content)!, this.#addresses.get(content) ?? 0);
  }
}

/** Returns the index of one part of a document. Precondition: the document has this part. */
export function partOfIndex(index: DocumentIndex, part: DocumentPart): DocumentIndex {
  return part === 'text' ? index : index[part]!;
}

export function contentBytes(shapes: ReadonlyMap<number, DocumentShape>, content: number): number {
  return documentBytes(shapes.get(content)!);
}
