/** Reads the arrays of contents into the kernel's memory. Keeps files open until it is closed. */
import {
  documentBytes,
  type DocumentIndex,
  type DocumentShape,
  placeDocument,
} from '../../core/engine/documents/documents.ts';
import type { Kernel } from '../../core/engine/kernel.ts';
import type { FolderContents } from './folderContents.ts';
import type { OpenArrays, Partition } from './partition.ts';

const maxOpen = 200;

export class ArrayReader {
  readonly #kernel: Kernel;
  readonly #source: FolderContents;
  readonly #open = new Map<Partition, OpenArrays>();

  constructor(kernel: Kernel, source: FolderContents) {
    this.#kernel = kernel;
    this.#source = source;
  }

  /** Returns the document of a content, whose arrays are in newly allocated memory. */
  load(content: number, shape: DocumentShape): DocumentIndex {
    const size = documentBytes(shape);
    const address = this.#kernel.allocate(size);
    this.read(content, address, size);
    return placeDocument(shape, address);
  }

  /** Reads some bytes of a content's arrays to an address. */
  read(content: number, address: number, size: number, offset = 0): void {
    const { partition, place } = this.#source.placeOf(content);
    let arrays = this.#open.get(partition);
    if (arrays === undefined) {
      if (this.#open.size === maxOpen) this.close();
      this.#open.set(partition, (arrays = partition.openArrays()));
    }
    arrays.read(place, this.#kernel.bytes.subarray(address, address + size), offset);
  }

  close(): void {
    for (const arrays of this.#open.values()) arrays.close();
    this.#open.clear();
  }
}
