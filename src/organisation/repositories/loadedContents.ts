/** Arrays of contents in kernel memory, in the layout of the local index. */
import {
  documentBytes,
  type DocumentIndex,
  type DocumentShape,
  placeDocument,
} from '../../core/engine/documents/documents.ts';
import type { DocumentPart } from '../../core/engine/documents/namedDocument.ts';
import type { Kernel } from '../../core/engine/kernel.ts';
import type { FolderContents } from './folderContents.ts';

/** Loads contents into newly allocated memory. Each can be placed under several names. */
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

  /** Returns a content as a separate document, without arrays if it was not loaded. */
  place(content: number): DocumentIndex {
    return placeDocument(this.#shapes.get(content)!, this.#addresses.get(content) ?? 0);
  }
}

/** Returns a part of a document, which must exist. */
export function partOfIndex(index: DocumentIndex, part: DocumentPart): DocumentIndex {
  return part === 'text' ? index : index[part]!;
}

export function contentBytes(shapes: ReadonlyMap<number, DocumentShape>, content: number): number {
  return documentBytes(shapes.get(content)!);
}
