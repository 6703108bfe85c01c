/**
 * The documents of a comparison whose arrays are in memory. They alternate between two halves of one range of memory:
 * when a half is full, the other half is filled again from its beginning. A document of the other half is copied when
 * it is used, so it stays in memory until as many bytes as a half has were loaded after its last use.
 *
 *   first half   a b c d e      d is used: it is copied     d f g h …
 *   second half  d f g          a is used: it is loaded     a …
 *
 * Sketches are always in memory, because candidates for whole files are found among all of them.
 */
import {
  documentBytes,
  type DocumentIndex,
  moveDocument,
  placeDocument,
} from '../../core/engine/documents/documents.ts';
import { sketchBytes } from '../../core/engine/documents/fileSketch.ts';
import type { NamedDocument } from '../../core/engine/documents/namedDocument.ts';
import type { Kernel } from '../../core/engine/kernel.ts';
import { writeDocument } from '../../core/engine/seeds/seeds.ts';
import { Pace } from '../../core/engine/steps.ts';
import { ArrayReader, type FolderContents, type StoredDocuments } from './folderContents.ts';

export class DocumentCache {
  readonly kernel: Kernel;
  readonly #reader: ArrayReader;
  readonly #stored: StoredDocuments;
  /** Maximum size of documents that are used together, in bytes. */
  readonly halfBytes: number;
  /** True if all documents fit into memory together. Then nothing is ever removed. */
  readonly hasRoomForAll: boolean;
  readonly #sketches = new Map<number, number>();
  readonly #start: number;
  /** Number of the half that is being filled. It begins at 1, and increases whenever the other half is next. */
  #half = 1;
  #end: number;
  /** For each content, its address, and the half into which it was loaded. */
  readonly #addresses: Uint32Array;
  readonly #halfOf: Uint32Array;
  /** For each document, the half to which its addresses belong. */
  readonly #placed: Uint32Array;
  #documents: readonly NamedDocument[] = [];
  /** Address of the kernel's table of documents. */
  #table = 0;

  /** @param maxBytes  maximum size of both halves, and of the sketches */
  constructor(kernel: Kernel, source: FolderContents, stored: StoredDocuments, maxBytes: number) {
    this.kernel = kernel;
    this.#reader = new ArrayReader(kernel, source);
    this.#stored = stored;
    this.#addresses = new Uint32Array(source.count);
    this.#halfOf = new Uint32Array(source.count);
    this.#placed = new Uint32Array(stored.documents.length);
    let [all, largest, sketches] = [0, 0, 0];
    for (const [content, { hasSketch, sketchSample }] of stored.shapes) {
      const bytes = this.roomOf(content);
      all += bytes;
      largest = Math.max(largest, bytes);
      if (hasSketch) sketches += sketchBytes(sketchSample);
    }
    const half = Math.max(largest, aligned((maxBytes - sketches) / 2));
    this.hasRoomForAll = all <= half;
    this.halfBytes = Math.min(all, half);
    this.#start = this.#end = kernel.allocate(this.hasRoomForAll ? all : 2 * half);
  }

  /** Precondition: `documentOf` was not called yet. */
  *loadSketchesSteps(): Generator<void, void> {
    const pace = new Pace();
    for (const [content, shape] of this.#stored.shapes) {
      if (!shape.hasSketch) continue;
      const size = sketchBytes(shape.sketchSample);
      const address = this.kernel.allocate(size);
      this.#reader.read(content, address, size, placeDocument(shape, 0).sketch);
      this.#sketches.set(content, address);
      if (pace.endsStep(20)) yield;
    }
  }

  /** Returns a document that is not in memory, except for its sketch. */
  documentOf(content: number): DocumentIndex {
    const index = placeDocument(this.#stored.shapes.get(content)!, 0);
    return { ...index, sketch: this.#sketches.get(content) ?? 0 };
  }

  /**
   * Determines the documents to load.
   *
   * @param documents  made by `documentOf`, in the order of the stored documents
   * @param table      address of their table
   */
  use(documents: readonly NamedDocument[], table: number): void {
    this.#documents = documents;
    this.#table = table;
  }

  /** Loads a document, with the other documents of its file. */
  readonly load = (document: number): void => {
    if (this.#placed[document] === this.#half) return;
    let first = document;
    while (this.#documents[first]!.part !== 'text') first--;
    const address = this.#addressOf(this.contentOf(first));
    moveDocument(this.#documents[first]!.index, address);
    let own = first;
    do {
      writeDocument(this.kernel, this.#table, own, this.#documents[own]!.index);
      this.#placed[own++] = this.#half;
    } while (own < this.#documents.length && this.#documents[own]!.part !== 'text');
  };

  readonly contentOf = (document: number): number => this.#stored.documents[document]!.content;

  /** Returns the address of a content in the current half. */
  #addressOf(content: number): number {
    if (this.#halfOf[content] === this.#half) return this.#addresses[content]!;
    const size = this.roomOf(content);
    const isFirst = this.#half % 2 === 1;
    if (this.#end + size > this.#start + (isFirst ? 1 : 2) * this.halfBytes) {
      this.#half++;
      this.#end = this.#start + (isFirst ? this.halfBytes : 0);
    }
    const address = this.#end;
    this.#end += size;
    const isInOther = this.#halfOf[content] !== 0 && this.#halfOf[content] === this.#half - 1;
    if (isInOther) this.kernel.bytes.copyWithin(address, this.#addresses[content]!, this.#addresses[content]! + size);
    else this.#reader.read(content, address, this.#bytesOf(content));
    this.#addresses[content] = address;
    this.#halfOf[content] = this.#half;
    return address;
  }

  /** Returns the number of bytes that a content occupies. Addresses are multiples of 16, as those of the kernel. */
  readonly roomOf = (content: number): number => aligned(this.#bytesOf(content) + 15);

  #bytesOf(content: number): number {
    return documentBytes(this.#stored.shapes.get(content)!);
  }

  close(): void {
    this.#reader.close();
  }
}

/** Returns the largest multiple of 16 that is not larger. Sizes may have more than 31 bits. */
function aligned(bytes: number): number {
  return 16 * Math.floor(bytes / 16);
}
